/// A schema whose every name is one that careless quoting breaks on.
///
/// Always true: it is made by the renderer itself, so it exists only if names are quoted right.
package import MartletAST

package struct NastySchema {
  package struct Table: Sendable {
    package var name: String
    package var columns: [String]
  }

  package static let names = [
    "select", "we\"ird", "quo'te", "a b", "tábla", "];--", "`tick`", "x; DROP TABLE y", "/* c */", "-- c", "\"\"", "'",
    "[b]",
    "new", "excluded", "a\nb", "🪶", "100", "?1", "$x", "a.b", "\\", "%", "from", "order", "values", "null", "true",
  ]

  package static let tables = [
    Table(name: "select", columns: ["id", "or\"der", "from", "a b"]),
    Table(name: "we\"ird", columns: ["id", "];--", "quo'te", "`tick`"]),
    Table(name: "];-- x", columns: ["id", "values", "ünï", "/* c"]),
    Table(name: "tábla 🪶", columns: ["id", "a\nb", "[b]", "100"]),
  ]

  package static let statements: [ASTStatement] = tables.flatMap { table in
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
}
