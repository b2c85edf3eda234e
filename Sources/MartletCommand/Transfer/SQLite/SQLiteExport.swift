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
      let columns = (table.rowIDName.map { [$0] } ?? []) + table.columns
      let values = columns.indices.map { ASTExpression.parameter(UInt32($0 + 1)) }
      let insert = try file.prepare(.insert(into: table.name, columns, values: values))
      let query = try RemoteStatement(.select(columns, from: .table(table.name)))
      for try await batch in try await transaction.batches(query) {
        try Self.insert(batch, with: insert)
        report.rowsMoved(batch.rowCount, bytes: batch.byteCount)
      }
    }
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

  private static func insert(_ batch: RowBatch, with statement: Statement) throws {
    for row in 0..<batch.rowCount {
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
