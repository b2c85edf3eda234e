import MartletAST
import MartletClient
import MartletSQLite
import MartletValues

/// Copies a SQLite file into a server's database: tables, rows, then what hangs on them.
///
/// Always true: every value keeps its type and bytes; a file of up to `atomicBytesMax` goes in as one transaction, so a
/// failure leaves nothing behind; a larger one goes in batch by batch.
final class SQLiteImport {
  /// What fits one transaction within the server's limits on its time and on the write-ahead log.
  static let atomicBytesMax = 32 << 20

  private let database: DatabaseClient
  private let file: LocalFile
  private let bytes: Int
  private var report: TransferReport

  init(_ path: String, into database: DatabaseClient) throws {
    self.database = database
    bytes = try FileText.byteCount(of: path)
    file = try LocalFile(reading: path)
    report = TransferReport(bytesTotal: bytes)
  }

  func run() async throws -> TransferReport {
    let schema = try await SchemaReader(source: file).read()
    for table in schema.tables {
      if case .impossible(let reason) = table.fill {
        throw CommandFailure("The table \(CellText.escaped(table.name)) cannot be imported: \(reason).")
      }
    }
    defer { report.ended() }
    let isAtomic = bytes <= Self.atomicBytesMax
    do {
      if isAtomic {
        try await database.write { transaction in
          try await copy(schema, through: transaction, isTransaction: true)
        }
      } else {
        try await copy(schema, through: database, isTransaction: false)
      }
    } catch {
      throw report.explaining(error, isAtomic: isAtomic)
    }
    return report
  }

  private func copy(
    _ schema: DatabaseSchema, through executor: any StatementExecutor, isTransaction: Bool
  ) async throws {
    let order = FillOrder(schema.tables)
    let parents = Set(schema.tables.flatMap(\.parents).map { $0.lowercased() })
    let isEarly = { (object: DatabaseSchema.Object) in
      object.isUniqueIndex && parents.contains(object.table.lowercased())
    }
    for table in schema.tables { try await run(table.sql, through: executor, making: table.name) }
    for object in schema.objects where isEarly(object) {
      try await run(object.sql, through: executor, making: object.name)
    }
    if isTransaction && !order.cyclic.isEmpty { try await executor.execute(Self.deferForeignKeys) }
    for position in order.positions where isTransaction || !order.cyclic.contains(position) {
      try await fill(schema.tables[position], through: executor)
    }
    if !isTransaction && !order.cyclic.isEmpty { try await fillTogether(schema, order) }
    if schema.hasSequence { try await copySequence(through: executor) }
    report.ended()
    for kind in [DatabaseSchema.Object.Kind.index, .view, .trigger] {
      for object in schema.objects where object.kind == kind && !isEarly(object) {
        report.makingShown(object.name)
        try await run(object.sql, through: executor, making: object.name)
      }
    }
  }

  private static var deferForeignKeys: RemoteStatement { .sql("PRAGMA defer_foreign_keys=ON") }

  /// Tables whose rows only fit together when all are there share a transaction, whatever their size.
  private func fillTogether(_ schema: DatabaseSchema, _ order: FillOrder) async throws {
    try await database.write { transaction in
      try await transaction.execute(Self.deferForeignKeys)
      for position in order.positions where order.cyclic.contains(position) {
        try await fill(schema.tables[position], through: transaction)
      }
    }
  }

  private func run(_ sql: String, through executor: any StatementExecutor, making name: String) async throws {
    do {
      try await executor.execute(RemoteStatement(Tree.raw(sql)))
    } catch {
      throw CommandFailure.explaining(error, doing: "making \(CellText.escaped(name))")
    }
  }

  private func fill(_ table: DatabaseSchema.Table, through executor: any StatementExecutor) async throws {
    report.tableBegun(table.name)
    if table.fill == .rebuilt {
      let rebuild = Tree.insert(into: table.name, columns: [table.name], values: [Tree.parameter(1)])
      try await executor.execute(RemoteStatement(rebuild), ["rebuild"])
      return
    }
    let columns = (table.rowIDName.map { [$0] } ?? []) + table.columns
    let source = try file.prepare(Tree.select(columns, from: table.name))
    var writer = try BulkWriter(executor, table: table.name, columns: columns, acknowledged: report.acknowledged)
    while try source.step() {
      let byteCount = source.rowBytes
      if !writer.hasRoom(for: byteCount) { try await writer.send() }
      writer.append(byteCount: byteCount) { $0.append(rowOf: source) }
      report.rowsMoved(1, bytes: byteCount)
    }
    try await writer.finish()
  }

  /// AUTOINCREMENT never gives a number twice, not even that of a row that is gone; so the counters are data too.
  private func copySequence(through executor: any StatementExecutor) async throws {
    let rows = try file.rows(of: Tree.select(["name", "seq"], from: "sqlite_sequence"), [])
    let named = Tree.call(.equal, [Tree.column("name"), Tree.parameter(1)])
    let delete = try RemoteStatement(Tree.delete(from: "sqlite_sequence", where: named))
    let insert = try RemoteStatement(
      Tree.insert(into: "sqlite_sequence", columns: ["name", "seq"], values: [Tree.parameter(1), Tree.parameter(2)]))
    for row in rows {
      try await executor.execute(delete, [row[0]])
      try await executor.execute(insert, row)
    }
  }
}
