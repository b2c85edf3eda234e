import MartletAST
import MartletClient
import MartletProtocol
import MartletSQLite
import MartletValues

/// Copies a SQLite file into a server's database: tables, rows, then what hangs on them.
///
/// Always true: every value keeps its type and bytes; a file of up to `atomicImportBytesMax` goes in as one
/// transaction, so a failure leaves nothing behind; a larger one goes in batch by batch.
final class SQLiteImport {
  private let database: DatabaseClient
  private let source: ImportSource
  private var file: LocalFile { source.file }
  private var report: TransferReport

  init(_ source: ImportSource, into database: DatabaseClient) {
    self.database = database
    self.source = source
    report = TransferReport(bytesTotal: source.bytes)
    for note in source.notes { report.noted(note) }
  }

  func run() async throws -> TransferReport {
    try await checkRoom()
    let schema = source.schema
    defer { report.ended() }
    let isAtomic = source.bytes <= CommandLimits.atomicImportBytesMax
    do {
      if isAtomic {
        try await write { transaction in try await copy(schema, through: transaction, isTransaction: true) }
      } else {
        try await copy(schema, through: database, isTransaction: false)
      }
    } catch {
      throw report.explaining(error, isAtomic: isAtomic)
    }
    report.ended()
    let faults = DefinitionFaults(database)
    for fault in await faults.found(in: schema.objects) { report.faultFound(fault) }
    return report
  }

  /// A schema that does not fit in is told before anything is made of it.
  private func checkRoom() async throws {
    let coming = try source.schemaSize
    try await database.read { transaction in
      let room = transaction.schemaRoom
      guard room.objectsMax > 0 || room.bytesMax > 0 else { return }
      let sql = ASTExpression.cast(.column("sql"), as: "BLOB")
      let size = try RemoteStatement(
        .select([.countAll, .function("sum", .function("length", sql))], from: .table("sqlite_schema")))
      // Whoever may not read it hears of the first object that is too much.
      let row = try? await transaction.fetchOne(size)
      let present = (objects: (try? row?.get(Int.self, 0)) ?? 0, bytes: (try? row?.get(Int?.self, 1)) ?? 0)
      if room.objectsMax > 0, coming.objects + present.objects > room.objectsMax {
        throw CommandFailure.tooManyObjects(
          coming: coming.objects, present: present.objects, objectsMax: room.objectsMax)
      }
      if room.bytesMax > 0, coming.bytes + present.bytes > room.bytesMax {
        throw CommandFailure.schemaTooLarge(
          coming: coming.bytes, present: present.bytes, bytesMax: room.bytesMax)
      }
    }
  }

  private func copy(
    _ schema: DatabaseSchema, through executor: any StatementExecutor, isTransaction: Bool
  ) async throws {
    let order = FillOrder(schema.tables)
    let parents = Set(schema.tables.flatMap(\.parents).map { $0.lowercasedASCII })
    let isEarly = { (object: DatabaseSchema.Object) in
      object.isUniqueIndex && parents.contains(object.table.lowercasedASCII)
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
    if isTransaction {
      try await copyStatistics(of: schema, through: executor)
    } else {
      try await write { transaction in try await copyStatistics(of: schema, through: transaction) }
    }
    try await copyHeader(schema.header, through: executor)
  }

  /// A transaction that is begun again if the server ends it.
  private func write(_ body: (RemoteTransaction) async throws -> Void) async throws {
    let begun = report
    let undone = {
      self.report.ended()
      self.report = begun
    }
    try await ImportTransaction(database: database).run(undone: undone, body)
  }

  private static var deferForeignKeys: RemoteStatement { .sql("PRAGMA defer_foreign_keys=ON") }

  /// Tables whose rows only fit together when all are there share a transaction, whatever their size.
  private func fillTogether(_ schema: DatabaseSchema, _ order: FillOrder) async throws {
    try await write { transaction in
      try await transaction.execute(Self.deferForeignKeys)
      for position in order.positions where order.cyclic.contains(position) {
        try await fill(schema.tables[position], through: transaction)
      }
    }
  }

  private func run(_ sql: String, through executor: any StatementExecutor, making name: String) async throws {
    do {
      try await executor.execute(RemoteStatement(.raw(sql)))
    } catch {
      throw CommandFailure.explaining(error, doing: "making \(CellText.escaped(name))")
    }
  }

  private func fill(_ table: DatabaseSchema.Table, through executor: any StatementExecutor) async throws {
    report.tableBegun(table.name)
    if table.fill == .derived { return }
    if table.fill == .rebuilt {
      let rebuild = ASTStatement.insert(into: table.name, [table.name], values: [.parameter(1)])
      try await executor.execute(RemoteStatement(rebuild), ["rebuild"])
      return
    }
    if table.losesRowIDs { report.noted(TransferReport.rowIDsLost(of: table)) }
    let columns = table.copiedColumns
    let source = try file.prepare(.select(columns, from: .table(table.name)))
    var writer = try BulkWriter(executor, table: table.name, columns: columns, acknowledged: report.acknowledged)
    var number = 0
    do {
      while try source.step() {
        let byteCount = source.rowBytes
        if !writer.hasRoom(for: byteCount) { try await writer.send() }
        number += 1
        writer.append(byteCount: byteCount, line: number) { $0.append(rowOf: source) }
        report.rowsMoved(1, bytes: byteCount)
      }
      try await writer.finish()
    } catch var refused as BulkWriter.RowRefused {
      if refused.error == .textNotUTF8 {
        refused.error.message += " In the file, UPDATE … SET column = CAST(column AS BLOB) makes one of it."
      }
      throw CommandFailure.explaining(refused.error, doing: "\(CellText.escaped(table.name)), row \(refused.line)")
    }
  }

  /// AUTOINCREMENT never gives a number twice, not even that of a row that is gone; so the counters are data too.
  private func copySequence(through executor: any StatementExecutor) async throws {
    let rows = try file.rows(of: .select(["name", "seq"], from: .table("sqlite_sequence")), []).filter {
      !source.isLeftOut($0[0].text)
    }
    let delete = try RemoteStatement(
      .delete(from: "sqlite_sequence", where: .call(.equal, .column("name"), .parameter(1))))
    let insert = try RemoteStatement(
      .insert(into: "sqlite_sequence", ["name", "seq"], values: [.parameter(1), .parameter(2)]))
    for row in rows {
      try await executor.execute(delete, [row[0]])
      try await executor.execute(insert, row)
    }
  }

  /// In one transaction with the table that is made for it, so that whoever reads the schema anew finds the rows too.
  private func copyStatistics(of schema: DatabaseSchema, through executor: any StatementExecutor) async throws {
    guard !schema.statistics.isEmpty else { return }
    try await executor.execute(.sql(Statistics.refresh))
    let present = Set(
      try await executor.fetchAll(RemoteStatement(.select(["name"], from: .table("sqlite_schema"))))
        .map { try $0.get(String.self, 0) })
    for table in schema.statistics where present.contains(table) {
      let rows = try file.rows(of: Statistics.query(table), []).filter { !source.isLeftOut($0[0].text) }
      let deletion = try RemoteStatement(Statistics.deletion(from: table))
      for name in Set(rows.map { $0[0].text }).sorted() { try await executor.execute(deletion, [.text(name)]) }
      let insertion = try RemoteStatement(Statistics.insertion(into: table))
      for row in rows { try await executor.execute(insertion, row) }
    }
    try await executor.execute(.sql(Statistics.refresh))
  }

  /// A number that the database has already is that of a program which uses it, and stays.
  private func copyHeader(_ header: DatabaseSchema.Header, through executor: any StatementExecutor) async throws {
    for pragma in header.pragmas {
      let present = try await executor.fetchOne(.sql("PRAGMA \(pragma.name)", isRead: true))?.get(Int64.self, 0) ?? 0
      if present == pragma.value { continue }
      if present == 0 {
        try await executor.execute(.sql("PRAGMA \(pragma.name)=\(pragma.value)"))
      } else {
        report.noted("The database keeps its \(pragma.name) \(present); that of the file is \(pragma.value).")
      }
    }
  }
}

extension Value {
  /// A name out of one of SQLite's own tables; empty if there is none.
  fileprivate var text: String { if case .text(let text) = self { text } else { "" } }
}
