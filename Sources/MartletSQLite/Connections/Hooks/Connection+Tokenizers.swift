import CSQLite

/// Tokenizers of the program, for full-text tables.
extension Connection {
  /// Registers a tokenizer for tables of FTS4 and FTS5: `tokenize="SQLite.swift" "name"`. One of the same name is
  /// replaced for tables that are opened later. Throws if this SQLite has neither.
  package func registerTokenizer(_ name: String, _ next: @escaping NextToken) throws(SQLiteError) {
    if tokenizers.named.isEmpty {
      try registerFTS4()
      try FTS5Tokenizer.register(tokenizers, on: handle)
    }
    let tokenizer = ProgramTokenizer(name, next)
    tokenizer.publish()
    tokenizers.named[name] = tokenizer
  }

  /// SQLite takes the module's address only as a bound value, and not from a text.
  private func registerFTS4() throws(SQLiteError) {
    let statement = try prepare(FixedSQL.registerTokenizer, for: .engine)
    var address = FTS4Tokenizer.module
    try statement.bindText(ProgramTokenizer.module, at: 1)
    try withUnsafeBytes(of: &address) { bytes throws(SQLiteError) in
      try statement.bindBlob(bytes, at: 2)
      _ = try statement.step()
    }
  }
}
