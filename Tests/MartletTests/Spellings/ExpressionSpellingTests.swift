/// The expressions of `docs/COMPATIBILITY.md` in the spelling of its rows, each as a condition that a row fulfils.
///
/// Always true: every condition is asked of a database of this process and of a server.
import Foundation
import Martlet
import MartletValues
import Testing

enum Spelling {
  @Table struct Item {
    let id: Int
    var title = ""
    var price = 0
    var ratio = 0.0
    var amount: Int?
    var note: String?
    var isOpen = false
    var madeAt: Date
    @Column(as: Date.UnixTimeRepresentation.self) var seenAt: Date
    @Column(as: Date.JulianDayRepresentation.self) var soldAt: Date
    @Column(as: Author.JSONRepresentation.self) var author: Author
    @Column(as: [String].JSONRepresentation.self) var tags: [String]
  }

  @Table struct Author: Codable, Equatable {
    var name: String
    @Column(as: [Link].JSONRepresentation.self) var links: [Link]
  }

  @Table struct Link: Codable, Equatable {
    var title: String
    var homepage: URL
  }

  @Table struct ItemText: FTS5 {
    let rowid: Int
    let title: String
    let body: String
  }

  enum Other: AliasName {}

  /// Item 1 is the one that conditions are about; 2 lacks what may be missing.
  static let script = """
    CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "price" INTEGER NOT NULL, "ratio" REAL NOT
    NULL, "amount" INTEGER, "note" TEXT, "isOpen" INTEGER NOT NULL, "madeAt" TEXT NOT NULL, "seenAt" INTEGER NOT NULL,
    "soldAt" REAL NOT NULL, "author" TEXT NOT NULL, "tags" TEXT NOT NULL) STRICT;
    INSERT INTO "items" VALUES (1, 'Milk 100%', 10, -2.5, 4, 'fresh', 1, '2001-02-03 04:05:06.789', 981173106,
    2451943.5, '{"name":"Blob","links":[{"title":"Home","homepage":"https://a.example"}]}', '["swift","sql"]');
    INSERT INTO "items" VALUES (2, 'bread', 3, 0.5, NULL, NULL, 0, '2001-02-04 00:00:00.000', 981173107, 2451944.5,
    '{"name":"Ada","links":[]}', '[]');
    CREATE VIRTUAL TABLE "itemTexts" USING fts5("title", "body");
    INSERT INTO "itemTexts" ("title", "body") VALUES ('Milk', 'from oats'), ('Oats', 'for milk and more milk');
    """

  typealias Condition = @Sendable (Item.TableColumns) -> SQLQueryExpression<Bool>
}

@Suite struct ExpressionSpellingTests {
  typealias Item = Spelling.Item
  typealias Condition = Spelling.Condition

  /// Rows 50 to 55.
  static let comparisons: [Condition] = [
    { $0.price.eq(10) }, { $0.price.neq($0.id) }, { $0.title.neq("x") },
    { $0.note.isNot(nil) }, { $0.amount.is(4) }, { $0.amount.is($0.price - 6) }, { $0.note.isNot($0.title) },
    { $0.price < 11 && $0.price <= 10 }, { $0.price > $0.id || $0.isOpen }, { $0.price >= 10 },
    { $0.price.lt(11) }, { $0.price.lte(10) }, { $0.price.gt($0.id) }, { $0.price.gte(10) },
    { $0.isOpen.and($0.price.eq(10)) }, { $0.isOpen.or($0.price.eq(11)) }, { $0.isOpen.not().not() },
    { !($0.price.eq(11)) }, { $0.isOpen.isTrue() },
    { ($0.price + 1 - 2 * $0.id).eq(9) }, { ($0.price / 4).eq(2) }, { ($0.price % 4).eq(2) },
    { (-$0.price).eq(-10) }, { (+$0.price).eq(10) },
  ]

  /// Rows 56 to 61.
  static let operators: [Condition] = [
    { ($0.price & 2).eq(2) }, { ($0.price | 1).eq(11) }, { ($0.price << 1).eq(20) }, { ($0.price >> 1).eq(5) },
    { (~$0.price).eq(-11) },
    { ($0.title + "!").eq("Milk 100%!") }, { $0.title.like("Milk%") }, { $0.title.like("%100\\%", escape: "\\") },
    { $0.title.glob("M*") }, { $0.title.collate(.nocase).eq("MILK 100%") },
    { $0.title.collate(.binary).eq("Milk 100%") }, { $0.title.collate(.rtrim).eq("Milk 100%  ") },
    { $0.title.collate(Collation(rawValue: "NOCASE")).eq("milk 100%") },
    { $0.title.contains("100%") }, { $0.title.hasPrefix("Milk") }, { $0.title.hasSuffix("%") },
    { $0.id.in([1, 2]) }, { $0.id.notIn([2, 3]) }, { !$0.id.in([2]) }, { !$0.id.in([]) },
    { $0.id.in(Item.where { $0.isOpen }.select(\.id)) }, { $0.id.notIn(Item.where { !$0.isOpen }.select(\.id)) },
    { $0.price.between(1, and: 10) }, { (10...100).contains($0.price) }, { [1, 2].contains($0.id) },
    { _ in Item.where { $0.isOpen }.exists() }, { _ in Item.exists() },
  ]

  /// Rows 62 to 70.
  static let functions: [Condition] = [
    { $0.title.length().eq(9) }, { $0.title.upper().eq("MILK 100%") }, { $0.title.lower().eq("milk 100%") },
    { $0.title.trim("%").eq("Milk 100") }, { $0.title.ltrim("M").eq("ilk 100%") },
    { $0.title.rtrim("%").eq("Milk 100") },
    { $0.title.trim().eq("Milk 100%") }, { $0.title.substr(1, 4).eq("Milk") }, { $0.title.substr(6).eq("100%") },
    { $0.title.replace("Milk", "Salt").eq("Salt 100%") }, { $0.title.instr("100").eq(6) },
    { $0.title.quote().eq("'Milk 100%'") }, { $0.title.substr(1, 1).hex().eq("4D") }, { $0.title.unicode().eq(77) },
    { $0.ratio.round().eq(-3) }, { $0.ratio.round(1).eq(-2.5) }, { $0.ratio.abs().eq(2.5) }, { $0.ratio.sign().eq(-1) },
    { $0.price.randomblob().length().eq(10) }, { $0.price.zeroblob().length().eq(10) },
    { ($0.note ?? "none").eq("fresh") }, { ($0.amount ?? $0.price).eq(4) }, { $0.note.ifnull("none").eq("fresh") },
    { $0.price.nullif(10).is(nil) },
    { $0.amount.map { $0 + 1 }.is(5) },
    { Case($0.price).when(10, then: "a").else("b").eq("a") }, { Case().when($0.isOpen, then: 1).is(1) },
    { $0.price.cast(as: Double.self).eq(10) },
    { $0.isOpen.likelihood(0.1) }, { $0.isOpen.likely() }, { $0.isOpen.unlikely() }, { $0.rowid.eq(1) },
  ]

  /// Rows 146 to 147.
  static let documents: [Condition] = [
    { $0.author.jsonExtract(\.links[0].homepage).is(URL(string: "https://a.example")!) },
    { $0.author.jsonArrayLength(\.links).is(1) }, { $0.author.jsonSet(\.name, "x").jsonExtract(\.name).is("x") },
    { $0.author.jsonInsert(\.name, "x").jsonExtract(\.name).is("Blob") },
    { $0.author.jsonReplace(\.name, "x").jsonExtract(\.name).is("x") },
    { $0.author.jsonRemove(\.links[0]).jsonArrayLength(\.links).is(0) },
    { $0.tags.jsonAppend(\.self, "c").jsonArrayLength().is(3) }, { $0.author[\.name].is("Blob") },
    { $0.author.jsonPatch(["name": "x"]).jsonExtract(\.name).is("x") },
    { $0.author.jsonMember(\.name).is("Blob") }, { $0.author.jsonMemberValue(\.name).is("Blob") },
    { $0.tags.jsonEach().where { $0.value.eq("sql") }.exists() },
    { $0.author.jsonEach(\.links).exists() },
  ]

  /// Rows 153 to 157.
  static let dates: [Condition] = [
    { $0.madeAt < .now }, { $0.madeAt < .now(.days(-7)) }, { $0.seenAt < .now(.days(-7)) },
    { $0.soldAt < .now(.days(-7)) },
    { $0.madeAt(.startOfDay.days(-7)).day.is(27) }, { $0.madeAt(.startOfMonth.months(1).days(-1)).day.is(28) },
    { $0.madeAt(.startOfYear.years(1)).year.is(2002) }, { $0.madeAt(.hours(1).minutes(2)).minute.is(7) },
    { $0.madeAt(.seconds(-6)).second.is(0) }, { $0.madeAt(.milliseconds(211)).second.is(7) },
    { $0.madeAt(.weekday(0)).weekday.is(0) },
    { $0.madeAt.year.is(2001) }, { $0.madeAt.month.is(2) }, { $0.madeAt.day.is(3) }, { $0.madeAt.hour.is(4) },
    { $0.madeAt.minute.is(5) }, { $0.madeAt.second.is(6) }, { $0.madeAt.fractionalSecond > 6.7 },
    { $0.madeAt.weekday.is(6) }, { $0.madeAt.dayOfYear.is(34) }, { $0.madeAt.strftime("%Y-%m").is("2001-02") },
    { $0.seenAt.year.is(2001) }, { $0.soldAt.day.is(3) },
  ]

  @Test(arguments: DatabaseHome.allCases)
  func `every spelling of an expression is a condition that a row fulfils`(_ home: DatabaseHome) throws {
    let database = try home.open(Spelling.script)
    let groups = [Self.comparisons, Self.operators, Self.functions, Self.documents, Self.dates]
    try database.read { db in
      for condition in groups.joined() {
        let query = Item.find(1).where { condition($0) }
        let count = try query.fetchCount(db)
        #expect(count == 1, "\(query)")
      }
    }
  }

  /// What needs a later SQLite than 3.40, with the version that has it.
  static let later: [(version: [Int], condition: Condition)] = [
    ([3, 43], { $0.title.octetLength().eq(9) }), ([3, 41], { $0.title.hex().unhex().isNot(nil) }),
    ([3, 45], { $0.author.jsonbExtract(\.name).is("Blob") }),
    ([3, 45], { $0.author.jsonbSet(\.name, "x").jsonExtract(\.name).is("x") }),
    ([3, 45], { $0.author.jsonbInsert(\.name, "x").jsonExtract(\.name).is("Blob") }),
    ([3, 45], { $0.author.jsonbReplace(\.name, "x").jsonExtract(\.name).is("x") }),
    ([3, 45], { $0.author.jsonbRemove(\.links[0]).jsonArrayLength(\.links).is(0) }),
    ([3, 45], { $0.tags.jsonbAppend(\.self, "c").jsonArrayLength().is(3) }),
    ([3, 46], { $0.madeAt(.months(1, .floor)).month.is(3) }),
    ([3, 51], { $0.tags.jsonbEach().exists() }),
    ([3, 53], { $0.tags.jsonArrayInsert(\.[0], "c").jsonArrayLength().is(3) }),
  ]

  @Test(arguments: DatabaseHome.allCases)
  func `what needs a later SQLite is refused with its version`(_ home: DatabaseHome) throws {
    try home.open(Spelling.script).read { db in
      let text = try #require(try #sql("SELECT sqlite_version()", as: String.self).fetchOne(db))
      let installed = text.split(separator: ".").compactMap { Int($0) }
      for (version, condition) in Self.later {
        let query = Item.find(1).where { condition($0) }
        if version.lexicographicallyPrecedes(installed) {
          let count = try query.fetchCount(db)
          #expect(count == 1, "\(query)")
        } else {
          let error = #expect(throws: RequestError.self, "\(query)") { try query.fetchCount(db) }
          #expect(error?.message.contains("\(version[0]).\(version[1])") == true, "\(query)")
        }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `aggregates and their orders`(_ home: DatabaseHome) throws {
    try home.open(Spelling.script).read { db in
      let sums = Item.select {
        ($0.price.sum(distinct: true), $0.price.sum(filter: $0.isOpen), $0.price.avg(distinct: true, filter: $0.isOpen))
      }
      let totals = Item.select {
        ($0.price.total(), $0.price.total(distinct: true), $0.price.total(filter: $0.isOpen))
      }
      let bounds = Item.select { ($0.price.min(filter: $0.isOpen), $0.price.max(filter: !$0.isOpen)) }
      let counts = Item.select { ($0.amount.count(distinct: true), $0.count(filter: $0.isOpen), $0.amount.count()) }
      let (a, b, c) = try #require(try sums.fetchOne(db))
      same([a, b], [13, 10])
      same(c, 10)
      let (d, e, f) = try #require(try totals.fetchOne(db))
      same([d, e, f], [13, 13, 10])
      let (low, high) = try #require(try bounds.fetchOne(db))
      same([low, high], [10, 3])
      let (g, h, i) = try #require(try counts.fetchOne(db))
      same([g, h, i], [1, 1, 1])
      let texts = Item.select {
        (
          $0.title.groupConcat(", ", order: $0.title, filter: $0.isOpen),
          $0.title.groupConcat(distinct: true, filter: $0.isOpen)
        )
      }
      let (text, distinct) = try #require(try texts.fetchOne(db))
      same([text, distinct], ["Milk 100%", "Milk 100%"])
      let arrays = Item.select {
        ($0.id.jsonGroupArray(order: $0.id.desc()), $0.id.jsonGroupArray(distinct: true, filter: $0.isOpen))
      }
      let (ordered, open) = try #require(try arrays.fetchOne(db))
      same([ordered, open], [[2, 1], [1]])
      for (order, expected) in [
        (Item.order { $0.amount.asc(nulls: .first) }, [2, 1]), (Item.order { $0.amount.asc(nulls: .last) }, [1, 2]),
        (Item.order { $0.amount.desc(nulls: .first) }, [2, 1]), (Item.order { $0.amount.desc(nulls: .last) }, [1, 2]),
      ] {
        same(try order.select(\.id).fetchAll(db), expected)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `texts are found in the order of their weights`(_ home: DatabaseHome) throws {
    typealias Text = Spelling.ItemText
    try home.open(Spelling.script).read { db in
      let milk = Text.where { $0.match("milk") }
      same(try milk.order(by: \.rank).select(\.rowid).fetchAll(db).count, 2)
      same(try milk.order { $0.bm25([\.title: 10]) }.select(\.rowid).fetchAll(db), [1, 2])
      same(try milk.order { $0.bm25() }.select { $0.title.highlight("<b>", "</b>") }.fetchAll(db).count, 2)
      same(
        try Text.where { $0.title.match("milk") }.select { $0.body.snippet("<b>", "</b>", "…", 64) }.fetchAll(db),
        ["from oats"])
    }
  }
}
