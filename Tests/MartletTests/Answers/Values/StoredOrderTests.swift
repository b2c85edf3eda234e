/// Orders and comparisons by order give what the values give, or are refused with a sentence: SQLite sorts what is
/// stored.
import Foundation
import Martlet
import Testing

@Suite struct StoredOrderTests {
  @Selection struct Sum: Equatable {
    var currency = "EUR"
    @Column(as: Decimal.TextRepresentation.self) var amount: Decimal
  }

  @Table struct Price: Equatable {
    let id: Int
    @Column(as: Decimal.TextRepresentation.self) var price: Decimal
    @Column(as: Decimal.TextRepresentation?.self) var old: Decimal?
    var sum: Sum
    var before: Sum?
    @Column(as: Int.JSONRepresentation.self) var number: Int
  }

  @Table struct Moment: Equatable {
    let id: Int
    var text: Date
    @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
    @Column(as: Date.JulianDayRepresentation.self) var julian: Date
  }

  enum Other: AliasName {}

  /// A program's own representation: a number as a text.
  struct Padded: QueryBindable, Comparable {
    static var sortsAsStored: Bool { false }
    var number: Int
    var queryBinding: QueryBinding { .text("\(number)") }
    init(number: Int) { self.number = number }
    init(decoder: inout some QueryDecoder) throws { number = Int(try String(decoder: &decoder)) ?? 0 }
    static func < (left: Padded, right: Padded) -> Bool { left.number < right.number }
  }

  /// An enum that is stored as one.
  struct Rank: RawRepresentable, QueryBindable {
    var rawValue: Padded
  }

  @Table struct Shelf {
    let id: Int
    var place: Padded
    var rank: Rank
  }

  private static let sum = Sum(amount: 9)
  private static let price = Price(id: 1, price: 9, sum: sum, number: 9)
  private static let nine: Decimal = 9

  private static func words(_ query: some Statement) -> String { query.built.failure?.description ?? "not refused" }

  @Test func `rows, groups and row values with a text of a decimal are not sorted`() {
    let queries: [any Statement<Int>] = [
      Price.order { $0.sum }.select(\.id), Price.order(by: \.sum).select(\.id), Price.order { $0 }.select(\.id),
      Price.order { $0.sum.desc() }.select(\.id), Price.order { ($0.id, $0.sum) }.select(\.id),
      Price.order { $0.before }.select(\.id), Price.order { $0.old.asc(nulls: .last) }.select(\.id),
      Price.order { RowValue($0.id, $0.price) }.select(\.id),
      Price.order { RowValue($0.price, $0.id).desc() }.select(\.id),
      Price.as(Other.self).order { $0.sum }.select { $0.id },
      Price.leftJoin(Price.as(Other.self).all) { $0.id.eq($1.id) }.order { $1 }.select { price, _ in price.id },
      Price.where { RowValue($0.price, $0.id) < RowValue($0.price, $0.id) }.select(\.id),
      Price.where { RowValue($0.id, $0.price) >= (1, Self.nine) }.select(\.id),
      Price.where { $0.sum < Self.sum }.select(\.id), Price.where { $0.sum.lte($0.sum) }.select(\.id),
      Price.where { $0.before.gt(Self.sum) }.select(\.id),
      Price.where { $0.sum.between(Self.sum, and: Self.sum) }.select(\.id),
      Price.where { $0 > Self.price }.select(\.id),
      Price.where { $0.price.between(#bind(1), and: #bind(9)) }.select(\.id),
      Price.where { $0.price.lt(#sql("'9'")) }.select(\.id),
      Price.where { Case().when($0.id.eq(1), then: $0.price).else($0.price) < 9 }.select(\.id),
      Price.where { ($0.old ?? $0.price) < 9 }.select(\.id),
      Price.select { $0.id.sum().over(.order(by: $0.sum)) ?? 0 },
      Price.select { _ in rank().over(.order(by: RowValue(Price.columns.id, Price.columns.price))) },
      Price.select { $0.id.groupConcat(order: $0.price).length() ?? 0 },
      Price.page(after: Self.price, size: 2) { $0.price }.select(\.id),
    ]
    for query in queries {
      #expect(query.built.failure?.description.contains("texts do not sort as numbers do") == true, "\(query)")
    }
    let writes: [any Statement] = [
      Price.delete().order { $0.sum }.limit(1), Price.update { $0.id += 1 }.order { $0.price }.limit(1),
      Price.insert {
        Self.price
      } onConflictDoUpdate: {
        $0.sum = $1.sum
      } where: {
        $0.sum < $1.sum
      },
      Price.select(\.price).union(Price.select(\.price)).order(byColumn: 1),
      Price.select { ($0.id, $0.price) }.union(Price.select { ($0.id, $0.price) }).order(byColumn: 2, descending: true),
      Price.all.union(Price.all).order(byColumn: 3), Price.all.union(Price.all).order { Price.columns.sum },
      Price.createTemporaryTrigger(
        after: .update {
          Price.find($1.id).update { $0.id += 1 }
        } when: {
          $0.sum > $1.sum
        }),
    ]
    for write in writes {
      #expect(Self.words(write).contains("texts do not sort as numbers do"), "\(write)")
    }
  }

  @Test func `a text of a decimal has no sum, no sign and no magnitude in SQL`() throws {
    let queries: [any Statement] = [
      Price.select { $0.price.sum() }, Price.select { $0.old.sum(distinct: true) }, Price.select { $0.price.abs() },
      Price.select { $0.price.sign() }, Price.where { $0.price.abs().eq(Self.nine) },
      Price.group(by: \.id).having { $0.price.sum().eq(Self.nine) }, Price.select { $0.price.sum().over() },
      Price.select { $0.old.sum(filter: $0.id > 1) ?? Self.nine },
    ]
    for query in queries {
      #expect(query.built.failure?.description.contains("does not calculate with") == true, "\(query)")
    }
    let database = try DatabaseQueue()
    try database.write { db in
      try Price.createTable().execute(db)
      try Price.insert { Self.price }.execute(db)
      #expect(try Price.select { $0.price.avg() }.fetchOne(db) == 9)
      #expect(try Price.select { $0.price.cast(as: Double.self).sum() }.fetchOne(db) == 9)
    }
  }

  @Test func `what is not sorted is compared with eq, beside columns that are sorted, and stands in indexes`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try Price.createTable { t in t.unique { ($0.price, $0.id) } }.execute(db)
      try Price.createIndex(on: \.price).execute(db)
      try Price.createIndex { ($0.price.desc(), $0.id) }.execute(db)
      try Price.insert { Self.price }.execute(db)
      let both = Price.select { ($0.id, $0.price) }.union(Price.select { ($0.id, $0.price) }).order(byColumn: 1)
      #expect(try both.fetchAll(db).map { $0.0 } == [1])
      #expect(try Price.all.union(Price.all).order(byColumn: 1).fetchAll(db) == [Self.price])
      let found = Price.where {
        $0.sum.eq(Self.sum) && RowValue($0.price, $0.id).in([(Self.nine, 1)]) && $0.sum.currency < "F"
      }
      .order { ($0.sum.currency, $0.price.cast(as: Double.self)) }.select(\.price)
      #expect(try found.fetchAll(db) == [9])
    }
  }

  @Test func `a representation says that it does not sort as it is stored, and so does what is made of it`() {
    let queries: [any Statement<Int>] = [
      Shelf.order(by: \.place).select(\.id), Shelf.where { $0.place < Padded(number: 9) }.select(\.id),
      Shelf.where { $0.place.in(Padded(number: 1)...Padded(number: 9)) }.select(\.id),
      Shelf.where { (Padded(number: 1)..<Padded(number: 9)).contains($0.place) }.select(\.id),
      Shelf.where { (Padded(number: 1)...Padded(number: 9)).contains($0.place) }.select(\.id),
      Shelf.order { $0.rank }.select(\.id), Shelf.order { $0 }.select(\.id),
      Price.order(by: \.number).select(\.id), Price.where { $0.number > 9 }.select(\.id),
    ]
    for query in queries {
      #expect(query.built.failure?.description.contains("does not sort as its values do") == true, "\(query)")
    }
  }

  @Test func `dates before the year 0 are not compared by order as texts, and as Julian days are`() throws {
    let old = Date(timeIntervalSince1970: -62_167_219_200 - 86_400)
    for query in [
      Moment.where { $0.text < old }, Moment.where { $0.text.between(old, and: .distantPast) },
      Moment.where { $0.text.in(old...) }, Moment.where { RowValue($0.id, $0.text) > (1, old) },
      Moment.where { (old...Date.distantPast).contains($0.text) },
    ] {
      #expect(Self.words(query).contains("before the year 0"), "\(query)")
    }
    let years = (-3...3).map { Date(timeIntervalSince1970: -62_167_219_200 + Double($0) * 400 * 86_400) }
    let database = try DatabaseQueue()
    try database.write { db in
      try Moment.createTable().execute(db)
      // As texts such dates are not stored: a column of them would be sorted as texts.
      #expect(throws: QueryBindingFailure.self) {
        try Moment.insert { Moment(id: 9, text: old, unix: old, julian: old) }.execute(db)
      }
      #expect(Self.words(Moment.where { $0.text.eq(old) }).contains("before the year 0"))
      try Moment.insert {
        years.enumerated().map { Moment(id: $0, text: max($1, years[3]), unix: $1, julian: $1) }
      }.execute(db)
      #expect(try Moment.order(by: \.julian).select(\.id).fetchAll(db) == Array(0...6))
      #expect(try Moment.order(by: \.unix).select(\.id).fetchAll(db) == Array(0...6))
      #expect(try Moment.where { $0.julian < years[2] }.select(\.id).fetchAll(db) == [0, 1])
      #expect(try Moment.where { $0.text > years[3] }.select(\.id).fetchAll(db) == Array(4...6))
      #expect(try Moment.select(\.julian).order(by: \.id).fetchAll(db) == years)
    }
  }

  @Test func `a date is compared by what its representation keeps: whole seconds, or milliseconds`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try Moment.createTable().execute(db)
      for id in 0..<500 {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(id) * 1.000_123_7)
        let kept = Moment(id: id, text: date, unix: date, julian: date)
        try Moment.insert { kept }.execute(db)
        let read = try #require(try Moment.find(id).fetchOne(db))
        // Of the written date and of the read one the same rows are found.
        for moment in [kept, read] {
          let equal = Moment.find(id).where {
            $0.text.eq(moment.text) && $0.unix.eq(moment.unix) && $0.julian.eq(moment.julian)
          }
          let within = Moment.find(id).where {
            $0.text >= moment.text && $0.unix <= moment.unix && $0.julian.between(moment.julian, and: moment.julian)
          }
          let outside = Moment.find(id).where {
            $0.text < moment.text || $0.unix > moment.unix || $0.julian < moment.julian || $0.julian > moment.julian
          }
          #expect(try equal.fetchCount(db) == 1 && within.fetchCount(db) == 1 && outside.fetchCount(db) == 0, "\(date)")
        }
        let bySQLite = Moment.find(id).where { $0.julian.cast(as: Double.self).eq($0.text.julianDay) }
        #expect(try bySQLite.fetchCount(db) == 1, "\(date)")
      }
    }
  }
}
