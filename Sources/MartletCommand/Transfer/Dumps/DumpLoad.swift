import MartletClient
import MartletSQLite
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A dump on its way: its statements run in a file of this machine's, which is then copied as `import` copies one.
///
/// A dump is written for a database that checks no foreign keys and lets its catalogue be written. A server does
/// neither for one of its clients; a scratch file does, and a copy of it is fast and as whole as the dump.
///
/// Always true: the text is kept until the copy, so that a script which only looked like a dump can still be run as it
/// stands; both files are gone when the value is.
final class DumpLoad {
  /// The statements do not stand on their own: they need what the server has.
  struct NotWhole: Error {}

  /// The line of the script on which the dump begins.
  let firstLine: Int
  private let folder: ScratchFolder
  private var file: LocalFile?
  private var spool: StandardOutput
  private let descriptor: Int32

  private var path: String { folder.file("dump.sqlite") }
  private var spoolPath: String { folder.file("dump.sql") }

  init(firstLine: Int) throws {
    self.firstLine = firstLine
    folder = try ScratchFolder()
    descriptor = open(folder.file("dump.sql"), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure.noTemporaryFile
    }
    spool = StandardOutput(descriptor: descriptor, isTemporary: true)
    file = try LocalFile(scratch: folder.file("dump.sqlite"))
  }

  deinit { close(descriptor) }

  /// Throws `NotWhole` if the scratch file does not take the statement; it is kept all the same, with the line of the
  /// script on which it begins.
  func append(_ sql: String, line: Int) throws {
    // No server takes it either, and the other statements would have run until it came.
    let bytes = sql.utf8.count
    guard bytes <= CommandLimits.fileStatementBytesMax else {
      throw CommandFailure.dumpStatementTooLong(bytes, bytesMax: CommandLimits.fileStatementBytesMax)
    }
    // The semicolon has a line of its own, since the statement may end in a comment.
    spool.write("\(line)\n\(sql)\n;\n")
    try spool.flushIfLarge()
    // The scratch file is in a transaction already.
    guard let file, let word = SQLTokens.firstWord(of: sql), word != "BEGIN" else { return }
    if word == "PRAGMA", !DumpRecognizer.isKept(pragma: sql) { return }
    do {
      try file.execute(sql: sql)
    } catch {
      try Self.refuseFullDisk(error)
      // Statistics of another SQLite may need a table that this one does not have; ANALYZE can make them again.
      if sql.hasPrefix("INSERT INTO sqlite_stat") { return }
      self.file = nil
      throw NotWhole()
    }
  }

  /// A disk without room says nothing of the dump.
  private static func refuseFullDisk(_ error: any Error) throws {
    guard let error = error as? SQLiteError, error.code == SQLiteCode.full else { return }
    throw CommandFailure.temporaryFileUnwritable(error.message)
  }

  /// The dump is whole: copies it.
  func copy(into database: DatabaseClient) async throws -> TransferReport {
    guard let file else { throw NotWhole() }
    do {
      try file.commit()
    } catch {
      try Self.refuseFullDisk(error)
      throw error
    }
    // The tables that the dump wrote into the catalogue are only known to who opens the file anew.
    self.file = nil
    let source = try await ImportSource(path, isDump: true)
    return try await SQLiteImport(source, into: database).run()
  }

  /// The statements from the first: of each the number of its line, its text, and a line with a semicolon.
  func spooled() throws -> SpooledLines {
    try spool.flush()
    return SpooledLines(pieces: try FilePieces(spoolPath))
  }
}

/// The lines of a file.
struct SpooledLines: ~Copyable {
  var pieces: FilePieces
  private var pending: ArraySlice<UInt8> = []
  private var text: ScriptLines

  /// `file` is what errors call it.
  init(pieces: consuming FilePieces, of file: String? = nil) {
    self.pieces = pieces
    text = ScriptLines(of: file)
  }

  /// Nil at the end.
  mutating func next() throws -> String? {
    var line: [UInt8] = []
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        line += pending[..<end]
        pending = pending[(end + 1)...]
        return try text.line(line)
      }
      line += pending
      guard let piece = try pieces.next() else {
        pending = []
        return line.isEmpty ? nil : try text.line(line)
      }
      pending = piece[...]
    }
  }
}
