/// Keys with a library that encrypts nothing: each call says so, and leaves everything as it was.
import Foundation
import MartletSQLite
import Testing

@Suite(.disabled(if: SQLiteLibrary.hasKeys)) struct LibraryKeyTests {
  private static let keys: [[UInt8]] = [[], [0], Array("secret".utf8), Array("x'00'; DROP TABLE t; --".utf8)]

  @Test(arguments: keys)
  func `a file is not opened with a key, and none is made`(key: [UInt8]) throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.key = key
    let error = #expect(throws: SQLiteError.self) { try scratch.writer(setup) }
    #expect(error?.extendedCode == SQLiteCode.keysMissing)
    #expect(error?.message == SQLiteLibrary.keysMissingText)
    let bytes = FileManager.default.contents(atPath: scratch.path) ?? Data()
    #expect(bytes.isEmpty)
    try scratch.writer().run("CREATE TABLE t(a)")
    let written = FileManager.default.contents(atPath: scratch.path) ?? Data()
    #expect(Connection.isPlain([UInt8](written)) == true)
  }

  @Test(arguments: keys)
  func `no key is given to a file that is open`(key: [UInt8]) throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t(a)")
    let calls: [() throws -> Void] = [
      { try connection.giveKey(key, to: "main") }, { try connection.rekey(key) },
      { try connection.exportEncrypted(into: "main") },
    ]
    for call in calls {
      let error = #expect(throws: SQLiteError.self) { try call() }
      #expect(error?.extendedCode == SQLiteCode.keysMissing)
    }
    #expect(!connection.hasKey() && connection.cipherVersion == nil)
    try connection.run("INSERT INTO t VALUES (1)")
  }

  @Test func `the words say which library it is and what to do`() {
    #expect(SQLiteLibrary.keysMissingText.contains("SQLite \(SQLiteLibrary.versionText),"))
    #expect(SQLiteLibrary.keysMissingText.contains("trait SQLCipher"))
    #expect(SQLiteLibrary.keysMissingText.hasSuffix("."))
  }

  @Test func `a file is plain if it begins like one, and unknown if nothing is in it`() {
    let header = "SQLite format 3\0"
    let files: [(String, Bool?)] = [
      ("", nil), (header, true), (header + "more", true), ("SQLite format 3", false), ("SQLite format 4\0", false),
      ("\0", false), (String(repeating: "x", count: 100), false), ("s" + header.dropFirst(), false),
    ]
    for (text, isPlain) in files {
      #expect(Connection.isPlain(Array(text.utf8)) == isPlain, "\(text)")
    }
  }
}
