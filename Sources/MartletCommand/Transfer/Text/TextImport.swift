import MartletAST
import MartletClient
import MartletValues

/// Copies the records of a text file into one table of a server's database.
///
/// Always true: the whole file is read before the first row is sent, so a broken record changes nothing; a file of up
/// to `atomicImportBytesMax` goes in as one transaction, with the end of the rows that it replaces. A row that
/// the database does not take is told with its line. No row of another table goes or changes with those replaced.
final class TextImport {
  /// What becomes of the table.
  enum Target: Equatable {
    /// The table is made, and must not be there.
    case made
    /// The table's rows stay, and the new ones come to them.
    case appended
    /// The table's rows go.
    case replaced
  }

  private let records: any ImportRecords
  private let path: String
  private let name: String
  private let table: String
  private let target: Target
  private let database: DatabaseClient
  private let bytes: Int
  private var report: TransferReport
  /// The former rows were deleted.
  private var hasReplaced = false

  /// `name` is what people are told in the path's place.
  init(
    _ records: any ImportRecords, of path: String, name: String, table: String, target: Target,
    into database: DatabaseClient
  ) throws {
    self.records = records
    self.path = path
    self.name = name
    self.table = table
    self.target = target
    self.database = database
    bytes = try FileText.byteCount(of: path)
    report = TransferReport(bytesTotal: bytes)
  }

  func run() async throws -> TransferReport {
    var pieces = try FilePieces(path)
    if let kind = FileKind(try pieces.next() ?? []) { throw kind.refusal(of: name) }
    report.phaseBegun("reading \(name)")
    defer { report.ended() }
    let columns = try records.survey { bytes in
      try Task.checkCancellation()
      report.bytesRead(bytes)
    }
    report.phaseEnded()
    if columns.isEmpty, target == .made { throw CommandFailure.noRecords(name) }
    let isAtomic = bytes <= CommandLimits.atomicImportBytesMax
    do {
      if isAtomic {
        let begun = report
        try await ImportTransaction(database: database).run(undone: { undone(to: begun) }) { transaction in
          try await copy(columns, through: transaction, isAtomic: true)
        }
      } else {
        try await copy(columns, through: database, isAtomic: false)
      }
    } catch {
      throw report.explaining(advised(await placed(error)), isAtomic: isAtomic, hasReplaced: hasReplaced)
    }
    return report
  }

  /// The error of a row, with the place in the file that the row begins at, or the field that is to blame.
  private func placed(_ error: any Error) async -> any Error {
    guard var refused = error as? BulkWriter.RowRefused else { return error }
    var columnName = refused.error.column.split(separator: ",").first.map(String.init) ?? ""
    if columnName.isEmpty, refused.error.message.contains("datatype mismatch"),
      let key = await RemoteColumn.integerKey(of: table, through: database)
    {
      columnName = key
      if !refused.error.message.hasSuffix(".") { refused.error.message += "." }
      refused.error.message += " The column \(key) is an INTEGER PRIMARY KEY, and takes whole numbers alone."
    }
    let column = columnName.isEmpty ? nil : try? records.column(of: columnName, inRecordAt: refused.line)
    let place = "\(name), line \(refused.line)" + (column.map { ", column \($0)" } ?? "")
    return CommandFailure.explaining(refused.error, doing: place)
  }

  /// The error, and which option was probably meant.
  private func advised(_ error: any Error) -> any Error {
    guard let failure = CommandFailure.explaining(error) as? CommandFailure else { return error }
    let text = failure.description.lowercased()
    switch target {
    case .appended where text.contains("no such table: \(table.lowercased())"):
      return CommandFailure(failure.description + " --create makes the table.")
    case .made where text.contains("already exists"):
      return CommandFailure(failure.description + " --append adds to it, --replace deletes its rows first.")
    default: return failure
    }
  }

  private func undone(to begun: TransferReport) {
    report.ended()
    report = begun
    hasReplaced = false
  }

  /// Throws if there is no such table, or if it has not these columns. Without a row nothing else would ask for it.
  private func checkTable(taking columns: [String], through executor: any StatementExecutor) async throws {
    if (1...CommandLimits.listColumnsMax).contains(columns.count) {
      let insert = try RemoteStatement(.insert(into: table, columns, rows: 1))
      _ = try await executor.execute(insert, [.rows(RowBatch(columnCount: columns.count))])
    } else {
      let nothing = ASTStatement.select([.literal(Int64(1))], from: .table(table), where: .literal(Int64(0)))
      _ = try await executor.fetchAll(RemoteStatement(nothing))
    }
  }

  /// The positions of the columns that take values. An export has the generated ones too, which the table makes anew.
  private func settable(_ columns: [String], through executor: any StatementExecutor) async -> [Int] {
    // Who may not ask for them hears of the first one from SQLite.
    let present = await RemoteColumn.all(of: table, through: executor)
    let generated = Set(present.filter { $0.kind == .generated }.map(\.name.lowercasedASCII))
    let kept = columns.indices.filter { !generated.contains(columns[$0].lowercasedASCII) }
    guard !kept.isEmpty, kept.count < columns.count else { return Array(columns.indices) }
    for name in columns where generated.contains(name.lowercasedASCII) {
      report.noted("The column \(CellText.escaped(name)) is generated, so the file's values of it were left out.")
    }
    return kept
  }

  /// Makes sure that the end of the table's rows changes no row of another one, and lets plain foreign keys wait for
  /// the rows that come in their place.
  private func prepareReplacing(through executor: any StatementExecutor, isAtomic: Bool) async throws {
    var isReferredTo = false
    do {
      for key in try await ReferringTables(to: table, through: executor).keys {
        guard try await ReferringTables.hasRows(key, through: executor) else { continue }
        guard !key.changesRows else {
          throw CommandFailure.replacingChangesRows(
            of: CellText.escaped(table), in: CellText.escaped(key.table), action: key.onDelete)
        }
        isReferredTo = true
      }
    } catch let error as RequestError where error.reason == .permission {
      return report.noted(CommandFailure.referringTablesNotSeen(CellText.escaped(table)))
    }
    // Who may not send SQL text has the keys checked at the DELETE, as they are between two transactions.
    guard isReferredTo, isAtomic else { return }
    do {
      try await executor.execute(.sql("PRAGMA defer_foreign_keys=ON"))
    } catch let error as RequestError where error.reason == .permission {}
  }

  private func copy(
    _ columns: [(name: String, type: String)], through executor: any StatementExecutor, isAtomic: Bool
  ) async throws {
    report.tableBegun(table)
    if target == .replaced {
      try await prepareReplacing(through: executor, isAtomic: isAtomic)
      try await executor.execute(RemoteStatement(.delete(from: table)))
      hasReplaced = true
    }
    if columns.isEmpty {
      // A DELETE has found the table.
      if target != .replaced { try await checkTable(taking: [], through: executor) }
      return
    }
    if target == .made {
      let declared = columns.map { ASTColumnDefinition.column($0.name, $0.type) }
      try await executor.execute(RemoteStatement(.createTable(table, declared)))
    }
    let kept = target == .made ? Array(columns.indices) : await settable(columns.map(\.name), through: executor)
    try records.begin(isTyped: target == .made, keeping: kept)
    var writer = try BulkWriter(
      executor, table: table, columns: kept.map { columns[$0].name }, acknowledged: report.acknowledged)
    var hasRows = false
    while let appended = try records.append(to: &writer) {
      hasRows = hasRows || appended.rows > 0
      report.rowsMoved(appended.rows, bytes: appended.bytes)
      try await writer.send()
    }
    try await writer.finish()
    if !hasRows { try await checkTable(taking: kept.map { columns[$0].name }, through: executor) }
  }
}

/// What an import reads: the records of one format, once to learn their columns and once to send them.
protocol ImportRecords: AnyObject {
  /// Reads the whole file and returns its columns with the types that a table for them has; none if there is no record
  /// that names any. Throws a `CommandFailure` with line and column for a record that is broken.
  func survey(_ bytesRead: (Int) throws -> Void) throws -> [(name: String, type: String)]

  /// Begins again at the first record. `isTyped`: values go in as what `survey` found; otherwise the table's own types
  /// decide. `keeping`: the positions of the columns that go in.
  func begin(isTyped: Bool, keeping: [Int]) throws

  /// Which byte of its line the field of that name begins at, counted from 1, in the record that begins on a line; nil
  /// if nobody can say. The records are read anew for it.
  func column(of name: String, inRecordAt line: Int) throws -> Int?

  /// Appends records until the writer has no room for the next; returns how many, and how many bytes of the file they
  /// are. Nil: there was none left.
  func append(to writer: inout BulkWriter) throws -> (rows: Int, bytes: Int)?
}
