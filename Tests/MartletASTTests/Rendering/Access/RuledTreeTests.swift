/// Trees under rules for tables: what the SQL says of those that are allowed.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct RuledTreeTests: RuledTrees {
  private static let part = "(SELECT \"id\", \"title\" FROM \"main\".\"notes\" WHERE (tenant = ?1))"

  /// The condition asked where no name of the statement's reaches.
  private static func lookedUp(_ target: String) -> String {
    "EXISTS (SELECT 1 FROM (SELECT \"main\".\"\(target)\".rowid AS \"martlet_rowid\") AS \"martlet_row\" JOIN \"main\".\"notes\" "
      + "ON \"notes\".rowid = \"martlet_row\".\"martlet_rowid\" WHERE (tenant = ?1))"
  }

  private static let rendered: [(String, ASTStatement, String)] = [
    ("a table without limits", select("open"), "SELECT \"id\"\nFROM \"open\""),
    ("a table", select("notes"), "SELECT \"id\"\nFROM \(part) AS \"notes\""),
    (
      "a table with an alias and parameters",
      .select {
        $0.from = .table("Notes", as: "n", schema: "main"); $0.where = .call(.equal, .column("n", "id"), .parameter(3))
      },
      "SELECT *\nFROM (SELECT \"id\", \"title\" FROM \"main\".\"Notes\" WHERE (tenant = ?4)) AS \"n\"\n"
        + "WHERE ((\"n\".\"id\") = (?3))"
    ),
    (
      "a condition that may fail",
      .select {
        $0.from = .table("notes"); $0.where = .function("json", .column("title"))
      },
      "SELECT *\nFROM \(part.dropLast()) LIMIT -1) AS \"notes\"\nWHERE (json(\"title\"))"
    ),
    (
      "an update", update { $0.returning = [.all()] },
      "UPDATE \"notes\"\nSET \"title\" = 'x'\nWHERE (tenant = ?1)\nRETURNING \"id\", \"title\", "
        + "martlet_row_check((tenant = ?1))"
    ),
    (
      "an update beside another table", update { $0.from = .subquery(select("open"), as: "o") },
      "UPDATE \"notes\"\nSET \"title\" = 'x'\nFROM (\n  SELECT \"id\"\n  FROM \"open\"\n) AS \"o\"\nWHERE \(lookedUp("notes"))"
        + "\nRETURNING martlet_row_check((tenant = ?1))"
    ),
    (
      "an update by another name", update { $0.alias = "n" },
      "UPDATE \"notes\" AS \"n\"\nSET \"title\" = 'x'\nWHERE (tenant = ?1)\nRETURNING martlet_row_check((tenant = ?1))"
    ),
    (
      "an update by another name beside a function that may fail",
      update {
        $0.alias = "n"; $0.from = .function("json_each", [.column("n", "title")], as: "j")
      },
      "UPDATE \"notes\" AS \"n\"\nSET \"title\" = 'x'\nFROM json_each(CASE WHEN \(lookedUp("n")) THEN \"n\".\"title\" END)"
        + " AS \"j\"\nWHERE \(lookedUp("n"))\nRETURNING martlet_row_check((tenant = ?1))"
    ),
    (
      "an update beside such a function in parentheses",
      update {
        $0.alias = "n"
        $0.from = .joined(.joined(.function("json_each", [.column("n", "title")], as: "j"), []), [])
      },
      "UPDATE \"notes\" AS \"n\"\nSET \"title\" = 'x'\nFROM (\n  (\n    json_each(CASE WHEN \(lookedUp("n")) THEN "
        + "\"n\".\"title\" END) AS \"j\"\n  )\n)\nWHERE \(lookedUp("n"))\nRETURNING martlet_row_check((tenant = ?1))"
    ),
    (
      "a column without a name", select("open", .subquery(select("notes"))),
      "SELECT (\n  SELECT \"id\"\n  FROM \(part) AS \"notes\"\n) AS \"(\n  SELECT \"\"id\"\"\n  FROM \"\"notes\"\"\n)\"\n"
        + "FROM \"open\""
    ),
    (
      "a column without a name inside of one", select("open", .subquery(select("open", .exists(select("notes"))))),
      "SELECT (\n  SELECT EXISTS (\n    SELECT \"id\"\n    FROM \(part) AS \"notes\"\n  ) AS \"EXISTS (\n    SELECT "
        + "\"\"id\"\"\n    FROM \"\"notes\"\"\n  )\"\n  FROM \"open\"\n) AS \"(\n  SELECT EXISTS (\n    "
        + "SELECT \"\"id\"\"\n"
        + "    FROM \"\"notes\"\"\n  )\n  FROM \"\"open\"\"\n)\"\nFROM \"open\""
    ),
    (
      "a column with its schema", select("open", .call(.negate, .column("open", "id", schema: "main"))),
      "SELECT -(\"open\".\"id\") AS \"-(\"\"main\"\".\"\"open\"\".\"\"id\"\")\"\nFROM \"open\""
    ),
    (
      "a delete", .delete(from: "notes") { $0.where = .call(.or, .column("id"), .literal(Int64(1))) },
      "DELETE FROM \"notes\"\nWHERE (tenant = ?1) AND ((\"id\") OR (1))"
    ),
    (
      "a delete with a condition that may fail", .delete(from: "notes") { $0.where = .function("abs", .column("id")) },
      "DELETE FROM \"notes\"\nWHERE (tenant = ?1) AND CASE WHEN (tenant = ?1) THEN (abs(\"id\")) END"
    ),
    (
      "an insert that names no column", .insert(into: "notes") { $0.values = .rows([[.literal("x")]]) },
      "INSERT INTO \"notes\"\n(\"title\")\nVALUES\n('x')\nRETURNING martlet_row_check((tenant = ?1))"
    ),
  ]

  @Test func `the SQL has the columns and rows that are allowed, and claims as parameters behind the others`() throws {
    for (name, tree, sql) in Self.rendered {
      let rendered = try StatementRenderer(rules: Self.rules).render(tree)
      #expect(rendered.sql == sql, "\(name)")
      #expect(rendered.claims == (sql.contains("tenant") ? ["tenant"] : []), "\(name)")
      #expect(rendered.checksNewRows == sql.contains("martlet_row_check"), "\(name)")
    }
  }
}
