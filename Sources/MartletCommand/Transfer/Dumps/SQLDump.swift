import MartletAST
import MartletClient
import MartletValues

/// A database, or some tables of it, as SQL that makes it again: here, at another server, or in SQLite's own shell.
///
/// Always true: every value comes back with its type and its bytes; rows are written as they arrive.
struct SQLDump {
  let schema: DatabaseSchema
  /// The tables and views that are wanted, by their names or as patterns of LIKE with a `%`; none for all.
  let wanted: [String]
  let descriptor: Int32

  /// Where the rows are read one after the other, they must come from one snapshot: `executor` is a transaction, or
  /// nobody writes meanwhile.
  func write(from executor: any StatementExecutor) async throws {
    let tables = schema.tables.filter { isWanted($0.name) }
    let names = schema.tables.map(\.name) + schema.objects.filter { $0.kind == .view }.map(\.name)
    for name in wanted where !names.contains(where: { Self.matches(name, $0) }) {
      throw CommandFailure.noTable(CellText.escaped(name), question: Suggestion.question(name, among: names))
    }
    var output = StandardOutput(descriptor: descriptor)
    output.write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n")
    for table in tables { output.write(EndedStatement.text(of: table.sql) + "\n") }
    for table in tables { try await write(table, from: executor, to: &output) }
    if schema.hasSequence, wanted.isEmpty { try await writeSequence(from: executor, to: &output) }
    for object in schema.objects where isWanted(object.table) {
      output.write(EndedStatement.text(of: object.sql) + "\n")
    }
    if wanted.isEmpty {
      try await writeStatistics(from: executor, to: &output)
      for pragma in schema.header.pragmas { output.write("PRAGMA \(pragma.name)=\(pragma.value);\n") }
    }
    output.write("COMMIT;\n")
    try output.flush()
  }

  private func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains { Self.matches($0, name) } }

  private static func matches(_ wanted: String, _ name: String) -> Bool {
    wanted.lowercasedASCII == name.lowercasedASCII || wanted.contains("%") && LikePattern.matches(name, wanted)
  }

  private func write(
    _ table: DatabaseSchema.Table, from executor: any StatementExecutor, to output: inout StandardOutput
  ) async throws {
    let name = SQLLiteral.quoted(table.name)
    switch table.fill {
    case .impossible(let reason):
      // A line break in the name would end the comment, and the rest of the name be SQL.
      output.write("-- The rows of \(CellText.escaped(name)) are left out: \(CellText.escaped(reason)).\n")
    case .rebuilt: output.write("INSERT INTO \(name)(\(name)) VALUES('rebuild');\n")
    case .derived: break
    case .copied:
      if table.losesRowIDs { output.write("-- \(TransferReport.rowIDsLost(of: table))\n") }
      let columns = table.copiedColumns
      let beginning = "INSERT INTO \(name)(\(columns.map(SQLLiteral.quoted).joined(separator: ","))) VALUES("
      var rows = TableRows(of: table.name, columns, from: executor)
      while let piece = try await rows.next() {
        try write(piece, columns: columns.count, behind: beginning, to: &output)
      }
    }
  }

  private func write(
    _ piece: TableRows.Piece, columns: Int, behind beginning: String, to output: inout StandardOutput
  ) throws {
    for row in piece.first..<piece.batch.rowCount {
      output.write(beginning)
      for (index, column) in piece.batch.columns.prefix(columns).enumerated() {
        if index > 0 { output.write(",") }
        if piece.isText(index, row: row) {
          SQLLiteral.append(text: column.data[column.range(at: row)], to: &output.buffer)
        } else {
          SQLLiteral.append(column, row: row, to: &output.buffer)
        }
      }
      output.write(");\n")
    }
    try output.flushIfLarge()
  }

  private func writeRows(
    of query: RemoteStatement, behind beginning: String, from executor: any StatementExecutor,
    to output: inout StandardOutput
  ) async throws {
    for try await batch in try await executor.batches(query) {
      for row in 0..<batch.rowCount {
        output.write(beginning)
        for (index, column) in batch.columns.enumerated() {
          if index > 0 { output.write(",") }
          SQLLiteral.append(column, row: row, to: &output.buffer)
        }
        output.write(");\n")
      }
      try output.flushIfLarge()
    }
  }

  /// Writes the statistics as SQLite's own shell does: their tables are made by the ANALYZE.
  private func writeStatistics(from executor: any StatementExecutor, to output: inout StandardOutput) async throws {
    if !schema.statistics.isEmpty { output.write(Statistics.refresh + ";\n") }
    for name in schema.statistics {
      let query = try RemoteStatement(Statistics.query(name))
      try await writeRows(of: query, behind: "INSERT INTO \(name) VALUES(", from: executor, to: &output)
    }
  }

  private func writeSequence(from executor: any StatementExecutor, to output: inout StandardOutput) async throws {
    let rows = try await executor.fetchAll(RemoteStatement(.select(["name", "seq"], from: .table("sqlite_sequence"))))
    output.write("DELETE FROM sqlite_sequence;\n")
    for row in rows {
      let name = Array(try row.get(String.self, 0).utf8)
      output.write("INSERT INTO sqlite_sequence VALUES(")
      SQLLiteral.append(text: name[...], to: &output.buffer)
      output.write(",\(try row.get(Int64.self, 1)));\n")
    }
  }
}
