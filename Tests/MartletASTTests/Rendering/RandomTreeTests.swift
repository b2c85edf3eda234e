/// Random trees and hostile names against the real library: what is rendered is one statement, and the one meant.
///
/// Always true: MARTLET_TREES says how many trees are tried, MARTLET_SEED where they begin.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct RandomTreeTests {
  private static func setting(_ name: String, _ otherwise: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? otherwise
  }

  @Test func `SQLite takes every valid tree as one statement over the tables that it names`() throws {
    let probe = try NastySchema.probe()
    let tables = Set(NastySchema.tables.map(\.name))
    let known = tables.union(["json_each", "martlet_rows", "martlet_list"])
    let start = Self.setting("MARTLET_SEED", 1)
    var failures = 0
    var verbs: Set<Substring> = []
    for seed in start..<start + Self.setting("MARTLET_TREES", 3_000) where failures < 5 {
      var generator = TreeGenerator(seed: seed)
      let tree = generator.statement()
      let rendered = try StatementRenderer().render(tree)
      let bytes = tree.serialized
      #expect(try StatementRenderer().render(ASTStatement.decode(bytes)) == rendered)
      verbs.insert(rendered.sql.prefix { $0.isLetter })
      let answer = probe.prepare(rendered.sql)
      let isWhole =
        answer.error.isEmpty && answer.tail.isEmpty && answer.parameterCount == rendered.parameterCount
        && (rendered.access != .read || answer.isReadOnly)
        && (rendered.access == .schema || answer.tables.isSubset(of: known) || holdsCommonTables(tree))
      if !isWhole { failures += 1 }
      #expect(
        isWhole, "seed \(seed): \(answer.error)\(answer.tail) \(answer.tables.subtracting(known))\n\(rendered.sql)")
    }
    #expect(verbs == ["SELECT", "VALUES", "WITH", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP"])
  }

  private func holdsCommonTables(_ tree: ASTStatement) -> Bool {
    if case .with = tree.kind { return true }
    return if case .with = tree.insert.query.kind { true } else { false }
  }

  static let hostile: [String] =
    NastySchema.names + [
      "\"; DROP TABLE \"select\"; --", "'; DELETE FROM \"select\"; --", "a\"\"b", "\"", "\"\"\"", "x]; --", "--", "/*",
      "*/",
      "a\u{1}b", "\u{202e}x", "\r\n", "\t", " ", "()", "a(", "0x", "e\u{301}", "`", "[", "]", ";", "a;b", "main.select",
      String(repeating: "\"", count: 99), "NOCASE\" --", "TEXT); DROP TABLE x; --",
    ]

  /// Trees that differ only in the name at one place.
  private func trees(_ name: String) -> [String: ASTStatement] {
    let column = ASTExpression.column("id")
    let table = ASTTableSource.table("we\"ird")
    func select(_ expression: ASTExpression) -> ASTStatement {
      .select {
        $0.columns = [.expression(expression)]
        $0.from = table
      }
    }
    return [
      "column": select(.column(name)), "qualifier": select(.column(name, "id")),
      "schema": select(.column("t", "id", schema: name)),
      "collation": select(.collate(column, name)), "function": select(.function(name, column)),
      "window": select(.function("sum", column) { $0.over.name = name }), "type": select(.cast(column, as: name)),
      "literal": select(.literal(name)),
      "result alias": .select {
        $0.columns = [.expression(column, as: name)]; $0.from = table
      },
      "star": .select {
        $0.columns = [.all(of: name)]; $0.from = table
      },
      "table": .select { $0.from = .table(name) },
      "alias": .select { $0.from = .table("we\"ird", as: name) },
      "table function": .select { $0.from = .function(name, [.null]) },
      "common table": .with([.named(name, as: .values([[.null]]))], .select { $0.from = .table(name) }),
      "common column": .with([.named("c", columns: [name], as: .values([[.null]]))], .select { $0.from = .table("c") }),
      "index": .select {
        $0.from = {
          var source = table; source.table.indexedBy = name; return source
        }()
      },
      "insert": .insert(into: name) { $0.defaultValues = true },
      "assignment": .update("we\"ird") { $0.assignments = [.set(name, .null)] },
      "raise": .createTrigger(
        "t", .after, .insert, on: "we\"ird", [.select { $0.columns = [.expression(.raise(.abort, name))] }]),
      "column definition": .createTable("new table", [.column(name, name, .default(.literal(name)), .collation(name))]),
      "module": .createVirtualTable("v", using: name, [.column(name), .option("content", name)]),
      "raw identifier": .raw("SELECT ", .identifier(name), " FROM ", .identifier("we\"ird")),
      "drop": .drop(.view, name),
    ]
  }

  @Test(arguments: hostile) func `a hostile name is quoted or refused and never executed`(_ name: String) throws {
    let probe = try NastySchema.probe()
    for (place, tree) in trees(name) {
      guard let rendered = try? StatementRenderer().render(tree) else { continue }
      let answer = probe.prepare(rendered.sql)
      // Most names are unknown to the schema; what matters is that none is read as SQL.
      let isUnknown = ["no such", "unknown", "not an error", "already exists", "no query solution"].contains {
        answer.error.contains($0)
      }
      #expect(
        answer.error.isEmpty || isUnknown || Self.isMeant(answer.error), "\(place): \(answer.error)\n\(rendered.sql)")
      #expect(answer.tail.isEmpty, "\(place): \(rendered.sql)")
      #expect(
        !answer.error.contains("syntax error") && !answer.error.contains("incomplete input"),
        "\(place): \(rendered.sql)")
      #expect(answer.tables.isSubset(of: ["we\"ird", "select", name]), "\(place): \(answer.tables)")
      if rendered.access == .read { #expect(answer.error.isEmpty ? answer.isReadOnly : true) }
    }
  }

  /// What SQLite says of a name that it read as a name.
  private static func isMeant(_ error: String) -> Bool {
    [
      "wrong number of arguments", "use DROP TABLE", "is not a function", "may not be", "reserved", "duplicate", "fts5",
      "ambiguous",
    ]
    .contains { error.contains($0) }
  }

  @Test func `SQL with NUL is refused as what it is`() {
    for tree in [ASTStatement.raw("SELECT 'a\0b'"), .select { $0.columns = [.expression(.raw("1\0"))] }] {
      let error = #expect(throws: RequestError.self) { try StatementRenderer().render(tree) }
      #expect(error?.message.hasPrefix("The SQL text holds a NUL") == true, "\(String(describing: error))")
    }
  }

  @Test func `a name with NUL is refused everywhere`() {
    for (place, tree) in trees("a\0b") {
      let error = #expect(throws: RequestError.self, "\(place)") { try StatementRenderer().render(tree) }
      #expect(error?.reason == .invalidStatement, "\(place)")
    }
  }
}
