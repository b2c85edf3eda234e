/// One server, two ways in: what clients over TCP are denied, those on the Unix socket have, and neither sees what the
/// other's statements left in the caches.
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct SubjectTests {
  private static func reason(_ answer: RawClient.Answer) -> RequestError.Reason? { answer.error?.reason }

  private static let fragment: [UInt8] = {
    var part = ASTRaw.Part()
    part.sql = "1"
    var column = ASTResultColumn()
    column.expression.raw.parts = [part]
    var select = ASTSelect()
    select.columns = [column]
    var tree = ASTStatement()
    tree.select = select
    return tree.bytes
  }()

  @Test func `text is refused over TCP in every place while the Unix socket takes it`() throws {
    let live = try LiveServer(loops: 1, deniedOverTCP: [.raw])
    let trusted = try RawClient(live.unix, database: "db")
    let other = try RawClient(live.tcp, database: "db")
    try #expect(trusted.execute(2, "CREATE TABLE t(a)").error == nil)
    var id: UInt32 = 10
    let texts = ["SELECT count(*) FROM t", "DELETE FROM t"].map { ASTStatement.raw($0).bytes }
    for bytes in texts + [Self.fragment] {
      let shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
      for source in [StatementSource.statement(bytes), .shape(shape)] {
        for _ in 0..<3 {
          id += 10
          trusted.send(id, .execute(.init(source: source)))
          #expect(try trusted.answer(id).error == nil)
          other.send(id, .execute(.init(source: source)))
          #expect(try Self.reason(other.answer(id)) == .permission)
          other.send(id + 1, .batch(.init(steps: [.init(source: source)])))
          #expect(try Self.reason(other.answer(id + 1)) == .permission)
          let kinds: [(UInt32, TransactionMode)] = [(2, .read), (5, .write)]
          for (offset, kind) in kinds {
            other.send(id + offset, .begin(kind, deadlineMs: 0))
            #expect(try other.answer(id + offset).error == nil)
            other.send(id + offset + 1, .execute(.init(source: source, transaction: id + offset)))
            #expect(try Self.reason(other.answer(id + offset + 1)) == .permission)
            other.send(id + offset + 2, .finish(transaction: id + offset, commit: true))
            #expect(try other.answer(id + offset + 2).error == nil)
          }
        }
      }
    }
  }

  @Test func `a setup of text is refused to those who may not send text, also when others have it open`() throws {
    let live = try LiveServer(loops: 1, deniedOverTCP: [.raw])
    let setup = [ASTStatement.raw("CREATE TEMPORARY VIEW v AS SELECT 1").bytes]
    for (url, isRefused) in [(live.tcp, true), (live.unix, false), (live.tcp, true), (live.unix, false)] {
      let client = try RawClient(url)
      client.send(1, .hello(.init(database: "db", create: true, setup: setup)))
      let part = try client.receive().parts.first
      if case .error(let error)? = part {
        #expect(isRefused && error.reason == .permission)
      } else {
        #expect(!isRefused)
      }
    }
  }

  @Test func `text that did nothing when it was compiled changes no schema later`() throws {
    let live = try LiveServer(loops: 1, deniedOverTCP: [.schema])
    let trusted = try RawClient(live.unix, database: "db")
    let other = try RawClient(live.tcp, database: "db")
    try #expect(trusted.execute(2, "CREATE TABLE t(a)").error == nil)
    let drops = [
      "DROP TABLE IF EXISTS u", "DROP INDEX IF EXISTS i", "DROP VIEW IF EXISTS v", "DROP TRIGGER IF EXISTS x",
    ]
    var id: UInt32 = 10
    for round in 0..<3 {
      for drop in drops {
        id += 1
        let answer = try other.execute(id, drop)
        #expect(round == 0 ? answer.error == nil : Self.reason(answer) == .permission, "\(drop) \(answer)")
      }
      if round == 0 {
        for make in [
          "CREATE TABLE u(a)", "CREATE INDEX i ON t(a)", "CREATE VIEW v AS SELECT 1",
          "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END",
        ] {
          id += 1
          try #expect(trusted.execute(id, make).error == nil)
        }
      }
    }
    id += 1
    let count = try trusted.execute(id, "SELECT count(*) FROM sqlite_schema")
    #expect(count.rows == [[.integer(5)]])
    // Those who may do it with the same text, and afterwards the others may not again.
    for drop in drops {
      id += 1
      let answer = try trusted.execute(id, drop)
      #expect(answer.error == nil, "\(drop)")
    }
    id += 1
    try #expect(trusted.execute(id, "CREATE TABLE u(a)").error == nil)
    id += 1
    try #expect(Self.reason(other.execute(id, drops[0])) == .permission)
  }

  @Test func `a drop of what is not there is a write all the same`() throws {
    let live = try LiveServer(loops: 1)
    let client = try RawClient(live.tcp, database: "db")
    var id: UInt32 = 10
    func run(_ sql: String) throws {
      id += 1
      let answer = try client.execute(id, sql)
      #expect(answer.error == nil, "\(sql)")
    }
    try run("CREATE TABLE t(a)")
    for _ in 0..<3 {
      for sql in [
        "DROP TRIGGER IF EXISTS x", "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END",
        "DROP TRIGGER IF EXISTS x", "DROP VIEW IF EXISTS v", "CREATE VIEW v AS SELECT 1", "DROP VIEW IF EXISTS v",
        "DROP INDEX IF EXISTS i", "CREATE INDEX i ON t(a)", "CREATE INDEX IF NOT EXISTS i ON t(a)",
        "DROP INDEX IF EXISTS i", "DROP TABLE IF EXISTS u", "CREATE TABLE IF NOT EXISTS u(a)",
        "CREATE TABLE IF NOT EXISTS u(a)", "DROP TABLE IF EXISTS u",
      ] {
        try run(sql)
      }
    }
  }

  @Test func `who may be on another machine reads and writes rows and no more`() {
    let rules = AccessRules(denied: [.drop], deniedOverTCP: [.raw])
    let table: [(Subject.Origin, Permissions)] = [
      (.process(1, user: 2, group: 3), Permissions.all.subtracting(.drop)),
      (.unnamedProcess, Permissions.all.subtracting(.drop)),
      (.address(high: 0, low: 0xffff_7f00_0001, isThisMachine: true), Permissions.all.subtracting([.drop, .raw])),
      (.address(high: 0, low: 0xffff_0a00_0001, isThisMachine: false), []), (.unknownAddress, []),
    ]
    for (origin, permissions) in table {
      #expect(rules.subject(from: origin) == Subject(origin: origin, permissions: permissions), "\(origin)")
    }
  }
}
