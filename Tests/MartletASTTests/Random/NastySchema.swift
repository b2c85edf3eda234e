/// A schema whose every name is one that careless quoting breaks on.
///
/// Always true: it is made by the renderer itself, so it exists only if names are quoted right.
import MartletAST

struct NastySchema {
  struct Table {
    var name: String
    var columns: [String]
  }

  static let names = [
    "select", "we\"ird", "quo'te", "a b", "tábla", "];--", "`tick`", "x; DROP TABLE y", "/* c */", "-- c", "\"\"", "'",
    "[b]",
    "new", "excluded", "a\nb", "🪶", "100", "?1", "$x", "a.b", "\\", "%", "from", "order", "values", "null", "true",
  ]

  static let tables = [
    Table(name: "select", columns: ["id", "or\"der", "from", "a b"]),
    Table(name: "we\"ird", columns: ["id", "];--", "quo'te", "`tick`"]),
    Table(name: "];-- x", columns: ["id", "values", "ünï", "/* c"]),
    Table(name: "tábla 🪶", columns: ["id", "a\nb", "[b]", "100"]),
  ]

  static let statements: [ASTStatement] = tables.flatMap { table in
    [
      ASTStatement.createTable(
        table.name,
        [
          .column("id", "INTEGER", .primaryKey()),
          .column(table.columns[1], "TEXT", .notNull, .default(.literal("it's"))),
          .column(table.columns[2], "NUMERIC(10,2)"), .column(table.columns[3], "we\"ird type", .unique),
        ]),
      .createIndex("by " + table.columns[1], on: table.name, [.column(table.columns[1])]),
    ]
  }

  static func probe() throws -> SQLiteProbe {
    SQLiteProbe(schema: try statements.map { try StatementRenderer().render($0).sql })
  }
}
