/// A default scope says which rows of its table a join sees, and not which rows of the other side there are.
import Foundation
import Martlet
import Testing

@Suite struct JoinedScopeTests {
  typealias Folder = Notes.Folder
  typealias Ordered = Notes.Ordered
  typealias Limited = Notes.Limited
  typealias R = Notes.R

  /// A join, and the rows of it as a person has them: with the scope as a query in the table's place.
  private struct Joined {
    let fetch: (Database) throws -> [(Int?, Int?)]
    let sql: String

    init(_ statement: some Statement<(Int, Int)>, _ sql: String) {
      fetch = { try statement.fetchAll($0).map { ($0.0, $0.1) } }
      self.sql = sql
    }

    init(_ statement: some Statement<(Int, Int?)>, _ sql: String) {
      fetch = { try statement.fetchAll($0).map { ($0.0, $0.1) } }
      self.sql = sql
    }

    init(_ statement: some Statement<(Int?, Int)>, _ sql: String) {
      fetch = { try statement.fetchAll($0).map { ($0.0, $0.1) } }
      self.sql = sql
    }

    init(_ statement: some Statement<(Int?, Int?)>, _ sql: String) {
      fetch = { try statement.fetchAll($0).map { ($0.0, $0.1) } }
      self.sql = sql
    }
  }

  private static let shown = "(SELECT * FROM notes WHERE NOT isDeleted)"
  private static let two = "(SELECT * FROM notes WHERE NOT isDeleted ORDER BY position LIMIT 2)"
  private static let groups = "(SELECT id, isDeleted FROM notes GROUP BY isDeleted HAVING min(id) > 0)"
  private static let nothing = "(SELECT * FROM notes WHERE 0)"

  private static func sql(_ kind: String, _ notes: String, _ filter: String = "") -> String {
    "SELECT folders.id, n.id FROM folders \(kind) JOIN \(notes) AS n ON noteID = n.id \(filter)"
  }

  private static var conditions: [Joined] {
    [
      Joined(Folder.join(Ordered.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("", shown)),
      Joined(Folder.leftJoin(Ordered.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", shown)),
      Joined(Folder.rightJoin(Ordered.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("RIGHT", shown)),
      Joined(Folder.fullJoin(Ordered.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("FULL", shown)),
      Joined(Ordered.rightJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("LEFT", shown)),
      Joined(Ordered.leftJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("RIGHT", shown)),
      Joined(Ordered.fullJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("FULL", shown)),
      Joined(
        Folder.leftJoin(Ordered.as(R.self).all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", shown)),
      Joined(
        Folder.fullJoin(Ordered.as(R.self).all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("FULL", shown)),
      Joined(
        Ordered.as(R.self).rightJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("LEFT", shown)),
      Joined(
        Folder.leftJoin(Ordered.Draft.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.position) },
        "SELECT folders.id, n.position FROM folders LEFT JOIN \(shown) AS n ON noteID = n.id"),
      Joined(Folder.leftJoin(Notes.Raw.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", shown)),
      Joined(Folder.fullJoin(Notes.Raw.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("FULL", shown)),
      Joined(Folder.leftJoin(Notes.Circular.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", shown)),
      Joined(Folder.fullJoin(Notes.InMain.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("FULL", shown)),
      Joined(Folder.leftJoin(Notes.InMain.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", shown)),
      // What the program filters by filters the whole, as a WHERE does.
      Joined(
        Folder.leftJoin(Ordered.where { $0.id > 1 }) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) },
        sql("LEFT", shown, "WHERE n.id > 1")),
      // A scope in the middle of a chain is a filter of the program's.
      Joined(Ordered.titled.inFolders.select { ($1.id, $0.id) }, sql("FULL", shown, "WHERE n.title <> ''")),
    ]
  }

  private static var choices: [Joined] {
    [
      Joined(Folder.join(Limited.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("", two)),
      Joined(Folder.leftJoin(Limited.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", two)),
      // What says unscoped has no scope, and its filters are the whole's.
      Joined(
        Folder.leftJoin(Limited.unscoped.where { $0.id.eq(1) }) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) },
        "SELECT folders.id, n.id FROM folders LEFT JOIN notes AS n ON noteID = n.id WHERE n.id = 1"),
      Joined(Folder.fullJoin(Limited.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("FULL", two)),
      Joined(Limited.leftJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("RIGHT", two)),
      Joined(Limited.rightJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("LEFT", two)),
      Joined(
        Folder.leftJoin(Limited.as(R.self).all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", two)),
      Joined(
        Folder.leftJoin(Notes.Grouped.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", groups)),
      Joined(Folder.join(Notes.Hidden.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("", nothing)),
      Joined(Folder.leftJoin(Notes.Hidden.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }, sql("LEFT", nothing)),
      Joined(
        Folder.leftJoin(Notes.HiddenWithLimit.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) },
        sql("LEFT", nothing)),
      Joined(Notes.Hidden.fullJoin(Folder.all) { $0.id.eq($1.noteID) }.select { ($1.id, $0.id) }, sql("FULL", nothing)),
      Joined(
        Folder.leftJoin(Notes.LimitedToNone.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) },
        sql("LEFT", nothing)),
    ]
  }

  private func texts(_ rows: [(Int?, Int?)]) -> [String] {
    rows.map { "\($0.0.map(String.init) ?? "-") \($0.1.map(String.init) ?? "-")" }.sorted()
  }

  private func check(_ joins: [Joined], _ db: Database) throws {
    for join in joins {
      let byHand = try #sql("\(raw: join.sql)", as: (Int?, Int?).self).fetchAll(db)
      let found = texts(try join.fetch(db))
      let expected = texts(byHand)
      #expect(found == expected, "\(join.sql)")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a join that may leave out a side leaves it out where its default scope does`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      try check(Self.conditions, db)
      let folders = Folder.leftJoin(Ordered.all) { $0.noteID.eq($1.id) }.select { ($0.id, $1.id) }
      let rows = try folders.fetchAll(db).map { ($0.0, $0.1) }
      same(texts(rows), ["1 1", "2 3", "3 -"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a default scope that chooses among rows is joined with the rows that it chose`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in try check(Self.choices, db) }
  }
}
