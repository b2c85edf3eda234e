import CSQLite
import Foundation

/// What SQLite reported: its codes, its words, and where in the SQL it stumbled.
///
/// Always true: `code` is the low byte of `extendedCode`. The message may name tables and hold text of the SQL, so it
/// is for the engine's error mapper and not for clients.
public struct SQLiteError: Error, Sendable, Equatable {
  /// The primary result code, such as `SQLITE_CONSTRAINT` (19).
  public var code: Int32 { extendedCode & 0xFF }

  /// The extended result code, such as `SQLITE_CONSTRAINT_UNIQUE` (2067).
  public var extendedCode: Int32

  public var message: String

  /// The offset in bytes into the SQL, if the error has one.
  public var offset: Int?

  /// A step failed because SQLite had something to compile and could not, or was not to: the statement anew, where the
  /// schema has changed, or a PRAGMA that is read as a table. The words hold no value.
  package internal(set) var isOfCompilation = false

  /// The file's name and the page whose checksum did not hold, if that is the error.
  public var damagedPage: DamagedPage?

  /// A page whose checksum does not fit its bytes.
  public struct DamagedPage: Sendable, Equatable {
    public var file: String
    public var page: Int
  }

  public init(extendedCode: Int32, message: String, offset: Int? = nil, damagedPage: DamagedPage? = nil) {
    self.extendedCode = extendedCode
    self.message = message
    self.offset = offset
    self.damagedPage = damagedPage
  }

  /// The error that a connection reported last, for a call that returned `result`.
  @usableFromInline
  init(_ result: Int32, on connection: OpaquePointer?) {
    guard let connection else {
      self.init(extendedCode: result, message: String(cString: sqlite3_errstr(result)))
      return
    }
    let reported = sqlite3_extended_errcode(connection)
    let agrees = reported & 0xFF == result & 0xFF
    if result & 0xFF == SQLITE_CANTOPEN, [EMFILE, ENFILE].contains(sqlite3_system_errno(connection)) {
      self.init(extendedCode: SQLiteCode.noDescriptors, message: String(cString: sqlite3_errstr(result)))
      return
    }
    let offset = sqlite3_error_offset(connection)
    self.init(
      extendedCode: agrees ? reported : result,
      message: String(cString: agrees ? sqlite3_errmsg(connection) : sqlite3_errstr(result)),
      offset: agrees && offset >= 0 ? Int(offset) : nil,
      damagedPage: agrees && reported == SQLiteCode.ioData ? Self.damagedPage(on: connection) : nil)
  }

  /// The page of the main database whose checksum did not hold, if that was the error.
  private static func damagedPage(on connection: OpaquePointer) -> DamagedPage? {
    var page: Int64 = 0
    let result = sqlite3_file_control(connection, "main", PageFileRequest.takeDamagedPage, &page)
    guard result == SQLITE_OK, page > 0, let path = sqlite3_db_filename(connection, "main") else { return nil }
    let file = String(cString: path).split(separator: "/").last.map(String.init) ?? ""
    return DamagedPage(file: file, page: Int(page))
  }
}

extension SQLiteError {
  /// What a statement names and SQLite does not find.
  public enum Missing: Sendable, Equatable {
    /// A table, as the statement names it: `items`, `main.items`.
    case table(String)
    case column(String)
    /// A function, an index, a module, a collation, ...
    case other

    /// Nil if the words are about something else. SQLite has one code for all of these and for much else, so its words
    /// decide, and they are read nowhere but here; each is provoked by a test.
    public init?(words: some StringProtocol) {
      let beginning = "no such "
      guard words.prefix(beginning.count).lowercased() == beginning else { return nil }
      let rest = words.dropFirst(beginning.count)
      if let name = Self.name(in: rest, after: "table: ") {
        self = .table(name)
      } else if let name = Self.name(in: rest, after: "column: ") {
        self = .column(name)
      } else {
        self = .other
      }
    }

    private static func name(in words: some StringProtocol, after kind: String) -> String? {
      words.hasPrefix(kind) ? String(words.dropFirst(kind.count)) : nil
    }
  }

  /// Nil for an error about something else.
  public var missing: Missing? { code == SQLiteCode.error ? Missing(words: message) : nil }
}

/// SQLite's primary and extended codes that the engine tells apart, so that it needs no import of the C library.
public enum SQLiteCode {
  public static let error: Int32 = SQLITE_ERROR
  public static let `internal`: Int32 = SQLITE_INTERNAL
  /// A written row does not fulfil the condition on its client's rows.
  public static let rowDenied: Int32 = SQLITE_CONSTRAINT | (100 << 8)
  /// Of this package: a server has the file.
  public static let servedFile: Int32 = SQLITE_CANTOPEN | (101 << 8)
  /// Of this package: the file could not be locked.
  public static let notLockable: Int32 = SQLITE_CANTOPEN | (102 << 8)
  /// A row was to be found again by its rowid, and its table has none.
  public static let rowsNumberless: Int32 = SQLITE_ERROR | (100 << 8)
  /// The operator has denied changes of the schema to clients.
  public static let schemaChangeDenied: Int32 = SQLITE_AUTH | (1 << 8)
  /// Compiling the statement takes longer than it may.
  public static let tooComplex: Int32 = SQLITE_TOOBIG | (1 << 8)
  /// Of this package: reading the schema takes longer than a statement may be compiled for here.
  public static let schemaTooLong: Int32 = SQLITE_TOOBIG | (2 << 8)
  /// Of this package: a value is too long for a statement of so many operators.
  public static let tooLongForOperators: Int32 = SQLITE_TOOBIG | (3 << 8)
  public static let permission: Int32 = SQLITE_PERM
  public static let abort: Int32 = SQLITE_ABORT
  public static let busy: Int32 = SQLITE_BUSY
  public static let locked: Int32 = SQLITE_LOCKED
  public static let noMemory: Int32 = SQLITE_NOMEM
  public static let readOnly: Int32 = SQLITE_READONLY
  /// The directory, or the file, cannot be written.
  public static let readOnlyFile: Int32 = SQLITE_READONLY | (6 << 8)
  /// Of this package: the file came with something that would run when a virtual table is written.
  public static let boundToShadow: Int32 = SQLITE_READONLY | (100 << 8)
  public static let interrupt: Int32 = SQLITE_INTERRUPT
  public static let io: Int32 = SQLITE_IOERR
  /// The system did not read what it was asked for, or the file ends before it.
  public static let ioRead: Int32 = SQLITE_IOERR | (1 << 8)
  public static let ioShortRead: Int32 = SQLITE_IOERR | (2 << 8)
  public static let corrupt: Int32 = SQLITE_CORRUPT
  /// The tables behind a virtual one, such as a full-text index, do not agree with each other or with its content.
  public static let corruptVirtualTable: Int32 = SQLITE_CORRUPT | (1 << 8)
  public static let full: Int32 = SQLITE_FULL
  /// The system did not write what it was given, for another reason than a full disk.
  static let ioWrite: Int32 = SQLITE_IOERR | (3 << 8)
  /// A statement's temporary files would be larger than they may be.
  public static let temporaryFull: Int32 = SQLITE_FULL | (100 << 8)
  /// The file system of the temporary files has no room for them.
  public static let temporaryDiskFull: Int32 = SQLITE_FULL | (101 << 8)
  public static let cannotOpen: Int32 = SQLITE_CANTOPEN
  /// The process, or the system, has no descriptor left for one more file.
  public static let noDescriptors: Int32 = SQLITE_CANTOPEN | (100 << 8)
  public static let schema: Int32 = SQLITE_SCHEMA
  public static let tooBig: Int32 = SQLITE_TOOBIG
  public static let constraint: Int32 = SQLITE_CONSTRAINT
  public static let mismatch: Int32 = SQLITE_MISMATCH
  public static let misuse: Int32 = SQLITE_MISUSE
  public static let authorization: Int32 = SQLITE_AUTH
  public static let range: Int32 = SQLITE_RANGE
  public static let notADatabase: Int32 = SQLITE_NOTADB
  /// SQLCipher was to vacuum a file with page checksums, whose bytes it takes for its own.
  public static let cannotVacuum: Int32 = SQLITE_MISUSE | (102 << 8)
  /// A key was given, and the library encrypts nothing.
  public static let keysMissing: Int32 = SQLITE_MISUSE | (101 << 8)

  public static let constraintCheck = SQLITE_CONSTRAINT | (1 << 8)
  public static let constraintForeignKey = SQLITE_CONSTRAINT | (3 << 8)
  public static let constraintNotNull = SQLITE_CONSTRAINT | (5 << 8)
  public static let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
  public static let constraintTrigger = SQLITE_CONSTRAINT | (7 << 8)
  public static let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
  public static let constraintRowID = SQLITE_CONSTRAINT | (10 << 8)
  public static let constraintDataType = SQLITE_CONSTRAINT | (12 << 8)
  /// What was read is not what was written.
  public static let ioData = SQLITE_IOERR | (32 << 8)
}
