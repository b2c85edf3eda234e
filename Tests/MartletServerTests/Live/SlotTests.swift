/// Things that are few and that many want: setups and open databases. A client that holds them and does nothing keeps
/// nobody out.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine
@testable import MartletServer

@Suite(.serialized) struct SlotTests {
  private func connect(_ live: LiveServer, _ database: String, view number: Int) throws -> RawClient {
    let client = try RawClient(live.tcp)
    let setup = [ASTStatement.raw("CREATE TEMPORARY VIEW mine AS SELECT \(number) AS x").bytes]
    client.send(1, .hello(.init(database: database, create: true, setup: setup)))
    guard case .hello? = try client.receive().parts.first else { throw RawClient.Failure(message: "no hello") }
    return client
  }

  @Test func `any number of sessions has setups of its own, and each goes on to see its own`() throws {
    var limits = Limits()
    limits.setupsPerDatabaseMax = 2
    limits.setupReaderConnectionsMax = 2
    let live = try LiveServer(limits: limits)
    try live.connect().execute(2, "CREATE TABLE t(a)")
    let clients = try (0..<24).map { try connect(live, "db", view: $0) }
    for round in 0..<3 as Range<UInt32> {
      for (number, client) in clients.enumerated() {
        let id = 10 + round * 10
        // On the loop if it has a reader, on the pool because it takes long, and on the writer.
        #expect(try client.execute(id, "SELECT x FROM mine").rows == [[.integer(Int64(number))]])
        let long =
          "SELECT max(x) FROM mine, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
          + " SELECT i FROM n)"
        #expect(try client.execute(id + 1, long).rows == [[.integer(Int64(number))]])
        #expect(try client.execute(id + 2, "INSERT INTO t SELECT x FROM mine").error == nil)
      }
    }
    #expect(try live.connect().execute(2, "SELECT count(*), count(DISTINCT a) FROM t").rows == [[72, 24]])
    // A connection has two or three files; each kind of them is bounded.
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      return target?.hasPrefix(live.directory + "/db.sqlite") ?? false
    }
    #expect(files.count < 60, "24 setups would have hundreds")
  }

  @Test func `databases that nobody uses at the moment sleep where others are needed, and wake with the next request`()
    throws
  {
    var limits = Limits()
    limits.databasesOpenMax = 3
    let live = try LiveServer(limits: limits)
    let clients = try (0..<12).map { try live.connect("db\($0)") }
    for (number, client) in clients.enumerated() {
      #expect(try client.execute(2, "CREATE TABLE t AS SELECT \(number) AS x").error == nil)
    }
    #expect(live.counter("databases_open") <= 3)
    for round in 0..<2 as Range<UInt32> {
      for (number, client) in clients.enumerated() {
        // Several requests that come together wait together.
        for id in 10..<15 as Range<UInt32> { client.send(round * 10 + id, .raw("SELECT x FROM t")) }
        let ids = Set((10..<15).map { round * 10 + UInt32($0) })
        for answer in try client.answers(ids).values { #expect(answer.rows == [[.integer(Int64(number))]]) }
      }
    }
    #expect(live.counter("databases_open") <= 3)
    // One that sleeps is in use: nobody drops it unasked, and who has it is told where it is.
    let server = try RawClient(live.tcp, database: "")
    server.send(2, .request(.administer(.drop("db0", endsSessions: false))))
    #expect(try server.answer(2).error?.message.contains("has the database db0 open") == true)
    server.send(3, .request(.administer(.drop("db0", endsSessions: true))))
    #expect(try server.answer(3).error == nil)
    #expect(try clients[0].receiveUntilClosed().last?.parts.isEmpty == false)
  }

  @Test func `what is in use does not sleep, and where all are the next one is told so`() throws {
    var limits = Limits()
    limits.databasesOpenMax = 2
    let live = try LiveServer(limits: limits)
    let busy = try (0..<2).map { try live.connect("busy\($0)") }
    for client in busy {
      client.send(2, .begin(.read, deadlineMs: 60_000))
      #expect(try client.answer(2).error == nil)
    }
    let late = try RawClient(live.tcp)
    late.send(1, .hello(.init(database: "late", create: true)))
    guard case .error(let error)? = try late.receive().parts.first else {
      Issue.record("it was opened")
      return
    }
    #expect(error.reason == .limit && error.isRetryable)
    for client in busy {
      #expect(try client.execute(3, "SELECT 1", transaction: 2).rows == [[1]])
    }
    busy[0].send(4, .finish(transaction: 2, commit: true))
    #expect(try busy[0].answer(4).error == nil)
    late.send(1, .hello(.init(database: "late", create: true)))
    guard case .hello? = try late.receive().parts.first else {
      Issue.record("there was room")
      return
    }
    #expect(try busy[1].execute(4, "SELECT 2", transaction: 2).rows == [[2]])
  }

  @Test func `what is used again and again does not sleep between two requests, and the next one is told so`() throws {
    var limits = Limits()
    limits.databasesOpenMax = 2
    let live = try LiveServer(limits: limits)
    let steady = try live.connect("steady")
    let busy = try live.connect("busy")
    busy.send(2, .begin(.read, deadlineMs: 60_000))
    #expect(try busy.answer(2).error == nil)
    var id: UInt32 = 2
    // Should the machine have no time for a second, it was in no steady use.
    try waitUntil {
      let end = ServerClock.now.advanced(milliseconds: EngineLimits.steadyUseMs * 3 / 2)
      while ServerClock.now < end {
        id += 1
        #expect(try steady.execute(id, "SELECT 1").rows == [[1]])
      }
      let late = try RawClient(live.tcp)
      late.send(1, .hello(.init(database: "late", create: true)))
      guard case .error(let error)? = try late.receive().parts.first else { return false }
      return error.reason == .limit && error.isRetryable
    }
    #expect(try steady.execute(id + 1, "SELECT 2").rows == [[2]])
  }

  @Test func `where a database cannot wake for the moment its requests are told so, and later ones wake it`() throws {
    var limits = Limits()
    limits.databasesOpenMax = 2
    let live = try LiveServer(limits: limits)
    let sleeper = try live.connect("sleeper")
    #expect(try sleeper.execute(2, "CREATE TABLE t AS SELECT 7 AS x").error == nil)
    var busy: [RawClient] = []
    for number in 0..<2 {
      let client = try live.connect("busy\(number)")
      client.send(2, .begin(.read, deadlineMs: 60_000))
      #expect(try client.answer(2).error == nil)
      busy.append(client)
    }
    for id in 3..<6 as Range<UInt32> { sleeper.send(id, .raw("SELECT x FROM t")) }
    sleeper.send(6, .begin(.read, deadlineMs: 60_000))
    for answer in try sleeper.answers(Set(3..<7)).values {
      #expect(answer.error?.reason == .limit && answer.error?.isRetryable == true)
      #expect(answer.error?.isOutcomeUnknown == false)
    }
    busy[0].send(4, .finish(transaction: 2, commit: true))
    #expect(try busy[0].answer(4).error == nil)
    // Under the number of the begin that was refused, which is no transaction.
    #expect(try sleeper.execute(6, "SELECT x FROM t").rows == [[7]])
    #expect(try busy[1].execute(4, "SELECT 2", transaction: 2).rows == [[2]])
  }

  @Test func `a loop's reader that could not be opened at first is opened a while later`() throws {
    var limits = Limits()
    limits.busyTimeoutMs = 0
    let live = try LiveServer(limits: limits, loops: 1)
    // The database is open, and the loop has none of its sessions without a setup.
    let keeper = try connect(live, "db", view: 1)
    #expect(try keeper.execute(2, "CREATE TABLE t AS SELECT 7 AS x").error == nil)
    let other = try StockDatabase(live.directory + "/db.sqlite")
    try other.run("SELECT * FROM t")
    var opened: RawClient?
    try other.withFileLock { opened = try live.connect("db") }
    let client = try #require(opened)
    let (before, start) = (live.counter("requests_inline"), ContinuousClock.now)
    var id: UInt32 = 1
    try waitUntil("a read stays on the loop", within: .seconds(10)) {
      id += 1
      client.send(id, .execute(.init(source: .statement(Trees.select(["x"], from: "t")))))
      guard try client.answer(id).rows == [[7]] else { throw RawClient.Failure(message: "other rows") }
      return live.counter("requests_inline") > before
    }
    #expect(ContinuousClock.now - start > .milliseconds(ServerLimits.readerPauseMs), "it had a reader at once")
  }
}
