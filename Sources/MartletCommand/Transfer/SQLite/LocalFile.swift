import MartletAST
import MartletSQLite
import MartletValues

/// A SQLite file on this machine: the source of an import, the target of an export.
///
/// Always true: the whole import reads one snapshot of it; an export is one transaction.
final class LocalFile: SchemaSource {
  private let connection: Connection
  private let renderer = StatementRenderer.ofOwnTrees(sqliteVersion: SQLiteLibrary.version)

  /// The 16 bytes that begin every SQLite file.
  static let magic = Array("SQLite format 3\0".utf8)

  static func isSQLite(_ path: String) throws -> Bool {
    var pieces = try FilePieces(path)
    return try pieces.next()?.starts(with: magic) ?? false
  }

  init(reading path: String) throws {
    connection = try Self.open(path, named: path, .reader)
    try connection.execute(TransactionSQL.begin)
  }

  /// A file that does not exist yet; `name` is what people are told in the path's place.
  init(making path: String, named name: String? = nil) throws {
    connection = try Self.open(path, named: name ?? path, .writer, takesQuotedTexts: true)
    try connection.execute("PRAGMA foreign_keys=OFF")
    try connection.execute(TransactionSQL.beginImmediate)
  }

  /// A file for the statements of a dump, which writes into the catalogue and is checked when it is copied.
  init(scratch path: String) throws {
    connection = try Self.open(path, named: path, .writer, isScratch: true)
    try EscapedText.register(on: connection)
    try connection.execute("PRAGMA foreign_keys=OFF")
    try connection.execute(TransactionSQL.beginImmediate)
  }

  private static func open(
    _ path: String, named name: String, _ access: Connection.Access, isScratch: Bool = false,
    takesQuotedTexts: Bool = false
  ) throws -> Connection {
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    setup.isScratch = isScratch
    setup.takesQuotedTexts = takesQuotedTexts
    setup.valueBytesMax = CommandLimits.fileValueBytesMax
    setup.sqlBytesMax = CommandLimits.fileStatementBytesMax
    do {
      return try Connection(path: path, label: "file", access: access, setup: setup, clock: { 0 })
    } catch {
      // Who only reads writes nothing but what undoes the transaction of a program that was ended.
      if access == .reader, error.code == SQLiteCode.readOnly {
        throw CommandFailure.fileInTransaction(name)
      }
      throw CommandFailure.explaining(error, doing: "The file \(name) cannot be opened")
    }
  }

  /// Which of the tables there are.
  func names(among tables: [String]) throws -> Set<String> {
    let rows = try rows(of: .select(["name"], from: .table("sqlite_schema")), [])
    return Set(rows.compactMap { if case .text(let name) = $0[0] { name } else { nil } }).intersection(tables)
  }

  func commit() throws { try connection.execute(TransactionSQL.commit) }

  /// Does what may take long; a statement that runs in it ends when the task is cancelled.
  func cancellable<Result>(_ body: (LocalFile) throws -> Result) async throws -> Result {
    let interrupter = connection.interrupter
    do {
      return try await withTaskCancellationHandler {
        try Task.checkCancellation()
        return try body(self)
      } onCancel: {
        interrupter.interrupt()
      }
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  /// Runs text that a schema holds.
  func execute(sql: String) throws { try connection.execute(sql) }

  /// Compiles text of this program's own.
  func statement(_ sql: String) throws -> Statement { try connection.prepare(sql, for: .engine) }

  /// The rows that were inserted, changed and deleted since it was opened.
  var totalChanges: Int { Int(clamping: connection.totalChanges) }

  /// Copies the file as a whole.
  func copy(to path: String) throws {
    let backup = try Backup(of: connection, to: path)
    while try backup.step(pages: -1, throwsLocks: true) {}
  }

  func prepare(_ statement: ASTStatement) throws -> Statement {
    try connection.prepare(try renderer.render(statement).sql, for: .engine)
  }

  func rows(of statement: ASTStatement, _ parameters: [Value]) throws -> [[Value]] {
    let prepared = try prepare(statement)
    for (index, value) in parameters.enumerated() { try prepared.bind(value: value, at: index + 1) }
    var batch = RowBatch(columnCount: prepared.columnCount)
    while try prepared.step() { batch.append(rowOf: prepared) }
    return try (0..<batch.rowCount).map { try batch.row($0) }
  }
}

extension Statement {
  /// About how many bytes the current row takes in a batch.
  var rowBytes: Int {
    (0..<columnCount).reduce(0) { sum, index in
      let value = value(at: index)
      switch value.type {
      case .text: return sum + value.textBytes.count + 8
      case .blob: return sum + value.blobBytes.count + 8
      default: return sum + 8
      }
    }
  }

  func bind(value: Value, at index: Int) throws {
    switch value {
    case .null, .rows: try bindNull(at: index)
    case .integer(let integer): try bind(integer, at: index)
    case .real(let real): try bind(real, at: index)
    case .text(let text): try bindText(text, at: index)
    case .blob(let blob): try blob.withUnsafeBytes { try bindBlob($0, at: index) }
    }
  }

  /// Binds one value of a batch as it is, text that is not UTF-8 included.
  func bind(_ column: ColumnValues, row: Int, at index: Int) throws {
    switch column.kind(at: row) {
    case .null, .mixed: try bindNull(at: index)
    case .integer: try bind(column.integers[row], at: index)
    case .real: try bind(column.reals[row], at: index)
    case .text:
      try column.data.withUnsafeBytes { bytes in
        try bindText(UnsafeRawBufferPointer(rebasing: bytes[column.range(at: row)]), at: index)
      }
    case .blob:
      try column.data.withUnsafeBytes { bytes in
        try bindBlob(UnsafeRawBufferPointer(rebasing: bytes[column.range(at: row)]), at: index)
      }
    }
  }
}

extension RowBatch {
  /// Appends the statement's current row with the types that its values have.
  mutating func append(rowOf statement: Statement) {
    for index in columns.indices {
      let value = statement.value(at: index)
      switch value.type {
      case .null: columns[index].appendNull(row: rowCount)
      case .integer: columns[index].appendInteger(value.integer, row: rowCount)
      case .real: columns[index].appendReal(value.real, row: rowCount)
      case .text: columns[index].appendText(value.textBytes, row: rowCount)
      case .blob: columns[index].appendBlob(value.blobBytes, row: rowCount)
      }
    }
    rowCount += 1
  }
}
