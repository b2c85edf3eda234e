/// ORDER BY inside aggregates gives what a sorted subquery gives, on SQLite 3.40 too.
import MartletAST
import MartletDatabase
import Testing

@testable import MartletQuery

@Suite struct OrderedAggregateTests {
  /// Values of every type, with NULLs, ties, texts that differ in case and in trailing spaces, and numbers that are
  /// equal as integer and real.
  static let setup = """
    CREATE TABLE "v" ("id" INTEGER PRIMARY KEY, "x", "plain" TEXT, "folded" TEXT COLLATE NOCASE,
      "trimmed" TEXT COLLATE RTRIM, "g" INTEGER);
    INSERT INTO "v" ("x", "plain", "folded", "trimmed", "g") VALUES
      (NULL, 'b', 'b', 'b', 1), (3, 'B', 'B', 'b ', 1), (2.5, 'a', 'a', 'a', 1), (9007199254740993, 'A', 'A', 'a ', 1),
      (9007199254740992.0, 'c ', 'c', 'c', 1), ('10', NULL, NULL, NULL, 2), ('9', 'é', 'é', 'é', 2),
      (x'4142', 'Z', 'Z', 'Z', 2), (-1, 'z', 'z', 'z', 2), (2, '_', '_', '_', 2), (3.0, 'b', 'b', 'B', 2);
    """

  /// A term of an ORDER BY as text and as tree.
  struct Order: Sendable, CustomTestStringConvertible {
    var sql: String
    var terms: [ASTOrderingTerm]
    var testDescription: String { sql }
  }

  static let orders: [Order] = [
    Order(sql: "\"x\", \"id\"", terms: [.by(.column("x")), .by(.column("id"))]),
    Order(sql: "\"x\" DESC, \"id\" DESC", terms: [.by(.column("x"), .descending), .by(.column("id"), .descending)]),
    Order(sql: "\"x\" NULLS LAST, \"id\"", terms: [.by(.column("x"), .ascending, nulls: .last), .by(.column("id"))]),
    Order(
      sql: "\"x\" DESC NULLS FIRST, \"id\"",
      terms: [.by(.column("x"), .descending, nulls: .first), .by(.column("id"))]),
    Order(sql: "\"plain\", \"id\"", terms: [.by(.column("plain")), .by(.column("id"))]),
    Order(sql: "\"folded\", \"id\"", terms: [.by(.column("folded")), .by(.column("id"))]),
    Order(
      sql: "\"trimmed\" DESC, \"id\"", terms: [.by(.column("trimmed"), .descending), .by(.column("id"))]),
    Order(
      sql: "\"plain\" COLLATE NOCASE, \"id\" DESC",
      terms: [.by(.collate(.column("plain"), "NOCASE")), .by(.column("id"), .descending)]),
    Order(
      sql: "\"folded\" COLLATE BINARY, \"id\"",
      terms: [.by(.collate(.column("folded"), "BINARY")), .by(.column("id"))]),
    Order(
      sql: "length(\"plain\") DESC, \"id\"",
      terms: [.by(.function("length", .column("plain")), .descending), .by(.column("id"))]),
  ]

  static let aggregates: [(name: String, sql: String, arguments: [ASTExpression])] = [
    ("group_concat", "group_concat(\"plain\")", [.column("plain")]),
    ("group_concat", "group_concat(\"x\", '|')", [.column("x"), .literal("|")]),
    ("group_concat", "group_concat(\"plain\", \"id\")", [.column("plain"), .column("id")]),
    ("json_group_array", "json_group_array(hex(\"x\"))", [.function("hex", .column("x"))]),
    (
      "json_group_array", "json_group_array(CASE WHEN typeof(\"x\") <> 'blob' THEN \"x\" END)",
      [
        .case([(when: .call(.notEqual, .function("typeof", .column("x")), .literal("blob")), then: .column("x"))])
      ]
    ),
    (
      "json_group_array", "json_group_array(json_array(\"id\", \"plain\"))",
      [
        .function("json_array", .column("id"), .column("plain"))
      ]
    ),
    ("json_group_object", "json_group_object(\"id\", \"plain\")", [.column("id"), .column("plain")]),
  ]

  static func tree(
    _ name: String, _ arguments: [ASTExpression], _ order: Order, distinct: Bool = false, filter: Bool = false
  )
    -> ASTStatement
  {
    .select {
      var column = ASTResultColumn()
      column.expression.call.function = name
      column.expression.call.arguments = arguments
      column.expression.call.orderBy = order.terms
      column.expression.call.distinct = distinct
      if filter { column.expression.call.filter = .call(.greater, .column("id"), .literal(Int64(3))) }
      $0.columns = [column]
      $0.from = .table("v")
      $0.groupBy = [.column("g")]
      $0.orderBy = [.by(.column("g"))]
    }
  }

  @Test(arguments: Home.allCases, orders)
  func `an ordered aggregate equals the aggregate of a sorted subquery`(home: Home, order: Order) throws {
    let open = try home.open(hasSchema: false)
    try open.database.write { try $0.execute(sql: Self.setup) }
    try open.database.read { db in
      for aggregate in Self.aggregates {
        for filter in [false, true] {
          let found = try RawTree<String?>(Self.tree(aggregate.name, aggregate.arguments, order, filter: filter))
            .fetchAll(db)
          var wanted: [String?] = []
          for group in 1...2 {
            let condition = filter ? "AND \"id\" > 3" : ""
            let sorted = "SELECT * FROM \"v\" WHERE \"g\" = \(group) \(condition) ORDER BY \(order.sql) LIMIT -1"
            wanted += try SQLQueryExpression(
              QueryFragment("SELECT \(aggregate.sql) FROM (\(sorted))" as String), as: String?.self
            ).fetchAll(db)
          }
          #expect(found == wanted, "\(aggregate.sql) ORDER BY \(order.sql)")
        }
      }
    }
  }

  @Test(arguments: Home.allCases)
  func `distinct values are sorted`(home: Home) throws {
    let open = try home.open(hasSchema: false)
    try open.database.write { try $0.execute(sql: Self.setup) }
    let cases: [(ASTExpression, ASTOrderingTerm, [String?])] = [
      (.column("folded"), .by(.column("folded"), .descending), ["c,b,a", "é,Z,b,_"]),
      (.column("trimmed"), .by(.column("trimmed")), ["a,b,c", "B,Z,_,z,é"]),
    ]
    try open.database.read { db in
      for (argument, term, wanted) in cases {
        let tree = Self.tree("group_concat", [argument], Order(sql: "", terms: [term]), distinct: true)
        let found = try RawTree<String?>(tree).fetchAll(db)
        #expect(found == wanted)
      }
    }
  }

  @Test(arguments: Home.allCases)
  func `the builder's order comes out right`(home: Home) throws {
    let open = try home.open()
    try open.database.read { db in
      let titles = Item.select { $0.title.groupConcat(", ", order: $0.title.desc()) }
      try expect(["Tea, Pot, Cup"]) { try titles.fetchAll(db) }
    }
  }
}

/// A statement that is given by its tree.
struct RawTree<QueryValue>: MartletQuery.Statement {
  var statementFragment: StatementFragment
  init(_ tree: ASTStatement) { statementFragment = StatementFragment(FixedTree(fixed: tree)) }
}

private struct FixedTree: StatementTree {
  var fixed: ASTStatement
  func write(to writer: inout TreeWriter) { writer.append(fixed.serialized) }
}
