import MartletAST
import MartletClient
import MartletSQLite
import MartletValues

/// Copies a server's database into a SQLite file.
///
/// Always true: the rows are those of one snapshot; the file appears under its name only when it is complete.
final class SQLiteExport {
  private let database: DatabaseClient
  private let path: String
  private var report = TransferReport(bytesTotal: 0)

  init(_ database: DatabaseClient, to path: String) {
    self.database = database
    self.path = path
  }

  func run() async throws -> TransferReport {
    guard !DirectFile.isOne(path) else { throw CommandFailure.noFileForDatabase(path) }
    let partial = try PartialFile(for: path)
    do {
      try await write(to: partial.path)
      try Task.checkCancellation()
      try partial.complete()
    } catch {
      partial.discard()
      report.ended()
      throw partial.explaining(error)
    }
    return report
  }

  private func write(to partial: String) async throws {
    let file = try LocalFile(making: partial, named: path)
    try await database.read { transaction in
      let schema = try await SchemaReader(source: RemoteSchemaSource(executor: transaction)).read()
      for table in schema.tables { try file.execute(sql: table.sql) }
      for position in FillOrder(schema.tables).positions {
        try await fill(schema.tables[position], of: file, from: transaction)
      }
      if schema.hasSequence { try await copySequence(to: file, from: transaction) }
      for kind in [DatabaseSchema.Object.Kind.index, .view, .trigger] {
        for object in schema.objects where object.kind == kind { try file.execute(sql: object.sql) }
      }
      try await copyStatistics(schema.statistics, to: file, from: transaction)
      for pragma in schema.header.pragmas { try file.execute(sql: "PRAGMA \(pragma.name)=\(pragma.value)") }
    }
    try file.commit()
    report.ended()
  }

  private func fill(
    _ table: DatabaseSchema.Table, of file: LocalFile, from transaction: RemoteTransaction
  ) async throws {
    report.tableBegun(table.name)
    switch table.fill {
    case .impossible(let reason):
      if table.columns.contains("") {
        throw CommandFailure.columnNotNamed(beforeExportOf: CellText.escaped(table.name))
      }
      throw CommandFailure.tableNotExported(CellText.escaped(table.name), reason)
    case .rebuilt:
      let rebuild = ASTStatement.insert(into: table.name, [table.name], values: [.literal("rebuild")])
      _ = try file.prepare(rebuild).step()
    case .derived: break
    case .copied:
      if table.losesRowIDs { report.noted(TransferReport.rowIDsLost(of: table)) }
      try await copyRows(of: table.name, table.copiedColumns, to: file, from: transaction)
    }
  }

  private func copyRows(
    of table: String, _ columns: [String], to file: LocalFile, from transaction: RemoteTransaction
  ) async throws {
    var rows = TableRows(of: table, columns, from: transaction)
    var (insert, textFlags) = (try file.prepare(Self.insertion(into: table, columns)), [Int: Int]())
    while let piece = try await rows.next() {
      if piece.textFlags != textFlags {
        textFlags = piece.textFlags
        insert = try file.prepare(Self.insertion(into: table, columns, textFlags))
      }
      try Self.insert(piece.batch, from: piece.first, with: insert)
      report.rowsMoved(piece.batch.rowCount - piece.first, bytes: piece.batch.byteCount)
    }
  }

  /// Bytes become the text that they are of.
  private static func insertion(
    into table: String, _ columns: [String], _ textFlags: [Int: Int] = [:]
  ) -> ASTStatement {
    let values = columns.indices.map { column -> ASTExpression in
      let value = ASTExpression.parameter(UInt32(column + 1))
      guard let flag = textFlags[column] else { return value }
      return .case([(when: .parameter(UInt32(flag + 1)), then: .cast(value, as: "TEXT"))], else: value)
    }
    return .insert(into: table, columns, values: values)
  }

  private func copyStatistics(
    _ tables: [String], to file: LocalFile, from transaction: RemoteTransaction
  ) async throws {
    guard !tables.isEmpty else { return }
    try file.execute(sql: Statistics.refresh)
    let present = try file.names(among: tables)
    for table in tables where present.contains(table) {
      let insert = try file.prepare(Statistics.insertion(into: table))
      let query = try RemoteStatement(Statistics.query(table))
      for try await batch in try await transaction.batches(query) {
        try Self.insert(batch, with: insert)
      }
    }
  }

  private static func insert(_ batch: RowBatch, from first: Int = 0, with statement: Statement) throws {
    for row in first..<batch.rowCount {
      for (index, column) in batch.columns.enumerated() { try statement.bind(column, row: row, at: index + 1) }
      _ = try statement.step()
      statement.reset()
    }
  }

  private func copySequence(to file: LocalFile, from transaction: RemoteTransaction) async throws {
    let columns = ["name", "seq"]
    let rows = try await transaction.fetchAll(RemoteStatement(.select(columns, from: .table("sqlite_sequence"))))
    // The rows that were just inserted have set counters of their own.
    _ = try file.prepare(.delete(from: "sqlite_sequence")).step()
    let insert = try file.prepare(
      .insert(into: "sqlite_sequence", columns, values: [.parameter(1), .parameter(2)]))
    for row in rows {
      for index in 0..<2 { try insert.bind(value: try row.value(index), at: index + 1) }
      _ = try insert.step()
      insert.reset()
    }
  }
}
