internal import MartletDatabase
internal import MartletValues

/// Encrypted files, if the package is built with its trait SQLCipher.
///
/// A text of the form `x'…'` with 64 hexadecimal digits is the key itself; any other is a passphrase, from which the
/// key is derived when the file is opened.
extension Connection {
  /// Opens an encrypted file, or makes a new one encrypted; the first call on a connection.
  ///
  /// ```swift
  /// let db = try Connection("path/to/encrypted.sqlite3")
  /// try db.key("secret")
  /// ```
  ///
  /// Throws `Result` if the key is wrong (another one may be tried then), if the file is not encrypted or was used
  /// before, if this program is built without SQLCipher, and at a server, which has a key of its own.
  public func key(_ key: String, db: String = "main") throws { try give(key, db) }

  /// Opens an encrypted file with bytes in place of a text.
  public func key(_ key: Blob, db: String = "main") throws { try give(key.bytes, db) }

  /// As `key`, and rewrites a file of SQLCipher 1 to 3 for the version that this program has.
  public func keyAndMigrate(_ key: String, db: String = "main") throws { try give(key, db, migrates: true) }

  /// As `key`, and rewrites a file of SQLCipher 1 to 3 for the version that this program has.
  public func keyAndMigrate(_ key: Blob, db: String = "main") throws { try give(key.bytes, db, migrates: true) }

  /// Encrypts an encrypted file with another key, which writes all of it. Throws `Result` if it is not encrypted,
  /// inside of a transaction, and if `key` throws.
  public func rekey(_ key: String, db: String = "main") throws {
    try on(writes: true) { try $0.rekey(DatabaseKey(key), schema: db) }
  }

  /// Encrypts an encrypted file with another key, in bytes.
  public func rekey(_ key: Blob, db: String = "main") throws {
    try on(writes: true) { try $0.rekey(DatabaseKey(bytes: key.bytes), schema: db) }
  }

  /// The version of SQLCipher; nil if this program is built without it, and at a server.
  public var cipherVersion: String? { (try? on { try $0.cipherVersion() }) ?? nil }

  /// Copies everything into a new file that is encrypted with `key`; with an empty key, into one that is not encrypted.
  ///
  /// ```swift
  /// let db = try Connection("path/to/unencrypted.sqlite3")
  /// try db.sqlcipher_export(.uri("encrypted.sqlite3"), key: "secret")
  /// ```
  ///
  /// Throws `Result` if `key` and `attach` throw, and if the other file has a table of one of the names.
  public func sqlcipher_export(_ location: Location, key: String) throws {
    let schema = "cipher_export"
    try attach(location, as: schema, key: key)
    do {
      try on(writes: true) { try $0.export(into: schema) }
    } catch {
      try? detach(schema)
      throw error
    }
    try detach(schema)
  }

  private func give(_ key: String, _ schema: String, migrates: Bool = false) throws {
    try give(Array(key.utf8), schema, migrates: migrates)
  }

  private func give(_ bytes: [UInt8], _ schema: String, migrates: Bool = false) throws {
    try unopened { try $0.key(DatabaseKey(bytes: bytes), schema: schema, migrates: migrates) }
  }

  /// Throws if a key cannot be used here, as `DatabaseKey` and the library say.
  func checkKeys(_ key: String) throws { try unopened { try $0.checkKey(DatabaseKey(key)) } }
}
