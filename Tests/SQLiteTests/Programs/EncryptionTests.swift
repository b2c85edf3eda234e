import Foundation
import MartletDatabase
import MartletSQLite
import MartletTestSupport
import MartletValues
import SQLite
import Testing

/// Encrypted files. What needs SQLCipher is skipped if the library is SQLite; scripts/test-sqlcipher runs all of it.
@Suite struct EncryptionTests {
  private static let raw = "x'\(String(repeating: "0123456789abcdef", count: 4))'"

  @Test(.enabled(if: !SQLiteLibrary.hasKeys), arguments: [Place.memory, .file])
  func `without SQLCipher a key says what is missing`(_ place: Place) throws {
    let open = try place.open()
    let calls: [() throws -> Void] = [
      { try open.db.key("secret") }, { try open.db.key(Blob(bytes: [1])) }, { try open.db.rekey("secret") },
      { try open.db.keyAndMigrate("secret") }, { try open.db.sqlcipher_export(.uri(open.path + "2"), key: "secret") },
      { try open.db.attach(.uri(open.path + "3"), as: "other", key: "secret") },
      {
        var configuration = Configuration()
        configuration.key = try DatabaseKey("secret")
        _ = try DatabaseQueue(path: open.path + "4", configuration: configuration)
      },
    ]
    for call in calls { fails(call) { "\($0)".contains("trait SQLCipher") && !"\($0)".contains("secret") } }
    #expect(open.db.cipherVersion == nil)
    try open.db.createUsers()
  }

  @Test func `a server has a key of its own`() throws {
    let open = try Place.server.open()
    let calls: [() throws -> Void] = [
      { try open.db.key("secret") }, { try open.db.rekey("secret") }, { try open.db.keyAndMigrate("secret") },
      { try open.db.sqlcipher_export(.inMemory, key: "secret") },
    ]
    for call in calls { fails(call) { "\($0)".contains("server") && !"\($0)".contains("secret") } }
    #expect(open.db.cipherVersion == nil)
  }

  // MARK: - With SQLCipher

  @Test(.enabled(if: SQLiteLibrary.hasKeys), arguments: ["secret", "with 'quotes\" and ü", raw])
  func `an encrypted file is read with its key alone`(_ key: String) throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/encrypted.sqlite3"
    do {
      let db = try Connection(path)
      try db.key(key)
      try db.createUsers()
      try db.run(users.insertMany((0..<100).map { [email <- "marker number \($0)"] }))
      #expect(try db.scalar("PRAGMA journal_mode") as? String == "wal")
      #expect(try db.integrityCheck().isEmpty)
      // The log has them too until it is moved.
      #expect(!Self.holds("marker", in: [path, path + "-wal"]))
      try db.checkpoint(.truncate)
    }
    #expect(!Self.holds("marker", in: [path]))
    #expect(!Self.holds("SQLite format 3", in: [path]))
    do {
      let db = try Connection(path, readonly: true)
      try db.key(key)
      #expect(try db.scalar(users.count) == 100)
    }
    for wrong in [nil, "Secret", "secret "] as [String?] {
      let db = try Connection(path)
      fails {
        if let wrong { try db.key(wrong) }
        _ = try db.scalar(users.count)
      } check: {
        "\($0)".contains("file is not a database") && "\($0)".contains("key")
      }
      // Another key may be tried.
      if wrong != nil { #expect(throws: Never.self) { try db.key(key) } }
    }
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `the key comes first`() throws {
    let open = try Place.file.open()
    open.db.busyTimeout = 1
    open.db.trace { _ in }
    open.db.busyHandler { _ in false }
    try open.db.key("secret")
    try open.db.createUsers()
    fails {
      try open.db.key("other")
    } check: {
      "\($0)".contains("first")
    }
    let plain = try Place.file.open()
    try plain.db.createUsers()
    fails {
      try plain.db.key("secret")
    } check: {
      "\($0)".contains("first")
    }
    let again = try plain.another()
    fails {
      try again.key("secret")
    } check: {
      "\($0)".contains("first") || "\($0)".contains("not a database")
    }
    #expect(try again.scalar(users.count) == 0)
    fails {
      try plain.another().key("")
    } check: {
      "\($0)".contains("0 bytes")
    }
    fails {
      try plain.db.rekey("secret")
    } check: {
      "\($0)".contains("not encrypted")
    }
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `a key is changed`() throws {
    let open = try Place.file.open()
    try open.db.key("old")
    try open.db.createUsers()
    try open.db.run(users.insert(email <- "a"))
    try open.db.rekey("new")
    #expect(try open.db.scalar(users.count) == 1)
    fails {
      try open.another().key("old")
    } check: {
      "\($0)".contains("not a database")
    }
    let again = try open.another()
    try again.key("new")
    #expect(try again.scalar(users.count) == 1)
    try again.rekey(Blob(bytes: [0, 39, 255]))
    let bytes = try open.another()
    try bytes.key(Blob(bytes: [0, 39, 255]))
    #expect(try bytes.scalar(users.count) == 1)
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `a database is exported into an encrypted one and back`() throws {
    let directory = TemporaryDirectory()
    let plain = try Place.file.open()
    try plain.db.createUsers()
    try plain.db.run(users.insert(email <- "a"))
    try plain.db.execute(
      """
      CREATE VIEW names AS SELECT email FROM users; CREATE INDEX byName ON users (name);
      CREATE TRIGGER t AFTER INSERT ON users BEGIN UPDATE users SET name = 'x'; END; PRAGMA user_version = 3;
      """)
    let path = directory.path + "/it's \"encrypted\".sqlite3"
    try plain.db.sqlcipher_export(.uri(path), key: "it's")
    let encrypted = try Connection(path)
    try encrypted.key("it's")
    #expect(try encrypted.schema.objectDefinitions().count == plain.db.schema.objectDefinitions().count)
    #expect(try encrypted.scalar("SELECT email FROM names") as? String == "a")
    #expect(!Self.holds("CREATE TABLE", in: [path]))
    let back = directory.path + "/plain.sqlite3"
    try encrypted.sqlcipher_export(.uri(back), key: "")
    #expect(try Connection(back).scalar(users.count) == 1)
    fails {
      try encrypted.sqlcipher_export(.uri(back), key: "")
    } check: {
      "\($0)".contains("already exists")
    }
    #expect(try encrypted.scalar("SELECT count(*) FROM pragma_database_list") as? Int64 == 1)
    // Defended again.
    fails {
      try encrypted.run("DELETE FROM sqlite_master")
    } check: {
      "\($0)".contains("sqlite_master")
    }
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `an encrypted file is attached with its key`() throws {
    let (first, second) = (try Place.file.open(), try Place.file.open())
    try first.db.key("one")
    try first.db.createUsers()
    try first.db.run(users.insert(email <- "a"))
    try second.db.attach(.uri(first.path), as: "other", key: "one")
    #expect(try second.db.scalar(Table("users", database: "other").count) == 1)
    try second.db.detach("other")
    fails {
      try second.db.attach(.uri(first.path), as: "other", key: "two")
    } check: {
      "\($0)".contains("not a database") && !"\($0)".contains("two")
    }
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `a file of a former version is migrated`() throws {
    let open = try Place.file.open()
    try open.db.key("passphrase")
    try open.db.createUsers()
    try open.db.execute(
      """
      ATTACH DATABASE '\(open.path)3' AS former KEY 'passphrase'; PRAGMA former.cipher_compatibility = 3;
      SELECT sqlcipher_export('former'); DETACH DATABASE former;
      """)
    let db = try Connection(open.path + "3")
    fails {
      try db.key("passphrase")
    } check: {
      "\($0)".contains("not a database")
    }
    try db.keyAndMigrate("passphrase")
    #expect(try db.scalar(users.count) == 0)
    let again = try Connection(open.path + "3")
    try again.key("passphrase")
    #expect(try again.scalar(users.count) == 0)
    #expect(again.cipherVersion?.isEmpty == false)
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `queues and pools open encrypted files`() async throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/pool.sqlite3"
    var configuration = Configuration()
    configuration.key = try DatabaseKey(Self.raw)
    let pool = try DatabasePool(path: path, configuration: configuration)
    try await pool.write { db in
      try db.run(Table("t").create { $0.column(email) })
      try db.run(Table("t").insert(email <- "marker"))
    }
    #expect(try await pool.read { try $0.scalar(Table("t").count) } == 1)
    #expect(!Self.holds("marker", in: [path, path + "-wal"]))
    #expect(!"\(configuration)".contains("0123") && !"\(String(reflecting: configuration))".contains("0123"))
    #expect(throws: (any Error).self) { _ = try DatabaseQueue(path: path) }
  }

  @Test(.enabled(if: SQLiteLibrary.hasKeys)) func `damage of an encrypted file is an error`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/damaged.sqlite3"
    do {
      let db = try Connection(path)
      try db.key(Self.raw)
      try db.createUsers()
      try db.run(users.insertMany((0..<5000).map { [email <- "user number \($0)"] }))
      try db.checkpoint(.truncate)
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[4096 * 9 + 100] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let db = try Connection(path)
    try db.key(Self.raw)
    fails {
      _ = try db.column(users, id)
    } check: {
      "\($0)".contains("code: 11")
    }
  }

  /// A server whose files are encrypted, and what the disk has of them.
  @Test(.enabled(if: SQLiteLibrary.hasKeys), arguments: [raw, "a passphrase"])
  func `a server with a key file encrypts its databases`(_ key: String) throws {
    let directory = TemporaryDirectory()
    let keyFile = directory.path + "/key"
    #expect(
      FileManager.default.createFile(
        atPath: keyFile, contents: Data("\(key)\n".utf8), attributes: [.posixPermissions: 0o600]))
    let data = directory.path + "/data"
    let files = [data + "/shop.sqlite", data + "/shop.sqlite-wal"]
    do {
      let server = try TestServer(directory: data, keyFile: keyFile)
      let db = try Connection("\(server.url("shop"))")
      try db.createUsers()
      try db.run(users.insertMany((0..<500).map { [email <- "marker \($0)"] }))
      #expect(try db.scalar(users.count) == 500)
      #expect(try db.scalar("SELECT email FROM users WHERE id = 7") as? String == "marker 6")
      for sql in [
        "PRAGMA key = 'x'", "PRAGMA rekey = 'x'", "PRAGMA hexrekey = 'ff'", "PRAGMA cipher_salt",
        "PRAGMA cipher_export_key", "SELECT sqlcipher_export('temp')", "ATTACH 'x' AS y KEY 'z'",
      ] {
        fails {
          try db.execute(sql)
        } check: {
          "\($0)".contains("not")
        }
      }
      #expect(!Self.holds("marker", in: files))
      db.close()
      server.stop()
    }
    #expect(!Self.holds("marker", in: files))
    // The file is one of SQLCipher's.
    let file = try Connection(files[0])
    try file.key(key)
    #expect(try file.scalar(users.count) == 500)
    file.close()
    let again = try TestServer(directory: data, keyFile: keyFile)
    #expect(try Connection("\(again.url("shop"))").scalar(users.count) == 500)
    again.stop()
    let without = try TestServer(directory: data)
    fails {
      _ = try Connection("\(without.url("shop"))").scalar(users.count)
    } check: {
      "\($0)".contains("not a database") || "\($0)".contains("encrypted")
    }
  }

  @Test(.enabled(if: !SQLiteLibrary.hasKeys)) func `a server without SQLCipher takes no key`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/key"
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data("secret".utf8), attributes: [.posixPermissions: 0o600]))
    fails {
      _ = try TestServer(directory: directory.path + "/data", keyFile: path)
    } check: {
      "\($0)".contains("trait SQLCipher")
    }
  }

  @Test(arguments: [("secret", 0o644), ("", 0o600), (String(repeating: "k", count: 5000), 0o600), (nil, 0)])
  func `a server refuses a key file that is none`(_ content: String?, _ mode: Int) throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/key"
    if let content {
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: Data(content.utf8), attributes: [.posixPermissions: mode]))
    }
    fails {
      _ = try TestServer(directory: directory.path + "/data", keyFile: path)
    } check: {
      "\($0)".contains("key") && !"\($0)".contains("secret")
    }
  }

  private static func holds(_ text: String, in paths: [String]) -> Bool {
    paths.contains { path in
      (FileManager.default.contents(atPath: path) ?? Data()).range(of: Data(text.utf8)) != nil
    }
  }
}
