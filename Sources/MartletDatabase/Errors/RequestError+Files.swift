import MartletSQLite
import MartletValues

// MARK: - Opening

/// What a program is told of the file or the connection that its database is.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do.
extension RequestError {
  static func cannotOpen(_ path: String, _ error: SQLiteError) -> RequestError {
    RequestError(
      .unavailable, .sqlite, "The file \(path) could not be opened: \(error.message). Check its path and rights.",
      sqliteCode: error.extendedCode)
  }

  static func cannotLock(_ path: String) -> RequestError {
    RequestError(.unavailable, .sqlite, "The file \(path) could not be locked. Check its path and rights.")
  }

  static func servedFile(_ path: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "A Martlet server has the file \(path) open. Connect to it by its URL, or stop it first.")
  }

  /// What a program is told if a file was not opened because of its lock; nil for another error.
  ///
  /// - Parameter path: of the main file; SQLite names one that was to be attached.
  init?(ofLock error: SQLiteError, path: String) {
    let beginning = "unable to open database: "
    let path = error.message.hasPrefix(beginning) ? String(error.message.dropFirst(beginning.count)) : path
    switch error.extendedCode {
    case SQLiteCode.servedFile: self = .servedFile(path)
    case SQLiteCode.notLockable: self = .cannotLock(path)
    default: return nil
    }
  }

  static let poolInMemory = RequestError(
    .invalidArgument, .notAllowed, "Readers of a pool share a file. Use DatabaseQueue for a database in memory.")
}

// MARK: - Closing, and the disk

extension RequestError {
  static let connectionClosed = RequestError(
    .failedPrecondition, .notAllowed, "The connection was closed. Open another one.")

  /// A standing connection is neither a file nor at a server, which cannot be.
  static let noSession = RequestError(.internal, .notAllowed, "The connection has no session.")

  /// A sync failed that should have covered what was written or read.
  static let syncFailed = RequestError(
    .unknown, .fenced,
    "The disk failed while it took a commit, so what was written or read here may be gone after a loss of power. "
      + "Look at the disk, open the database again, and read before writing again.",
    isOutcomeUnknown: true)

  /// The database is asked for something after that.
  static let diskFailed = RequestError(
    .unavailable, .fenced,
    "The disk failed at a commit of this database, so nothing is read or written any more. Look at the disk, then open "
      + "the database again.")
}

// MARK: - Keys

extension RequestError {
  static let keyTooLate = RequestError(
    .failedPrecondition, .notAllowed,
    "The database was used before it got its key. Call `key` first, right after the connection is made.")

  static func notEncrypted(_ schema: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "The database \(schema) is not encrypted, so it has no key to change. Export it into one that is.")
  }

  /// A client has no key to give.
  static let keyOfServer = RequestError(
    .unimplemented, .unsupported,
    "A server has one key for all of its databases: `martlet serve --key-file`, with a martlet that is built with the "
      + "package's trait SQLCipher. A client gives none.")
}

// MARK: - What a server has not

extension RequestError {
  /// - Parameters:
  ///   - what: in the plural, such as "backups".
  ///   - why: what a server does instead, or what to do there, as a sentence.
  static func onlyOnFiles(_ what: String, _ why: String) -> RequestError {
    RequestError(.unimplemented, .unsupported, "There are no \(what) at a server. \(why) Use an embedded database.")
  }

  /// - Parameter what: the beginning of a sentence, such as "A query".
  static func notDeclarable(_ what: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "\(what) cannot stand in prepareDatabase of a remote database: it declares temporary views and triggers only.")
  }
}
