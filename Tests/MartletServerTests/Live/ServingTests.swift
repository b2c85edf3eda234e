/// A real server over real sockets: statements, pipelining, streams, transactions, cancelling, shutting down.
///
/// Always true: waits end with an answer; nothing is timed.
import Foundation
import MartletAST
import MartletProtocol
import MartletServer
import MartletTestSupport
import MartletValues
import SwiftProtobuf
import Testing

@Suite struct ServingTests {
  /// Rows of the numbers 1 to `count`, without a table.
  private func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count)) SELECT x, 'row ' || x FROM n"
  }

  @Test func `statements run over TCP and over a Unix socket, on the same data`() throws {
    let live = try LiveServer()
    #expect(live.readyFile == "\(live.tcp)\n\(live.unix)\n")
    let writer = try RawClient(live.tcp, database: "shop")
    try writer.execute(2, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    let inserted = try writer.execute(3, "INSERT INTO items (name) VALUES (?1), (?2)", ["tea", "pot"])
    #expect(inserted.completion?.rowsChanged == 2 && inserted.completion?.lastInsertRowID == 2)
    let reader = try RawClient(live.unix, database: "shop", create: false)
    let answer = try reader.execute(2, "SELECT id, name FROM items ORDER BY id")
    #expect(answer.rows == [[1, "tea"], [2, "pot"]])
    #expect(answer.columns?.columns.map(\.name) == ["id", "name"])
    #expect(answer.completion?.rowsReturned == 2)
    #expect(answer.completion?.commitSequence == inserted.completion?.commitSequence)
    #expect(FileManager.default.fileExists(atPath: live.directory + "/shop.sqlite"))
  }

  @Test func `a shape is known on every connection once it was sent, and a read of it stays on the loop`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    try client.execute(2, "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)")
    try client.execute(3, "INSERT INTO t VALUES (1, 'one'), (2, 'two')")
    client.send(4, .execute(.init(source: .statement(Self.value), parameters: [2])))
    let first = try client.answer(4)
    let shape = try #require(first.completion?.shape)
    #expect(first.rows == [["two"]])
    let other = try live.connect()
    let inline = live.counter("requests_inline")
    let version = first.columns?.version ?? 0
    for id: UInt32 in 5..<15 {
      other.send(
        id, .execute(.init(source: .shape(shape), parameters: [.integer(1)], columnsVersion: version)))
      let answer = try other.answer(id)
      #expect(answer.rows == [["one"]] && answer.columns == nil && answer.completion?.shape == nil)
    }
    #expect(live.counter("requests_inline") >= inline + 10)
    other.send(20, .execute(.init(source: .shape(ShapeID(high: 1, low: 2)))))
    #expect(try other.answer(20).error?.reason == .unprepared)
  }

  /// `SELECT "v" FROM "t" WHERE "id" = ?1`.
  private static var value: [UInt8] {
    ASTStatement.select {
      $0.columns = [.expression(.column("v"))]
      $0.from = .table("t")
      $0.where = .call(.equal, .column("id"), .parameter(1))
    }.bytes
  }

  @Test func `a large schema that has changed is read on another thread, and reads come back to their loop`() throws {
    var limits = Limits()
    limits.inlineStopMicroseconds = 4_000
    let live = try LiveServer(limits: limits, loops: 1)
    let client = try live.connect()
    try client.execute(2, "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)")
    try client.execute(3, "INSERT INTO t VALUES (1, 'one')")
    let columns = (0..<80).map { "c\($0) TEXT NOT NULL DEFAULT 'none'" }.joined(separator: ", ")
    for first in stride(from: UInt32(100), to: 850, by: 75) {
      let ids = first..<first + 75
      client.send(ids.flatMap { client.bytes($0, .raw("CREATE TABLE t\($0) (\(columns))")) })
      #expect(try client.answers(Set(ids)).values.allSatisfy { $0.error == nil })
    }
    var id: UInt32 = 10_000
    func readsInline() throws -> Bool {
      let inline = live.counter("requests_inline")
      id += 1
      client.send(id, .execute(.init(source: .statement(Self.value), parameters: [1])))
      #expect(try client.answer(id).rows == [["one"]])
      return live.counter("requests_inline") > inline
    }
    for round in 0..<2 {
      try waitUntil { try readsInline() }
      try client.execute(UInt32(5 + round), "CREATE TABLE last\(round) (a)")
      let isInline = try readsInline()
      #expect(!isInline, "the loop has read the schema")
    }
    try waitUntil { try readsInline() }
  }

  @Test func `a hundred pipelined requests are answered, each once, in one flight`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    try client.execute(2, "CREATE TABLE t (v INTEGER)")
    let ids = (100..<200).map { UInt32($0) }
    client.send(ids.flatMap { client.bytes($0, .raw("INSERT INTO t VALUES (?1)", [.integer(Int64($0))])) })
    let answers = try client.answers(Set(ids))
    #expect(answers.values.allSatisfy { $0.completion?.rowsChanged == 1 })
    #expect(
      try client.execute(3, "SELECT count(*), sum(v) FROM t").rows == [[100, .integer((100..<200).reduce(0, +))]])
  }

  @Test func `rows beyond the credit wait for it`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    client.send(2, .raw(numbers(200_000), credit: 1))
    var (rows, grants) = (0, 0)
    var completion: Completion?
    while completion == nil {
      for part in try client.receive().parts {
        if case .completion(let end) = part { completion = end }
        guard case .rows(let batch) = part else { continue }
        rows += batch.rowCount
        grants += 1
        // Without credit the connection serves others, and of this request comes at most its end.
        client.send(3, .ping([]))
        var answers = try client.receive().parts
        if case .completion(let end)? = answers.first {
          completion = end
          answers = try client.receive().parts
        }
        #expect(answers == [.pong([])])
        client.send(2, .credit(bytes: UInt32(batch.byteCount)))
      }
    }
    #expect(completion?.rowsReturned == 200_000 && rows == 200_000 && grants > 10)
  }

  @Test func `a running statement is cancelled and its connection goes on`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    client.send(2, .raw(numbers(1_000_000_000).replacing("SELECT x, 'row ' || x", with: "SELECT count(*)")))
    client.send(3, .ping([]))
    #expect(try client.receive() == ServerMessage(requestID: 3, .pong([])))
    client.send(2, .cancel)
    #expect(try client.answer(2).error?.reason == .cancelled)
    #expect(try client.execute(2, "SELECT 1").rows == [[1]])
    client.send(
      4, .raw(numbers(1_000_000_000).replacing("SELECT x, 'row ' || x", with: "SELECT sum(x)"), deadlineMs: 1))
    #expect(try client.answer(4).error?.reason == .deadline)
  }

  @Test func `a write that names a deadline beyond a write's is refused, and a read is not`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    try client.execute(2, "CREATE TABLE t (v)")
    client.send(3, .raw("INSERT INTO t VALUES (1)", deadlineMs: 600_000))
    #expect(try client.answer(3).error?.reason == .limit)
    client.send(4, .raw("INSERT INTO nowhere VALUES (1)", deadlineMs: 600_000))
    #expect(try client.answer(4).error?.message.contains("such table: nowhere") == true)
    client.send(4, .raw("INSERT INTO t VALUES (2)", deadlineMs: 600_000, mayShorten: true))
    #expect(try client.answer(4).completion?.rowsChanged == 1)
    client.send(5, .raw("SELECT v FROM t", deadlineMs: 600_000))
    #expect(try client.answer(5).rows == [[2]])
  }

  @Test func `a batch answers each step and then itself`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    let texts = [
      "CREATE TABLE parents (id INTEGER PRIMARY KEY)", "INSERT INTO parents DEFAULT VALUES",
      "CREATE TABLE children (parent INTEGER)", "INSERT INTO children VALUES (?1)",
    ]
    var steps = texts.map { StatementStep(source: .statement(ASTStatement.raw($0).bytes)) }
    steps[3].parameters = [.lastInsertRowID(step: 2)]
    // Plans are made when a batch arrives, so the tables have to be there by then.
    for (index, step) in steps.enumerated() where index % 2 == 0 {
      client.send(UInt32(10 + index), .batch(.init(steps: [step], isAtomic: true)))
      #expect(try client.answer(UInt32(10 + index)).error == nil)
    }
    steps[3].parameters = [.lastInsertRowID(step: 1)]
    client.send(20, .batch(.init(steps: [steps[1], steps[3]], isAtomic: true)))
    let answer = try client.answer(20)
    #expect(answer.error == nil && answer.steps.count == 2)
    #expect(try client.execute(21, "SELECT parent FROM children").rows == [[1]])
  }

  @Test func `a transaction is its own connection's and ends with it`() throws {
    let live = try LiveServer()
    let owner = try live.connect()
    let other = try live.connect()
    try owner.execute(2, "CREATE TABLE t (v INTEGER)")
    owner.send(
      owner.bytes(7, .begin(.write, deadlineMs: 0)) + owner.bytes(8, .raw("INSERT INTO t VALUES (1)", transaction: 7)))
    let answers = try owner.answers([7, 8])
    #expect(answers[8]?.completion?.transaction == .write)
    #expect(try other.execute(8, "SELECT * FROM t", transaction: 7).error?.reason == .unknownTransaction)
    other.send(9, .finish(transaction: 7, commit: true))
    #expect(try other.answer(9).error?.reason == .unknownTransaction)
    #expect(try other.execute(10, "SELECT count(*) FROM t").rows == [[0]])
    owner.reset()
    // The writer is free as soon as the server has noticed, and nothing of the transaction is left.
    #expect(try other.execute(11, "INSERT INTO t VALUES (2)").completion?.rowsChanged == 1)
    #expect(try other.execute(12, "SELECT v FROM t").rows == [[2]])
  }

  @Test func `stopping finishes what is in flight and takes nothing new`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    try client.execute(2, "CREATE TABLE t (v INTEGER)")
    client.send(3, .begin(.write, deadlineMs: 0))
    #expect(try client.answer(3).completion != nil)
    let stopping = Thread { [server = live.server] in server.stop() }
    stopping.start()
    guard case .closing? = try client.receive().parts.first else { throw RawClient.Failure(message: "not told") }
    client.send(client.bytes(4, .raw("INSERT INTO t VALUES (1)")))
    #expect(try client.answer(4).error?.reason == .shuttingDown)
    client.send(
      client.bytes(5, .raw("INSERT INTO t VALUES (2)", transaction: 3))
        + client.bytes(6, .finish(transaction: 3, commit: true)))
    let answers = try client.answers([5, 6])
    #expect(answers[5]?.completion?.rowsChanged == 1 && answers[6]?.completion != nil)
    #expect(try client.receiveUntilClosed().isEmpty)
    client.close()
    live.server.wait()
    let again = try Server(configuration: ServerConfiguration(directory: live.directory, listen: []))
    again.stop()
  }

  @Test func `addresses that others can reach, and a directory in use, are refused with a sentence`() throws {
    let folder = try TemporaryFolder()
    for url in ["martlet://0.0.0.0:0", "martlet://10.0.0.1:0", "martlet://[::]:0"] {
      #expect(throws: ServerError.self) {
        try Server(configuration: ServerConfiguration(directory: folder.path, listen: [MartletURL(url)]))
      }
    }
    let live = try LiveServer()
    #expect(throws: ServerError.self) {
      try Server(configuration: ServerConfiguration(directory: live.directory, listen: []))
    }
    let second = try Server(configuration: ServerConfiguration(directory: folder.path, listen: [live.unix]))
    #expect(throws: ServerError.self) { try second.start() }
  }
}
