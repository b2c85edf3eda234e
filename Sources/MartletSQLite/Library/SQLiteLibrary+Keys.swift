import CSQLite

/// Whether the library can encrypt files: SQLCipher can, and SQLite cannot.
extension SQLiteLibrary {
  /// Whether a connection may have a key.
  package static let hasKeys = isBuilt(with: "HAS_CODEC")

  /// The error if a key is given and the library has none.
  static var keysMissing: SQLiteError {
    SQLiteError(extendedCode: SQLiteCode.keysMissing, message: keysMissingText)
  }

  /// What to do if the library has no keys.
  package static let keysMissingText = """
    This program is built with SQLite \(versionText), which encrypts nothing. Build it with the package's trait \
    SQLCipher, or keep the file on a disk that is encrypted.
    """
}
