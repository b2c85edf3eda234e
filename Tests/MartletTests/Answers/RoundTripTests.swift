/// A value that is stored and read again is equal to what it was, in every representation and in documents.
import Foundation
import Martlet
import Testing

@Suite struct RoundTripTests {
  typealias Moment = Measures.Moment

  private static func moment(_ id: Int, _ random: inout SystemRandomNumberGenerator) -> Moment {
    // Whole milliseconds of ten years, and of all that a text can name.
    let near = Int64.random(in: 600_000_000_000...900_000_000_000, using: &random)
    let far = Int64.random(in: -62_000_000_000_000...250_000_000_000_000, using: &random)
    let date = Date(timeIntervalSinceReferenceDate: Double(id % 2 == 0 ? near : far) / 1000)
    let seconds = Date(timeIntervalSinceReferenceDate: Double(near / 1000))
    let reals = [Double.greatestFiniteMagnitude, -.leastNonzeroMagnitude, 0.1 + 0.2, .pi, .random(in: -1e9...1e9)]
    let real = reals[id % 5]
    let amount = Decimal(Int64.random(in: -999_999_999_999...999_999_999_999, using: &random)) / 1000
    let exact = Decimal(string: "1234567890123456789012345.\(id)") ?? 0
    let uuid = UUID()
    return Moment(
      id: id, text: date, unix: seconds, julian: Date(timeIntervalSinceReferenceDate: Double(near) / 1000), real: real,
      amount: amount, exact: exact, length: .nanoseconds(Int64.random(in: 0...8_000_000_000_000_000, using: &random)),
      document: .init(
        date: date, unix: seconds, julian: date, bytes: uuid, upper: uuid, uuid: uuid,
        exact: Decimal(id) + Decimal(string: "0.125")!, real: real))
  }

  @Test(arguments: DatabaseHome.allCases)
  func `values are equal after they were stored`(_ home: DatabaseHome) throws {
    var random = SystemRandomNumberGenerator()
    let moments = (1...2000).map { Self.moment($0, &random) }
    try home.open(Measures.script).write { db in
      try Moment.insert { moments }.execute(db)
      let found = try Moment.order(by: \.id).fetchAll(db)
      same(found.count, moments.count)
      for (found, moment) in zip(found, moments) where found != moment {
        Issue.record("\(found) is not \(moment)")
        break
      }
      for moment in moments.prefix(50) {
        let equal = Moment.where {
          $0.text.eq(moment.text) && $0.unix.eq(moment.unix) && $0.julian.eq(moment.julian) && $0.real.eq(moment.real)
        }
        same(try equal.select(\.id).fetchAll(db), [moment.id])
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a member of a document is found by the value that it has`(_ home: DatabaseHome) throws {
    var random = SystemRandomNumberGenerator()
    let moments = (1...20).map { Self.moment($0, &random) }
    try home.open(Measures.script).write { db in
      try Moment.insert { moments }.execute(db)
      for moment in moments {
        let document = moment.document
        func ids(_ condition: (Moment.TableColumns) -> SQLQueryExpression<Bool>) throws -> [Int] {
          try Moment.where { condition($0) }.select(\.id).fetchAll(db)
        }
        same(try ids { $0.document.jsonExtract(\.date).eq(document.date) }, [moment.id])
        same(try ids { $0.document.jsonExtract(\.unix).eq(document.unix) }.contains(moment.id), true)
        same(try ids { $0.document.jsonExtract(\.upper).eq(document.upper) }, [moment.id])
        same(try ids { $0.document.jsonExtract(\.uuid).eq(document.uuid) }, [moment.id])
        same(try ids { $0.document.jsonExtract(\.exact).eq(document.exact) }, [moment.id])
        #expect(throws: QueryBindingFailure.self, "SQLite 3.40 makes no bytes of a text") {
          try ids { $0.document.jsonExtract(\.bytes).eq(document.bytes) }
        }
        let members = Moment.find(moment.id).select {
          ($0.document.jsonExtract(\.unix), $0.document.jsonExtract(\.upper), $0.document.jsonExtract(\.exact))
        }
        let found = try members.fetchOne(db)
        same(found?.0, document.unix)
        same(found?.1, document.upper)
        same(found?.2, document.exact)
        let bytes = Moment.find(moment.id).select { $0.document.jsonMember(\.bytes) }
        same(try bytes.fetchOne(db) ?? nil, document.bytes)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a property's type is that of the optional or the collection that it begins with`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Measures.Begun.createTable().execute(db)
      try Measures.Begun.insert { Measures.Begun.Draft() }.execute(db)
      same(try Measures.Begun.fetchAll(db), [Measures.Begun(id: 1)])
    }
  }

  @Test func `what cannot be told from something else is refused`() {
    let far = Date(timeIntervalSince1970: 1e15)
    for query in [
      Moment.where { $0.text.eq(far) }, Moment.where { $0.text.eq(Date(timeIntervalSince1970: .nan)) },
      Moment.where { $0.unix.eq(Date(timeIntervalSince1970: .infinity)) }, Moment.where { $0.real.eq(.nan) },
      Moment.where { $0.julian.eq(Date(timeIntervalSince1970: .nan)) },
      Moment.where { $0.length.eq(.seconds(9_000_000_000_000_000_000)) },
      Moment.where { $0.length.eq(.seconds(Int64.min)) },
    ] {
      #expect(query.built.failure != nil, "\(query)")
    }
    #expect(Moment.where { $0.real.eq(.infinity) }.built.failure == nil)
    #expect(Moment.where { $0.length.eq(.seconds(8_999_999_999_999_990_000)) }.built.failure == nil)
  }
}
