/// Fixed texts with a name, a key or a number in them: SQLite takes each for what it was.
import Testing

@testable import MartletSQLite

@Suite struct FixedSQLTests {
  /// Names that would end a name in quotes, or the statement, if they were only put between quotes.
  static let hostile = [
    "plain", "Two Words", "select", "o'brien", "say \"x\"", "\"", "\"\"", "a\"); DROP TABLE kept; --", "';--", "a;b",
    "[x]", "`x`", "-- x", "/* x", "x\n\ty", "\\", "%s", "?1", ":a", "\u{202E}gnp", "Ünïcode 🐦", "\"\u{301}",
    "é\"\u{301}",
    String(repeating: "n", count: 5_000), String(repeating: "\"", count: 300),
  ]

  @Test(arguments: hostile)
  func `a table and its columns have the names that were asked for`(name: String) throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE kept(a)")
    try connection.execute(FixedSQL.createTable(name, columns: ["a" + name, name, "c"]))
    #expect(try connection.tableNames().contains("kept"))
    #expect(try PageFixture.rows("SELECT name FROM sqlite_schema WHERE name <> 'kept'", connection) == [name])
    let columns = try connection.prepare("SELECT name FROM pragma_table_info(?1)", for: .engine)
    try columns.bindText(name, at: 1)
    var found: [String] = []
    while try columns.step() { found.append(String(decoding: columns.value(at: 0).textBytes, as: UTF8.self)) }
    // By bytes: some of these are equal to Swift and not to SQLite.
    #expect(found.map { Array($0.utf8) } == ["a" + name, name, "c"].map { Array($0.utf8) })
  }

  @Test(arguments: ["nul\0", "\0", "a\0b", "a\0\") ; DROP TABLE kept; --"])
  func `a name with a zero byte is refused, and nothing is made`(name: String) throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE kept(a)")
    for sql in [
      FixedSQL.createTable(name, columns: ["a"]), FixedSQL.createTable("t", columns: [name]),
      FixedSQL.readSchemaCount(of: name), FixedSQL.readSalt(of: name), FixedSQL.key([1], of: name),
      FixedSQL.rekey([1], of: name), FixedSQL.exportEncrypted(into: name),
    ] {
      #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    }
    #expect(try PageFixture.rows("SELECT name FROM sqlite_schema", connection) == ["kept"])
  }

  @Test(arguments: hostile)
  func `a schema that is attached is asked by the name that it was given`(name: String) throws {
    var setup = ConnectionSetup()
    setup.attachedMax = 1
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: setup, clock: { 0 })
    let attach = try connection.prepare("ATTACH ':memory:' AS ?1", for: .engine)
    try attach.bindText(name, at: 1)
    #expect(try !attach.step())
    #expect(try connection.text(of: FixedSQL.readSchemaCount(of: name)) == "0")
    #expect(throws: SQLiteError.self) { try connection.text(of: FixedSQL.readSchemaCount(of: name + "x")) }
    #expect(try connection.text(of: FixedSQL.readSchemaCount(of: "main")) == "0")
  }

  /// SQLite ignores a pragma that it does not know, so that it also takes what SQLCipher alone understands.
  @Test func `a key is digits, whatever its bytes are, and each text is one statement`() throws {
    let connection = try Connection.inMemory()
    let keys: [([UInt8], String)] = [
      ([], ""), ([0], "00"), ([0, 1, 15, 16, 255], "00010f10ff"), (Array("'; --".utf8), "273b202d2d"),
      (Array(repeating: 171, count: 4_096), String(repeating: "ab", count: 4_096)),
    ]
    for (key, digits) in keys {
      for sql in [FixedSQL.key(key, of: "main"), FixedSQL.rekey(key, of: "ma\"in")] {
        #expect(sql.hasSuffix("='\(digits)'"))
        #expect(sql.filter { $0 == "'" }.count == 2)
      }
      guard !SQLiteLibrary.hasKeys else { continue }
      try connection.execute(FixedSQL.key(key, of: "main"))
    }
  }

  @Test(arguments: hostile)
  func `an export names the schema in a text, which SQLite reads as it was`(name: String) throws {
    let connection = try Connection.inMemory()
    let sql = FixedSQL.exportEncrypted(into: name)
    let asText = sql.replacing("sqlcipher_export", with: "hex")
    #expect(sql != asText)
    let digits = name.utf8.map { byte in
      let hex = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "0" + hex : hex
    }
    #expect(try connection.text(of: asText) == digits.joined())
  }

  @Test func `numbers are in force as they were given`() throws {
    let connection = try Connection.inMemory()
    for isOn in [false, true, false] {
      try connection.execute(FixedSQL.foreignKeys(isOn: isOn))
      #expect(try connection.text(of: FixedSQL.readForeignKeys) == (isOn ? "1" : "0"))
    }
    for pages in [1, 77, 1 << 20] {
      #expect(try connection.text(of: FixedSQL.maxPages(pages)) == String(pages))
      #expect(try connection.text(of: FixedSQL.readMaxPages) == String(pages))
    }
    for kibibytes in [64, 8_192] {
      try connection.execute(FixedSQL.cacheSize(kibibytes: kibibytes))
      #expect(try connection.text(of: "PRAGMA cache_size") == "-\(kibibytes)")
    }
    for bytes in [0, 4_096, 5 << 30] {
      #expect(try connection.text(of: FixedSQL.journalSizeLimit(bytes: bytes)) == String(bytes))
    }
  }

  @Test(arguments: [1, 2, 512])
  func `a table of bound rows declares that many columns and one that is hidden`(count: Int) throws {
    let connection = try Connection.inMemory()
    try connection.execute(FixedSQL.rowsTable(columnCount: count))
    let found = try PageFixture.rows("SELECT name FROM pragma_table_info('x')", connection)
    #expect(found == (0..<count).map { "c\($0)" } + ["rows"])
  }

  /// A fixed text with an error in it would show only where it is used.
  @Test func `SQLite compiles each text that needs no virtual table`() throws {
    let connection = try Connection.inMemory()
    let texts =
      [
        FixedSQL.journalModeWAL, FixedSQL.synchronousFull, FixedSQL.queryOnly, FixedSQL.queryAndPrepare,
        FixedSQL.foreignKeyCheck, FixedSQL.twoRows, FixedSQL.markLike, FixedSQL.firstGlob, FixedSQL.firstVirtualTable,
        FixedSQL.virtualTablesAndViews, FixedSQL.foreignKeys, FixedSQL.columnNames, FixedSQL.primaryKey,
        FixedSQL.readSchemaVersion, FixedSQL.readSchema, FixedSQL.readSchemaSize, FixedSQL.tableNames,
        FixedSQL.readForeignKeys, FixedSQL.readJournalMode, FixedSQL.readSynchronous, FixedSQL.readPageSize,
        FixedSQL.readPageCount, FixedSQL.readMaxPages, FixedSQL.readFreePages, FixedSQL.vacuum, FixedSQL.listTable,
      ] + FixedSQL.everywhere
    for sql in texts { _ = try connection.prepare(sql, for: .engine) }
    #expect(try connection.text(of: FixedSQL.readPageSize) == "4096")
  }
}
