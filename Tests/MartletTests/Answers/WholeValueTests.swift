/// A group, a row and an enum are compared as one value, also if members of it are NULL.
import Foundation
import Martlet
import Testing

enum Wholes {
  @Table struct Parcel: Equatable {
    let id: Int
    var kind: Kind
    var size: Size
    var other: Kind?
  }

  @Selection enum Kind: Equatable {
    case letter(String)
    case box(Int)
    case crate(Crate)

    @Selection struct Crate: Equatable {
      var wood: String
      var nails: Int?
    }
  }

  @Selection struct Size: Equatable {
    var width: Int
    var depth: Int?
  }

  /// A key of which a part may be NULL.
  @Table struct Shelf: Equatable {
    @Selection struct ID: Hashable {
      var row: Int
      var bay: String?
    }
    let id: ID
    var label = ""
    var touched = 0
  }

  enum Other: AliasName {}

  static let script = """
    CREATE TABLE "parcels" ("id" INTEGER PRIMARY KEY, "letter" TEXT, "box" INTEGER, "wood" TEXT, "nails" INTEGER,
    "width" INTEGER NOT NULL, "depth" INTEGER, "letter:1" TEXT, "box:1" INTEGER, "wood:1" TEXT, "nails:1" INTEGER);
    INSERT INTO "parcels" VALUES (1, 'a', NULL, NULL, NULL, 1, NULL, 'a', NULL, NULL, NULL),
    (2, NULL, 7, NULL, NULL, 1, 2, NULL, NULL, NULL, NULL), (3, NULL, NULL, 'oak', NULL, 2, NULL, NULL, 7, NULL, NULL),
    (4, NULL, NULL, 'oak', 9, 2, 2, NULL, NULL, 'oak', 9);
    CREATE TABLE "shelfs" ("row" INTEGER NOT NULL, "bay" TEXT, "label" TEXT NOT NULL, "touched" INTEGER NOT NULL,
    PRIMARY KEY ("row", "bay"));
    INSERT INTO "shelfs" VALUES (1, NULL, 'open', 0), (1, 'x', 'closed', 0), (2, NULL, 'far', 0);
    """
}

@Suite struct WholeValueTests {
  typealias Parcel = Wholes.Parcel
  typealias Kind = Wholes.Kind
  typealias Size = Wholes.Size
  typealias Shelf = Wholes.Shelf

  private typealias Condition = (Parcel.TableColumns) -> SQLQueryExpression<Bool>

  @Test(arguments: DatabaseHome.allCases)
  func `a value that is never NULL is set, inserted and selected where it may be`(_ home: DatabaseHome) throws {
    try home.open(Wholes.script).write { db in
      let others = Parcel.order(by: \.id).select(\.other)
      try Parcel.where { $0.id < 3 }.update { $0.other = $0.kind }.execute(db)
      same(try others.limit(2).fetchAll(db), [.letter("a"), .box(7)])
      try Parcel.find(3).update { $0.other = Parcel.as(Wholes.Other.self).where { $0.id.eq(4) }.select(\.kind) }
        .execute(db)
      same(try others.limit(1, offset: 2).fetchAll(db), [.crate(Kind.Crate(wood: "oak", nails: 9))])
      let partner = Parcel.as(Wholes.Other.self).where { $0.id.eq(1) }
      try Parcel.update(from: partner) { row, other in
        row.other = other.kind
      } where: { row, _ in
        row.id.eq(4)
      }
      .execute(db)
      same(try Parcel.find(4).select(\.other).fetchAll(db), [.letter("a")])
      try Parcel.insert {
        ($0.size, $0.kind, $0.other)
      } select: {
        Parcel.find(2).select { ($0.size, $0.kind, $0.kind.asOptional()) }
      }.execute(db)
      same(
        try Parcel.find(5).fetchAll(db), [Parcel(id: 5, kind: .box(7), size: Size(width: 1, depth: 2), other: .box(7))])
      let both = Parcel.find(5).select { $0.kind.asOptional() }.union(Parcel.find(4).select(\.other))
      same(try both.fetchAll(db).count, 2)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row value is one of the rows of a literal, also if a column may be NULL`(_ home: DatabaseHome) throws {
    try home.open(Wholes.script).read { db in
      let parcels = Parcel.order(by: \.id).select(\.id)
      let literal = parcels.where { RowValue($0.size.depth, $0.id).in([(2, 2), (2, 3), (nil, 1)]) }
      same(try literal.fetchAll(db), [2])
      same(try parcels.where { RowValue($0.size.depth, $0.id).notIn([(2, 2)]) }.fetchAll(db), [1, 3, 4])
      let pairs = [1: 1, 2: 3]
      same(try parcels.where { RowValue($0.size.width, $0.id).in(pairs.lazy.map { ($0, $1) }) }.fetchAll(db), [1, 3])
      same(try parcels.where { RowValue($0.size.width, $0.id).in([]) }.fetchAll(db), [])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an enum is equal to a value of it`(_ home: DatabaseHome) throws {
    let oak = Kind.crate(.init(wood: "oak", nails: nil))
    let nailed = Kind.crate(.init(wood: "oak", nails: 9))
    let many = (0..<20).map(Kind.box) + [oak]
    let conditions: [(Condition, [Int])] = [
      ({ $0.kind.eq(.letter("a")) }, [1]), ({ $0.kind.eq(.letter("b")) }, []), ({ $0.kind.eq(.box(7)) }, [2]),
      ({ $0.kind.eq(oak) }, [3]), ({ $0.kind.eq(nailed) }, [4]), ({ $0.kind.is(oak) }, [3]),
      ({ $0.kind.neq(.letter("a")) }, [2, 3, 4]), ({ $0.kind.neq(oak) }, [1, 2, 4]),
      ({ !$0.kind.eq(.box(7)) }, [1, 3, 4]), ({ !$0.kind.neq(.box(7)) }, [2]),
      ({ $0.kind.in([.letter("a"), oak]) }, [1, 3]), ({ $0.kind.notIn([.letter("a"), oak]) }, [2, 4]),
      ({ $0.kind.in(many) }, [2, 3]), ({ $0.kind.notIn(many) }, [1, 4]), ({ $0.kind.in([Kind]()) }, []),
      ({ $0.kind.notIn([Kind]()) }, [1, 2, 3, 4]), ({ !$0.kind.in(many) }, [1, 4]),
      ({ $0.kind.eq(Kind.Columns.box($0.size.width + 6)) }, [2]),
      ({ $0.other.eq(.letter("a")) }, [1]), ({ $0.other.eq(nailed) }, [4]), ({ $0.other.eq(Kind?.none) }, [2]),
      ({ $0.other.neq(Kind?.none) }, [1, 3, 4]), ({ $0.other.in([.letter("a"), .box(7)]) }, [1, 3]),
      ({ $0.kind.eq($0.other) }, [1, 4]), ({ $0.kind.neq($0.other) }, [2, 3]),
      ({ $0.kind.in(Parcel.as(Wholes.Other.self).select(\.other)) }, [1, 2, 4]),
      ({ $0.kind.notIn(Parcel.as(Wholes.Other.self).select(\.other)) }, [3]),
      (
        { $0.kind.in(Parcel.as(Wholes.Other.self).where { $0.id > 1 }.order(by: \.id).limit(3).select(\.kind)) },
        [2, 3, 4]
      ),
      ({ $0.kind.in(Parcel.none.select(\.kind)) }, []),
    ]
    try home.open(Wholes.script).read { db in
      for (condition, expected) in conditions {
        let query = Parcel.where { condition($0) }.order(by: \.id).select(\.id)
        let found = try query.fetchAll(db)
        #expect(found.elementsEqual(expected), "\(found), not \(expected): \(query)")
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a group with optional members is equal to a value of it`(_ home: DatabaseHome) throws {
    let conditions: [(Condition, [Int])] = [
      ({ $0.size.eq(Size(width: 1, depth: nil)) }, [1]), ({ $0.size.eq(Size(width: 1, depth: 2)) }, [2]),
      ({ $0.size.neq(Size(width: 1, depth: nil)) }, [2, 3, 4]), ({ $0.size.neq(Size(width: 1, depth: 2)) }, [1, 3, 4]),
      ({ $0.size.in([Size(width: 1, depth: nil), Size(width: 2, depth: 2)]) }, [1, 4]),
      ({ $0.size.notIn([Size(width: 1, depth: nil), Size(width: 2, depth: 2)]) }, [2, 3]),
      ({ $0.size.in((0..<9).map { Size(width: $0, depth: nil) }) }, [1, 3]),
      ({ $0.size.notIn((0..<9).map { Size(width: $0, depth: nil) }) }, [2, 4]),
      ({ $0.size.eq(Size.Columns(width: $0.id, depth: #bind(nil))) }, [1]),
      ({ $0.size > Size(width: 1, depth: 1) }, [2, 3, 4]),
    ]
    try home.open(Wholes.script).read { db in
      for (condition, expected) in conditions {
        let query = Parcel.where { condition($0) }.order(by: \.id).select(\.id)
        let found = try query.fetchAll(db)
        #expect(found.elementsEqual(expected), "\(found), not \(expected): \(query)")
      }
      let whole = try Parcel.find(db, key: 3)
      same(try Parcel.where { $0.eq(whole) }.fetchAll(db), [whole])
      same(try Parcel.where { $0.in([whole]) }.fetchAll(db), [whole])
      let pairs = Parcel.join(Parcel.as(Wholes.Other.self).all) { $0.size.eq($1.size) && $0.id <= $1.id }
      same(try pairs.order { ($0.id, $1.id) }.select { ($0.id, $1.id) }.fetchAll(db), [(1, 1), (2, 2), (3, 3), (4, 4)])
    }
  }

  @Test func `the cases of an enum have no order`() {
    #expect(Parcel.where { $0.kind.gt(.box(1)) }.built.failure != nil)
    #expect(Parcel.where { $0.kind <= .box(1) }.built.failure != nil)
    #expect(Parcel.where { $0.kind.between(.box(1), and: .box(2)) }.built.failure != nil)
    #expect(Parcel.where { $0.kind.box > 1 }.built.failure == nil)
  }

  @Test func `a group of a query within one of the same table is not compared with itself`() {
    let mistaken: [any Statement] = [
      Parcel.where { parcel in Parcel.where { $0.kind.eq(parcel.kind) && $0.id > parcel.id }.exists() },
      Parcel.where { parcel in Parcel.where { $0.size.neq(parcel.size) }.exists() },
    ]
    for statement in mistaken {
      #expect(statement.built.failure?.description.contains("parcels") == true, "\(statement)")
    }
    let meant = Parcel.where { parcel in Parcel.as(Wholes.Other.self).where { $0.kind.eq(parcel.kind) }.exists() }
    #expect(meant.built.failure == nil)
  }

  @Test func `what is never NULL is compared with the operator of its name`() {
    same(
      Port.Reminder.where { $0.id.eq(1) || $0.priority.neq(.high) }.select(\.id).sql,
      """
      SELECT "reminders"."id"
      FROM "reminders"
      WHERE ((("reminders"."id") = (?1)) OR (("reminders"."priority") <> (?2)))
      """)
    same(
      Parcel.where { $0.size.eq(Size(width: 1, depth: 2)) }.select(\.id).sql,
      """
      SELECT "parcels"."id"
      FROM "parcels"
      WHERE (("parcels"."width", "parcels"."depth") IS (?1, ?2))
      """)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row is found, changed and deleted by a key of which a part is NULL`(_ home: DatabaseHome) throws {
    let database = try home.open(Wholes.script)
    func labels(_ db: Database) throws -> [String] { try Shelf.order(by: \.label).select(\.label).fetchAll(db) }
    let open = Shelf.ID(row: 1, bay: nil)
    try database.write { db in
      same(try Shelf.find(open).fetchAll(db).map(\.label), ["open"])
      same(try Shelf.find(db, key: open).label, "open")
      same(try Shelf.all.order(by: \.label).find(open).fetchAll(db).map(\.label), ["open"])
      same(
        try Shelf.find([open, .init(row: 1, bay: "x")]).order(by: \.label).fetchAll(db).map(\.label),
        ["closed", "open"])
      same(try Shelf.Draft.find(open).fetchAll(db).map(\.label), ["open"])
      same(try Shelf.Draft.find([open]).fetchAll(db).map(\.label), ["open"])
      same(try Shelf.as(Wholes.Other.self).find(open).fetchAll(db).map(\.label), ["open"])
      same(try Shelf.select { $0.count() }.fetchAll(db), [3])
      let others = Wholes.Shelf.leftJoin(Shelf.as(Wholes.Other.self).all) { $0.id.row.eq($1.id.row + 1) }
      same(try others.select { $1.count() }.fetchAll(db), [2])
      same(
        try others.order { shelf, _ in shelf.label }.select { $1.map { $0.label.upper() } }.fetchAll(db).compactMap {
          $0
        }.sorted(), ["CLOSED", "OPEN"])
      try Shelf.update(Shelf(id: open, label: "OPEN")).execute(db)
      same(try labels(db), ["OPEN", "closed", "far"])
      try Shelf.find(open).update { $0.label += "!" }.execute(db)
      try Shelf.update { $0.label += "?" }.find(open).execute(db)
      same(try labels(db), ["OPEN!?", "closed", "far"])
      try Shelf.delete(Shelf(id: open)).execute(db)
      same(try labels(db), ["closed", "far"])
      try Shelf.delete().find(.init(row: 2, bay: nil)).execute(db)
      same(try labels(db), ["closed"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `pages and touches miss no row that has NULL in its key`(_ home: DatabaseHome) throws {
    let database = try home.open(Wholes.script)
    try database.write { db in
      var seen: [String] = []
      var last: Shelf?
      repeat {
        last = try Shelf.page(after: last, size: 1) { $0.touched }.fetchOne(db)
        if let last { seen.append(last.label) }
      } while last != nil && seen.count < 9
      same(seen, ["open", "closed", "far"])
      try Shelf.createTrigger("touched", after: .update(touch: { $0.touched += 1 })).execute(db)
      try Shelf.where { $0.id.row.eq(1) }.update { $0.label += "!" }.execute(db)
      same(try Shelf.order(by: \.label).select(\.touched).fetchAll(db), [1, 0, 1])
    }
  }

  @Test func `distinct keys of several columns are counted by a query`() throws {
    #expect(Shelf.select { $0.count(distinct: true) }.built.failure != nil)
    let database = try DatabaseHome.embedded.open(Wholes.script)
    same(try database.read { try Shelf.select(\.id).distinct().count().fetchOne($0) }, 3)
  }
}
