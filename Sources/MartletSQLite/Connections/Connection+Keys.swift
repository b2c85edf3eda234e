import CSQLite

/// The keys of encrypted files, if the library is SQLCipher.
///
/// Always true: a key is handed over in hexadecimal digits, so no key can be SQL.
extension Connection {
  /// Sets the key that opens the file, before anything of it is read. Throws `SQLiteCode.keysMissing` if the library
  /// cannot encrypt.
  func apply(key: [UInt8]) throws(SQLiteError) {
    guard SQLiteLibrary.hasKeys else { throw SQLiteLibrary.keysMissing }
    // SQLCipher would write to the process's error output. Each error that matters is thrown anyway.
    try execute(FixedSQL.cipherLogOff)
    try execute(FixedSQL.key(key, of: "main"))
  }

  /// Reads the file's first page. Throws `SQLiteCode.notADatabase` if the key is wrong.
  func checkKey() throws(SQLiteError) { try execute(FixedSQL.readSchemaCount(of: "main")) }

  /// Sets the key of a database that was attached without it. Throws `SQLiteCode.notADatabase` if the key is wrong.
  package func giveKey(_ key: [UInt8], to schema: String) throws(SQLiteError) {
    guard SQLiteLibrary.hasKeys else { throw SQLiteLibrary.keysMissing }
    try execute(FixedSQL.key(key, of: schema))
    try execute(FixedSQL.readSchemaCount(of: schema))
  }

  /// Whether a key was given for the database.
  package func hasKey(_ schema: String = "main") -> Bool {
    SQLiteLibrary.hasKeys && (try? text(of: FixedSQL.readSalt(of: schema))) != nil
  }

  /// Rewrites an encrypted file for another key, which takes as long as writing all of it. Throws inside of a
  /// transaction.
  package func rekey(_ key: [UInt8], of schema: String = "main") throws(SQLiteError) {
    guard SQLiteLibrary.hasKeys else { throw SQLiteLibrary.keysMissing }
    try execute(FixedSQL.rekey(key, of: schema))
  }

  /// The version of SQLCipher; nil if the library is another one.
  package var cipherVersion: String? { SQLiteLibrary.hasKeys ? try? text(of: FixedSQL.cipherVersion) : nil }

  /// Copies everything into a database that is attached, encrypted or not.
  package func exportEncrypted(into schema: String) throws(SQLiteError) {
    guard SQLiteLibrary.hasKeys else { throw SQLiteLibrary.keysMissing }
    // The copy writes views and triggers into the other schema's catalogue.
    var inForce: Int32 = -1
    _ = martlet_sqlite_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0, &inForce)
    defer { _ = martlet_sqlite_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, &inForce) }
    try execute(FixedSQL.exportEncrypted(into: schema))
  }

  /// Whether a file that begins with these bytes has SQLite's own header; nil if it is empty.
  package static func isPlain(_ bytes: [UInt8]) -> Bool? {
    bytes.isEmpty ? nil : bytes.starts(with: "SQLite format 3\0".utf8)
  }
}
