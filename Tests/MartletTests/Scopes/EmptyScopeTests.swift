/// A default scope without rows has no rows, for reading and for writing.
import Martlet
import Testing

extension Notes {
  /// A table of notes in which tests know no column but the key.
  protocol Numbered: PrimaryKeyedTable where PrimaryKey == Int, QueryOutput == Self {
    init(id: Int)
  }

  @Table("notes") struct Hidden: Numbered {
    let id: Int
    static let all = none
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct HiddenInChain: Numbered {
    let id: Int
    static let all = unscoped.where { $0.id > 1 }.none
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct HiddenInOrder: Numbered {
    let id: Int
    static let all = none.order(by: \.id)
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct HiddenWithLimit: Numbered {
    let id: Int
    static let all = none.order(by: \.id).limit(3)
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct LimitedToNone: Numbered {
    let id: Int
    static let all = unscoped.order(by: \.id).limit(0)
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct OfNoKey: Numbered {
    let id: Int
    static let all = unscoped.find([Int]())
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct OfNothing: Numbered {
    let id: Int
    static let all = unscoped.where { _ in nil }
    init(id: Int) { self.id = id }
  }

  @Table("notes") struct OfEmptySubquery: Numbered {
    let id: Int
    static let all = unscoped.where { $0.id.in(Folder.none.select(\.id)) }
    init(id: Int) { self.id = id }
  }

  static let hidden: [any Numbered.Type] = [
    Hidden.self, HiddenInChain.self, HiddenInOrder.self, HiddenWithLimit.self, LimitedToNone.self, OfNoKey.self,
    OfNothing.self, OfEmptySubquery.self,
  ]
}

extension Notes.Apart {
  fileprivate static let all = unscoped.where { !$0.isDeleted }
}

@Suite struct EmptyScopeTests {
  typealias R = Notes.R
  typealias S = Notes.S

  private func reads<T: Notes.Numbered>(_ table: T.Type, _ db: Database) throws -> [Int] {
    let all: [[Int]] = [
      try T.fetchAll(db).map { _ in 1 }, try T.select(\.rowid).fetchAll(db),
      try T.where { $0.rowid > 0 }.select(\.rowid).fetchAll(db), try T.find([1, 2, 3]).select(\.rowid).fetchAll(db),
      try T.order(by: \.rowid).select(\.rowid).fetchAll(db), try T.as(R.self).select(\.rowid).fetchAll(db),
      try T.Draft.select(\.rowid).fetchAll(db),
      try Notes.Folder.join(T.all) { $0.noteID.eq($1.rowid) }.select { $1.rowid }.fetchAll(db),
      try Notes.Folder.where { $0.noteID.in(T.select(\.rowid)) }.select(\.id).fetchAll(db),
      try T.select(\.rowid).union(T.as(S.self).select(\.rowid)).fetchAll(db),
      try T.all.and(T.unscoped.find([1, 2, 3])).select(\.rowid).fetchAll(db),
      try (!T.find([1])).select(\.rowid).fetchAll(db),
    ]
    same(try T.fetchCount(db), 0)
    same(try T.count().fetchOne(db), 0)
    same(try Values(T.exists()).fetchOne(db), false)
    return all.flatMap { $0 }
  }

  private func writes<T: Notes.Numbered>(_ table: T.Type) -> [any Statement] {
    [
      T.delete(), T.where { $0.rowid > 0 }.delete(), T.find([2, 3]).delete(), T.find(1).delete(),
      T.delete().where { $0.rowid > 0 }, T.delete().find(1), T.delete(T(id: 2)), T.as(R.self).delete(),
      T.as(R.self).where { $0.rowid > 0 }.delete(), T.Draft.where { $0.rowid > 0 }.delete(),
      T.all.and(T.unscoped.find([1, 2])).delete(), (!T.find([1])).delete(), T.delete().returning(\.rowid),
      T.notIndexed().delete(),
    ]
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a default scope of no row reads none and deletes none`(_ home: DatabaseHome) throws {
    let database = try home.open(Notes.script)
    for table in Notes.hidden {
      same(try database.read { try reads(table, $0) }, [])
      for statement in writes(table) {
        let left = try database.write { db in
          try statement.execute(db)
          return try Notes.Ordered.unscoped.order(by: \.id).select(\.id).fetchAll(db)
        }
        #expect(left.elementsEqual(1...5), "\(table): \(statement)")
        guard left.elementsEqual(1...5) else { return }
      }
    }
  }

  @Table("notes") struct Closed: Equatable {
    let id: Int
    var title = ""
    static let all = none
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a default scope of no row updates none`(_ home: DatabaseHome) throws {
    let updates: [any Statement] = [
      Closed.update { $0.title = "?" }, Closed.where { $0.id > 0 }.update { $0.title = "?" },
      Closed.find(1).update { $0.title = "?" }, Closed.update { $0.title = "?" }.where { $0.id > 0 },
      Closed.update { $0.title = "?" }.find(1), Closed.update(Closed(id: 2, title: "?")),
      Closed.as(R.self).update { $0.title = "?" }, Closed.update { $0.title = "?" }.returning(\.id),
      Closed.update(from: Notes.Folder.all) { note, _ in
        note.title = "?"
      } where: {
        $0.id.eq($1.noteID)
      },
      Notes.Ordered.unscoped.update(from: Closed.as(R.self).all) { note, _ in
        note.title = "?"
      } where: {
        $0.id.eq($1.id)
      },
      Notes.Folder.insert {
        $0.noteID
      } select: {
        Closed.select(\.id)
      },
      Notes.Folder.insert {
        $0.noteID
      } select: {
        Closed.select { $0.id.max() ?? 1 }
      },
    ]
    let database = try home.open(Notes.script)
    for update in updates {
      try database.write { db in
        try update.execute(db)
        same(try Notes.Ordered.unscoped.where { $0.title.eq("?") }.count().fetchOne(db), 0)
        same(try Notes.Folder.fetchCount(db), 3)
      }
    }
  }

  /// A module's extension of another module's table is as invisible to it as another file's private one.
  @Test(arguments: DatabaseHome.allCases)
  func `a default scope that the table does not see is not the table's`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      same(try Notes.Apart.order(by: \.id).select(\.id).fetchAll(db), [1, 2, 3, 4, 5])
      same(try Notes.Apart.all.order(by: \.id).select(\.id).fetchAll(db), [1, 3, 4])
    }
  }

  /// A part of the key may be NULL, and then tells no row from another one by `=`.
  @Table("places") struct Place: Equatable {
    @Selection struct ID: Hashable {
      var row: Int
      var seat: Int?
    }
    let id: ID
    var name = ""

    static let all = unscoped.order { $0.name.desc() }.limit(2)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a limit of the scope holds for rows with NULL in their key`(_ home: DatabaseHome) throws {
    let script = """
      CREATE TABLE "places" ("row" INTEGER NOT NULL, "seat" INTEGER, "name" TEXT NOT NULL, PRIMARY KEY ("row", "seat"));
      INSERT INTO "places" VALUES (1, NULL, 'a'), (1, 1, 'b'), (2, NULL, 'c'), (2, 2, 'd');
      """
    try home.open(script).write { db in
      try Place.update { $0.name += "!" }.execute(db)
      same(try Place.unscoped.order(by: \.name).select(\.name).fetchAll(db), ["a", "b", "c!", "d!"])
      try Place.where { $0.id.seat.is(nil) }.delete().execute(db)
      same(try Place.unscoped.order(by: \.name).select(\.name).fetchAll(db), ["b", "d!"])
    }
  }
}
