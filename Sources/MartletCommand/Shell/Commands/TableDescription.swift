import MartletAST
import MartletClient
import MartletValues

/// What `.columns` and `\d TABLE` show: a table's columns, and under them its indexes, foreign keys and triggers.
///
/// Always true: a virtual table's hidden columns are not shown; a generated column says that it is one.
enum TableDescription {
  static func text(
    of table: String, _ entries: [SchemaListing.Entry], from database: any StatementExecutor
  ) async throws -> String {
    let columns = try await rows(
      "pragma_table_xinfo", ["name", "type", "notnull", "dflt_value", "pk", "hidden"], of: table, database)
    var output: [UInt8] = []
    var printer = TablePrinter(null: "")
    printer.begin(columns: ["column", "type", "null", "default", "key"], to: &output)
    let keyCount = columns.count { $0[4] != 0 }
    for column in columns where column[5] != 1 {
      let isGenerated = column[5] == 2 || column[5] == 3
      let key: Value = column[4] == 0 ? .null : keyCount == 1 ? "primary" : .text("primary \(words(column[4]))")
      let row: [Value] = [
        column[0], column[1], column[2] == 0 ? .null : "not null", isGenerated ? "generated" : column[3], key,
      ]
      printer.append(RowBatch(rows: [row], columnCount: 5), to: &output)
    }
    printer.end(to: &output)
    return String(decoding: output, as: UTF8.self) + (try await notes(on: table, entries, from: database))
  }

  private static func notes(
    on table: String, _ entries: [SchemaListing.Entry], from database: any StatementExecutor
  ) async throws -> String {
    var lines: [String] = []
    for index in try await rows("pragma_index_list", ["name", "unique", "partial"], of: table, database) {
      let columns = try await rows("pragma_index_info", ["name"], of: words(index[0]), database)
      let names = columns.map { $0[0] == .null ? "an expression" : words($0[0]) }.joined(separator: ", ")
      lines.append(
        "\(index[1] == 0 ? "index" : "unique index") \(words(index[0])) (\(names))\(index[2] == 0 ? "" : ", partial")")
    }
    for key in try await rows("pragma_foreign_key_list", ["from", "table", "to"], of: table, database) {
      lines.append("\(words(key[0])) refers to \(words(key[1]))\(key[2] == .null ? "" : " (\(words(key[2])))")")
    }
    for entry in entries where entry.type == "trigger" && entry.table.lowercasedASCII == table.lowercasedASCII {
      lines.append("trigger \(entry.name)")
    }
    return lines.map { CellText.escaped($0) + "\n" }.joined()
  }

  private static func words(_ value: Value) -> String {
    switch value {
    case .text(let text): text
    case .integer(let integer): String(integer)
    default: ""
    }
  }

  private static func rows(
    _ pragma: String, _ columns: [String], of name: String, _ database: any StatementExecutor
  ) async throws -> [[Value]] {
    return try await RemoteSchemaSource(executor: AnyExecutor(database)).rows(
      of: .select(columns, ofNamed: pragma), [.text(name)])
  }
}
