/// The declarations of `docs/COMPATIBILITY.md` in the spelling of its rows: columns of every kind, drafts, enums, ids
/// of their own type, views, triggers and functions.
import Foundation
import Martlet
import Testing

extension Spelling {
  enum Size: Int { case small = 1, large }
  enum Level: String, QueryBindable { case low, high }

  /// A type of the program with a representation that it wrote itself.
  struct Meters: QueryRepresentable, QueryBindable, Equatable {
    var length: Int

    init(length: Int) { self.length = length }
    init(decoder: inout some QueryDecoder) throws { length = try Int(decoder: &decoder) }
    var queryBinding: QueryBinding { length.queryBinding }
  }

  /// One that is made of a text.
  struct Word: LosslessStringConvertible, QueryBindable, Equatable {
    let description: String
    init(_ description: String) { self.description = description }
  }

  @Table("stored_things", schema: "main") struct Thing: Equatable {
    let id: Int
    @Column("is_completed") var isCompleted = false
    @Column(as: Date.JulianDayRepresentation.self) var soldAt = Date(timeIntervalSince1970: 86400)
    @Column(as: UUID.UppercasedRepresentation.self) var upper = UUID(1)
    @Column(as: UUID.BytesRepresentation.self) var bytes = UUID(2)
    @Column(as: Size.RawRepresentation.self) var size = Size.large
    var level = Level.high
    var width = Meters(length: 3)
    var word = Word("w")
    @Column(generated: .virtual) var doubled: Int
    @Column(generated: .stored) var shouted: String
    @Ephemeral var isSelected = false
  }

  @Table struct Scalars: Equatable {
    let id: Int
    var bool = true
    var int8: Int8 = -8
    var int16: Int16 = -16
    var int32: Int32 = -32
    var int64: Int64 = -64
    var uint8: UInt8 = 8
    var uint16: UInt16 = 16
    var uint32: UInt32 = 32
    var uint64: UInt64 = 64
    var float: Float = 0.5
    var double = 0.25
    var string = "s"
    var data = Data([1, 2])
    var array: [UInt8] = [3, 4]
    var date = Date(timeIntervalSince1970: 1)
    var uuid = UUID(3)
    var url = URL(string: "https://a.example")!
  }

  /// As the package of that name declares it.
  struct Tagged<Tag, RawValue>: RawRepresentable {
    var rawValue: RawValue
    init(rawValue: RawValue) { self.rawValue = rawValue }
  }

  @Table struct Ticket {
    typealias ID = Tagged<Self, Int>

    let id: ID
    var title = ""
    var parentID: ID?
  }

  /// Keys of its JSON that are the names of its columns.
  @Table struct Letter: Codable, Equatable {
    let id: Int
    @Column("sent_to") var receiver: String

    enum CodingKeys: String, CodingKey {
      case id
      case receiver = "sent_to"
    }
  }

  @Table struct Attachment {
    let id: Int
    var kind: Kind

    @CasePathable @Selection enum Kind {
      case link(URL)
      case note(String)
    }
  }

  @Selection struct Total {
    let title: String
    let count: Int
  }

  @Table struct OpenTitle {
    let title: String
  }
}

extension UUID {
  fileprivate init(_ number: UInt8) { self.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAB, number)) }
}

// What a user of that package writes, once for all ids.
extension Spelling.Tagged: QueryExpression, QueryDecodable, QueryRepresentable, QueryBindable
where RawValue: QueryBindable {}
extension Spelling.Tagged: Equatable where RawValue: Equatable {}
extension Spelling.Tagged: Sendable where RawValue: Sendable {}

@DatabaseFunction("surrounded", isDeterministic: true)
func surround(_ text: String, by mark: String = "*") -> String { mark + text + mark }

@DatabaseFunction(as: (([String].JSONRepresentation) -> Int).self)
func tagCount(_ tags: [String]) -> Int { tags.count }

@Suite struct SchemaSpellingTests {
  typealias Item = Spelling.Item

  @Test(arguments: DatabaseHome.allCases)
  func `columns of every kind come back as they were written`(_ home: DatabaseHome) throws {
    typealias Thing = Spelling.Thing
    let script = """
      CREATE TABLE "stored_things" ("id" INTEGER PRIMARY KEY, "is_completed" INTEGER, "soldAt" REAL, "upper" TEXT,
      "bytes" BLOB, "size" INTEGER, "level" TEXT, "width" INTEGER, "word" TEXT, "doubled" INTEGER AS ("width" * 2)
      VIRTUAL, "shouted" TEXT AS (upper("word")) STORED) STRICT
      """
    try home.open(script).write { db in
      try Thing.insert { Thing.Draft() }.execute(db)
      let found = try #require(try Thing.find(1).where { !$0.isCompleted }.fetchOne(db))
      #expect(found == Thing(id: 1, doubled: 6, shouted: "W"))
      let upper = #sql("SELECT \(Thing.columns.upper) FROM \(Thing.self)", as: String.self)
      same(try upper.fetchOne(db), UUID(1).uuidString)
      let size = #sql("SELECT \(Thing.columns.size) + length(\(Thing.columns.bytes)) FROM \(Thing.self)", as: Int.self)
      same(try size.fetchOne(db), 18)
      same(try Thing.where { $0.level.eq(.high) && $0.size.eq(#bind(.large)) }.fetchCount(db), 1)
      var draft = Thing.Draft(found)
      draft.isCompleted = true
      try Thing.upsert { draft }.execute(db)
      same(try Thing.Draft.find(1).fetchOne(db)?.isCompleted, true)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `every scalar is a column`(_ home: DatabaseHome) throws {
    typealias Scalars = Spelling.Scalars
    try home.empty().write { db in
      try Scalars.createTable().execute(db)
      try Scalars.insert { Scalars.Draft() }.execute(db)
      #expect(try Scalars.all.fetchAll(db) == [Scalars(id: 1)])
      #expect(throws: (any Error).self) { try Scalars.update { $0.uint64 = .max }.execute(db) }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an id of its own type needs one line for all tables`(_ home: DatabaseHome) throws {
    typealias Ticket = Spelling.Ticket
    try home.empty().write { db in
      try Ticket.createTable().execute(db)
      try Ticket.insert { Ticket(id: Ticket.ID(rawValue: 7), title: "Seven") }.execute(db)
      try Ticket.insert { Ticket.Draft(title: "Eight", parentID: Ticket.ID(rawValue: 7)) }.execute(db)
      let ids = try Ticket.order(by: \.id).select(\.id).fetchAll(db)
      same(ids.map(\.rawValue), [7, 8])
      same(try Ticket.find(Ticket.ID(rawValue: 8)).select(\.title).fetchAll(db), ["Eight"])
      same(try Ticket.where { $0.parentID.eq(Ticket.ID(rawValue: 7)) }.select(\.title).fetchAll(db), ["Eight"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `names of columns and of coding keys are written side by side`(_ home: DatabaseHome) throws {
    typealias Letter = Spelling.Letter
    try home.empty().write { db in
      try Letter.createTable().execute(db)
      try Letter.insert { Letter(id: 1, receiver: "Blob") }.execute(db)
      let raw = #sql("SELECT sent_to FROM letters", as: String.self)
      same(try raw.fetchOne(db), "Blob")
      let json = try #require(try Letter.select { $0.jsonObject() }.fetchOne(db))
      #expect(json == Letter(id: 1, receiver: "Blob"))
      let text = try JSONDecoder().decode(Letter.self, from: Data(#"{"id":1,"sent_to":"Blob"}"#.utf8))
      #expect(text == json)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an enum's case is set as a whole or by its value`(_ home: DatabaseHome) throws {
    typealias Attachment = Spelling.Attachment
    try home.empty().write { db in
      try Attachment.createTable().execute(db)
      try Attachment.insert { Attachment.Draft(kind: .note("a")) }.execute(db)
      let notes = Attachment.where { $0.kind.is(\.note) && $0.kind.link.is(nil) }.select(\.kind.note)
      same(try notes.fetchAll(db), ["a"])
      try Attachment.update { $0.kind = .note("b") }.execute(db)
      same(try notes.fetchAll(db), ["b"])
      try Attachment.update { $0.kind.note = #bind("c") }.execute(db)
      same(try notes.fetchAll(db), ["c"])
      try Attachment.update { $0.kind = .link(URL(string: "https://a.example")!) }.execute(db)
      same(try Attachment.where { $0.kind.isNot(\.note) }.fetchCount(db), 1)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a selection's columns have two names`(_ home: DatabaseHome) throws {
    typealias Total = Spelling.Total
    try home.open(Spelling.script).read { db in
      let columns = Item.group(by: \.id).order(by: \.id).select { Total.Columns(title: $0.title, count: $0.count()) }
      let selection = Item.group(by: \.id).order(by: \.id).select {
        Total.Selection(title: $0.title, count: $0.count())
      }
      #expect(columns.sql == selection.sql)
      same(try columns.fetchAll(db).map(\.title), ["Milk 100%", "bread"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `temporary views and triggers in their spelling`(_ home: DatabaseHome) throws {
    typealias Title = Spelling.OpenTitle
    let view = Title.createTemporaryView(
      ifNotExists: true, as: Item.where(\.isOpen).select { Title.Columns(title: $0.title) })
    let closing = Item.createTemporaryTrigger(
      "closing", ifNotExists: true,
      after: .update(of: { ($0.price, $0.ratio) }) { old, new in
        Item.find(new.id).update { $0.note = #bind("changed") }
        Item.find(new.id).update { $0.isOpen = false }
      } when: { old, new in
        old.price.neq(new.price)
      })
    let database = try home.open(Spelling.script) { db in
      try view.execute(db)
      try closing.execute(db)
    }
    try database.write { db in
      same(try Title.all.fetchAll(db).map(\.title), ["Milk 100%"])
      try Item.find(1).update { $0.price += 1 }.execute(db)
      same(try Item.find(1).fetchOne(db)?.note, "changed")
      same(try Title.fetchCount(db), 0)
    }
    guard home == .embedded else { return }
    try database.write { db in
      try closing.drop().execute(db)
      try view.drop(ifExists: true).execute(db)
      #expect(throws: (any Error).self) { try Title.fetchCount(db) }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `triggers write the moment of a change`(_ home: DatabaseHome) throws {
    let database = try home.open(Spelling.script) { db in
      try Item.createTemporaryTrigger(after: .update(touch: \.madeAt)).execute(db)
      try Item.createTemporaryTrigger(after: .insert(touch: { $0.note = #bind("new") })).execute(db)
      try Item.createTemporaryTrigger(
        "closed",
        before: .delete { old in
          Item.find(old.id + 1).update { $0.note = #bind("last") }
        }
      ).execute(db)
    }
    try database.write { db in
      try Item.find(2).update { $0.price += 1 }.execute(db)
      same(try Item.where { $0.madeAt > .now(.days(-1)) }.select(\.id).fetchAll(db), [2])
      var draft = Item.Draft(try #require(try Item.find(2).fetchOne(db)))
      draft.id = nil
      try Item.insert { draft }.execute(db)
      same(try Item.find(3).fetchOne(db)?.note, "new")
      try Item.find(1).delete().execute(db)
      same(try Item.find(2).fetchOne(db)?.note, "last")
    }
  }

  @Test func `functions are added, called with their defaults, and removed`() throws {
    try DatabaseHome.embedded.open(Spelling.script).write { db in
      db.add(function: $surround)
      db.add(function: $tagCount)
      same(try Item.find(1).select { $surround($0.title) }.fetchOne(db), "*Milk 100%*")
      same(try Item.find(1).select { $surround($0.title, by: "-") }.fetchOne(db), "-Milk 100%-")
      same(try Item.where { $tagCount($0.tags) > 1 }.select(\.id).fetchAll(db), [1])
      db.remove(function: $surround)
      #expect(throws: (any Error).self) { try Item.select { $surround($0.title) }.fetchAll(db) }
    }
  }
}
