internal import Foundation
internal import MartletEngine
internal import MartletSQLite
package import MartletValues

/// Keys of encrypted files.
///
/// Always true: a server has its own key, and says so; a file that was used without a key gets none.
extension StandingDatabase {
  /// Whether the file is opened by the first call: it is empty, or not what SQLite writes, and may be given a key.
  ///
  /// It is looked at through the descriptor that its lock has: to close another one would take the locks of each
  /// connection that this process has to it.
  func mayWaitForKey(_ path: String, _ configuration: Configuration) throws -> Bool {
    guard SQLiteLibrary.hasKeys, configuration.key == nil, path != ":memory:", !path.isEmpty else { return false }
    // What a URI leads to is seen when it is opened.
    if path.hasPrefix("file:") { return !configuration.readonly }
    if let lock = try? EmbeddedLock.acquire(path, mode: .watching) {
      if let isPlain = Connection.isPlain(lock.firstBytes(16)) { return !isPlain }
      return !configuration.readonly && access(path, W_OK) == 0
    }
    // SQLite makes the file when it is opened, which tells whether it can be made.
    guard !configuration.readonly else { return false }
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    Foundation.close(descriptor)
    return true
  }

  /// Opens the file with a key, or gives it to a database that is attached. Throws `RequestError` for the wrong one.
  package func key(_ key: DatabaseKey, schema: String, migrates: Bool) throws {
    try checkKeys()
    if schema.lowercased() == "main" {
      let isOpened = try open {
        $0.key = key
        $0.migratesKey = migrates
      }
      if isOpened { return }
      throw RequestError.keyTooLate
    }
    try withFile { try $0.giveKey(key.bytes, to: schema) }
  }

  /// Encrypts the file with another key.
  package func rekey(_ key: DatabaseKey, schema: String) throws {
    try checkKeys()
    try withFile { connection in
      guard connection.hasKey(schema) else {
        throw RequestError.notEncrypted(schema)
      }
      try connection.rekey(key.bytes, of: schema)
    }
  }

  /// Whether an attached database would have the key of this one, or fail for lack of it.
  package func needsKeyToAttach() throws -> Bool {
    guard SQLiteLibrary.hasKeys, let connection = try opened()?.connection else { return false }
    return !connection.hasKey()
  }

  /// Copies everything into a database that is attached.
  package func export(into schema: String) throws {
    try checkKeys()
    try withFile { try $0.exportEncrypted(into: schema) }
  }

  /// The version of SQLCipher; nil if the library is SQLite, and at a server.
  package func cipherVersion() throws -> String? { isRemote ? nil : try opened()?.connection.cipherVersion }

  /// Throws if a key cannot be used here.
  package func checkKey(_ key: DatabaseKey) throws { try checkKeys() }

  private func checkKeys() throws {
    if isRemote {
      throw RequestError.keyOfServer
    }
    if !SQLiteLibrary.hasKeys { throw RequestError.keysMissing }
  }

  private func withFile(_ body: (Connection) throws -> Void) throws {
    guard let connection = try opened()?.connection else { return }
    do {
      try body(connection)
    } catch let error as SQLiteError {
      throw RequestError(error)
    }
  }
}
