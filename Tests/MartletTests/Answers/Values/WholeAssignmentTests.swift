/// A group, an enum and a column that are set to themselves are set: their values stay, and triggers on them fire.
import Foundation
import Martlet
import Testing

@Suite struct WholeAssignmentTests {
  typealias Parcel = Wholes.Parcel

  private typealias Change = @Sendable (inout Updates<Parcel>) -> Void

  @Selection struct Inner: Equatable {
    var low: Int
    var high: Int?
  }

  @Selection struct Outer: Equatable {
    var name: String
    var inner: Inner
    var spare: Inner?
  }

  @Table struct Nest: Equatable {
    let id: Int
    var outer: Outer
  }

  private static func own(_ names: String..., of table: String = "parcels") -> String {
    "SET " + names.map { "\"\($0)\" = \"\(table)\".\"\($0)\"" }.joined(separator: ", ")
  }

  private static let kind = ["letter", "box", "wood", "nails"]

  private static let changes: [(Change, String)] = [
    ({ $0.size = $0.size }, own("width", "depth")),
    ({ $0.size.depth = $0.size.depth }, own("depth")),
    ({ $0.id = $0.id }, own("id")),
    ({ $0.kind = $0.kind }, own("letter", "box", "wood", "nails")),
    ({ $0.other = $0.other }, own("letter:1", "box:1", "wood:1", "nails:1")),
    ({ $0.kind.crate = $0.kind.crate }, own("wood", "nails") + ", \"letter\" = NULL, \"box\" = NULL"),
    (
      {
        $0.size.width = 3
        $0.size = $0.size
      }, "SET \"width\" = 3, \"depth\" = \"parcels\".\"depth\""
    ),
    (
      {
        let size = $0.size
        $0.size = size
        $0.size.depth = 4
      }, "SET \"width\" = \"parcels\".\"width\", \"depth\" = 4"
    ),
  ]

  @Test func `what is set to itself is set, each column of it`() {
    for (change, assignments) in Self.changes {
      same(Parcel.update(set: change).description, "UPDATE \"parcels\"\n" + assignments)
    }
    let nests: [(@Sendable (inout Updates<Nest>) -> Void, [String])] = [
      ({ $0.outer = $0.outer }, ["name", "low", "high", "low:1", "high:1"]),
      ({ $0.outer.inner = $0.outer.inner }, ["low", "high"]),
      ({ $0.outer.spare = $0.outer.spare }, ["low:1", "high:1"]),
    ]
    for (change, names) in nests {
      let assignments = names.map { "\"\($0)\" = \"nests\".\"\($0)\"" }.joined(separator: ", ")
      same(Nest.update(set: change).description, "UPDATE \"nests\"\nSET " + assignments)
    }
  }

  @Test func `a group that is handed on and not changed sets nothing`() {
    func leave(_ size: inout Updates<Wholes.Size>) {}
    let update = Parcel.update {
      leave(&$0.size)
      $0.id = 1
    }
    same(update.description, "UPDATE \"parcels\"\nSET \"id\" = 1")
  }

  @Test(arguments: DatabaseHome.allCases)
  func `triggers on the columns fire, and the values stay`(home: DatabaseHome) throws {
    let triggers = ["width", "letter", "nails:1"].map {
      "CREATE TRIGGER \"of \($0)\" AFTER UPDATE OF \"\($0)\" ON \"parcels\" BEGIN "
        + "INSERT INTO \"fired\" VALUES ('\($0)'); END;"
    }
    let script = Wholes.script + "CREATE TABLE \"fired\" (\"name\" TEXT NOT NULL);" + triggers.joined()
    try home.open(script).write { db in
      let before = try Parcel.order(by: \.id).fetchAll(db)
      let changes: [(Change, [String])] = [
        ({ $0.size = $0.size }, ["width"]), ({ $0.kind = $0.kind }, ["letter"]), ({ $0.other = $0.other }, ["nails:1"]),
        ({ $0.size.depth = $0.size.depth }, []),
      ]
      for (change, names) in changes {
        try Parcel.find(3).update(set: change).execute(db)
        let fired = SQLQueryExpression("SELECT \"name\" FROM \"fired\"", as: String.self)
        same(try fired.fetchAll(db), names)
        try db.execute(sql: "DELETE FROM \"fired\"")
      }
      same(try Parcel.order(by: \.id).fetchAll(db), before)
    }
  }
}
