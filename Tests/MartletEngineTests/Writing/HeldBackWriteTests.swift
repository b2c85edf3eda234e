/// Full-text tables write at the commit what they have kept back, and whatever is bound to their tables runs then.
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct HeldBackWriteTests {
  private static let texts = Trees.insert("texts", ["body"])
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// With a trigger on what the full-text table writes, as only an earlier owner of the file can have made it.
  private func shop(_ deed: String) throws -> Shop {
    let shop = try Shop {
      $0.limits.writeTimeMaxMs = 400
      $0.limits.longWriteTurnMaxMs = 400
    }
    try shop.base.sql("CREATE VIRTUAL TABLE texts USING fts5(body)")
    var setup = ConnectionSetup()
    setup.authority = .owner
    let path = shop.base.directory.path + "/test.sqlite"
    let owner = try Connection(path: path, label: "owner", access: .writer, setup: setup) { 0 }
    try owner.execute("CREATE TRIGGER bound AFTER INSERT ON texts_data BEGIN \(deed); END")
    return shop
  }

  /// What came with the file, and its kind and name in the error.
  private static let bound = [
    ("CREATE TRIGGER bound AFTER INSERT ON texts_data BEGIN SELECT 1; END", "trigger 'bound'"),
    ("CREATE UNIQUE INDEX one ON Texts_Data(block)", "index 'one'"),
    ("CREATE TABLE victim(id REFERENCES texts_data(id) ON DELETE CASCADE)", "foreign key of 'victim'"),
  ]

  @Test(arguments: bound)
  func `a file that comes with something on the inside of a virtual table is only read`(
    sql: String, object: String
  ) throws {
    var setup = ConnectionSetup()
    setup.authority = .owner
    var path = ""
    var fault: (any Error)?
    let base = try TemporaryDatabase {
      path = $0.directory + "/test.sqlite"
      do { try Self.makeFile(path, setup, [sql]) } catch { fault = error }
    }
    #expect(fault == nil)
    #expect(try base.sql("SELECT body FROM texts WHERE texts MATCH 'one'").rows == [["one"]])
    for statement in [Trees.raw("INSERT INTO t VALUES (1)"), Trees.raw("CREATE TABLE u(a)")] {
      let error = base.result(statement, []).error
      #expect(error?.message == RequestError.boundToShadow(object).message, "\(String(describing: error))")
    }
    let owner = try Connection(path: path, label: "owner", access: .writer, setup: setup) { 0 }
    #expect(try owner.text(of: "SELECT count(*) FROM t") == "0")
  }

  private static func makeFile(_ path: String, _ setup: ConnectionSetup, _ more: [String]) throws {
    let owner = try Connection(path: path, label: "owner", access: .writer, setup: setup) { 0 }
    for sql in [
      "CREATE VIRTUAL TABLE texts USING fts5(body)", "CREATE TABLE t(a)", "INSERT INTO texts VALUES ('one')",
    ] + more { try owner.execute(sql) }
  }

  /// SQLite would call itself until the stack ends.
  @Test func `no foreign key refers to the inside of a virtual table, whichever of them is made first`() throws {
    let shop = try Shop()
    let refused = "A foreign key of the table 'victim' would refer to the inside of a full-text or R-tree table"
    func refuses(_ sql: String) {
      let error = shop.base.result(Trees.raw(sql), []).error
      #expect(error?.message.hasPrefix(refused) == true, "\(sql): \(String(describing: error))")
    }
    try shop.base.sql("CREATE VIRTUAL TABLE texts USING fts5(body)")
    refuses("CREATE TABLE victim(id REFERENCES texts_data(id) ON DELETE CASCADE)")
    refuses("CREATE TABLE victim(a, id, FOREIGN KEY (id) REFERENCES Texts_Idx)")
    try shop.base.sql("CREATE TABLE victim(a)")
    refuses("ALTER TABLE victim ADD COLUMN id REFERENCES texts_data(id)")
    try shop.base.sql("DROP TABLE victim")
    try shop.base.sql("CREATE TABLE victim(id REFERENCES later_data(id))")
    refuses("CREATE VIRTUAL TABLE later USING fts5(body)")
    refuses("ALTER TABLE texts RENAME TO later")
    try shop.base.sql("CREATE VIRTUAL TABLE other USING fts5(body)")
    try shop.base.sql("CREATE TABLE fine(id REFERENCES item(id), t REFERENCES nowhere_data(id))")
    for word in ["one", "two"] { try shop.base.run(Self.texts, [.text(word)]) }
    #expect(try shop.base.sql("SELECT count(*) FROM texts").rows == [[.integer(2)]])
  }

  @Test func `what runs at a commit fails its own write, in time, and no neighbour's`() throws {
    let shop = try shop(Self.endless)
    var innocents: [RequestToken] = []
    var guilty: RequestToken?
    shop.together {
      innocents.append(shop.start(Shop.insertItem, [1, "a", 1]).token)
      guilty = shop.start(Self.texts, ["one"]).token
      innocents.append(shop.start(Shop.insertItem, [2, "b", 1]).token)
      innocents.append(shop.start(Shop.insertItem, [3, "c", 1]).token)
    }
    for token in innocents { #expect(shop.sink.outcome(of: token).error == nil) }
    let error = shop.sink.outcome(of: try #require(guilty)).error
    #expect(error != nil && error?.reason != .fenced && error?.isOutcomeUnknown == false)
    #expect(!shop.database.isFenced)
    #expect(try shop.base.run(Shop.items).rows.count == 3)
    #expect(try shop.base.sql("SELECT count(*) FROM texts").rows == [[.integer(0)]])
  }

  @Test(arguments: [
    endless, "SELECT json('{')", "SELECT abs(-9223372036854775807 - 1)", "INSERT INTO nowhere SELECT 1",
  ])
  func `a transaction whose commit fails or does not end is rolled back, and the writer goes on`(deed: String) throws {
    let shop = try shop(deed)
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    #expect(shop.sink.outcome(of: begin).error == nil)
    let insert = shop.sink.token()
    _ = transaction.start(
      StatementRequest(source: .statement(Self.texts), parameters: ["one"], deadline: .distantFuture, credit: .max),
      token: insert, sink: shop.sink)
    #expect(shop.sink.outcome(of: insert).error == nil)
    let finish = shop.sink.token()
    transaction.finish(commit: true, token: finish, sink: shop.sink)
    let error = try #require(shop.sink.outcome(of: finish).error)
    #expect(!error.isOutcomeUnknown && error.reason != .fenced, "\(deed): \(error)")
    #expect((error == .commitTooLong(mostMs: 400)) == (deed == Self.endless), "\(deed): \(error)")
    #expect(try shop.base.run(Shop.insertItem, [1, "a", 1]).completion?.rowsChanged == 1)
    #expect(!shop.database.isFenced)
  }
}
