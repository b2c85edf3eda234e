/// Limits that a server takes by a reload, with connections that stay open.
import Foundation
import Logging
import MartletProtocol
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

@Suite(.timeLimit(.minutes(5))) struct ServingLimitsTests {
  private static func reload(_ live: LiveServer, _ change: (inout ServerConfiguration) -> Void) throws {
    var wanted = live.server.configuration
    wanted.limits = live.server.askedLimits
    change(&wanted)
    try live.server.reload(wanted)
  }

  private static func ask(
    _ client: RawClient, _ id: UInt32, _ sql: String, ms: UInt32 = 0
  ) throws -> RawClient.Answer {
    client.send(id, .execute(.init(source: .statement(Trees.raw(sql)), deadlineMs: ms)))
    return try client.answer(id)
  }

  private static let endless =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

  @Test func `connections go up and down with the limit, and nobody who is there is closed`() throws {
    var limits = Limits()
    limits.connectionsMax = 1
    let live = try LiveServer(limits: limits)
    let first = try live.connect()
    #expect(throws: (any Error).self) { try live.connect() }
    try Self.reload(live) { $0.limits.connectionsMax = 3 }
    let others = [try live.connect(), try live.connect()]
    #expect(throws: (any Error).self) { try live.connect() }
    try Self.reload(live) { $0.limits.connectionsMax = 2 }
    for (index, client) in ([first] + others).enumerated() {
      #expect(try Self.ask(client, UInt32(10 + index), "SELECT 1").rows == [[1]])
    }
    others[0].close()
    #expect(throws: (any Error).self) { try live.connect() }
    others[1].close()
    try waitUntil(within: .seconds(5)) { (try? live.connect()) != nil }
  }

  @Test func `a request without a deadline has that of the last reload, in a session that was open before`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    try Self.reload(live) {
      $0.limits.deadlineDefaultMs = 50
      $0.limits.transactionTotalMs = 7_000
    }
    var id: UInt32 = 10
    // A session hears of a reload in its loop's next turn.
    try waitUntil {
      id += 1
      return try Self.ask(client, id, Self.endless).error?.reason == .deadline
    }
    try Self.reload(live) {
      $0.limits.deadlineMaxMs = 6_000
      $0.limits.writeTimeMaxMs = 6_000
    }
    #expect(live.server.limitsInForce.withLock { $0.deadlineMaxMs } == 6_000)
    #expect(live.server.limitsInForce.withLock { $0.transactionTotalMs } == Limits().transactionTotalMs)
  }

  @Test func `limits that contradict each other are refused, and nothing else of the reload is taken`() throws {
    let live = try LiveServer()
    let before = live.server.limitsInForce.withLock { $0 }
    #expect(
      throws: ServerError("The limits do not fit: deadlineDefaultMs must not exceed deadlineMaxMs.")
    ) {
      try Self.reload(live) {
        $0.limits.deadlineDefaultMs = 700_000
        $0.limits.connectionsMax = 1
        $0.denied = .raw
      }
    }
    #expect(live.server.limitsInForce.withLock { $0 } == before)
    let clients = [try live.connect(), try live.connect()]
    for client in clients { #expect(try Self.ask(client, 9, "SELECT 1").error == nil) }
  }

  @Test func `roles alone are reloaded under the limits as they are`() throws {
    let live = try LiveServer()
    try Self.reload(live) { $0.limits.connectionsMax = 1 }
    try live.server.reload(access: live.server.configuration.access, tls: nil)
    let first = try live.connect()
    #expect(throws: (any Error).self) { try live.connect() }
    #expect(try Self.ask(first, 9, "SELECT 1").error == nil)
  }

  @Test func `what a reload does not take is named in the log, and only that`() throws {
    let log = CapturedLog()
    let live = try LiveServer { configuration, _ in configuration.logger = log.logger }
    try Self.reload(live) { $0.limits.connectionsMax = 77 }
    #expect(!log.text.contains("taken at a restart"))
    try Self.reload(live) {
      $0.limits.walBytesMax = 64 << 20
      $0.limits.pageCacheBytes = 1 << 20
      $0.limits.temporaryBytesMax = 1 << 20
      $0.limits.schemaObjectsMax = 7
      $0.loops = 7
    }
    let line = log.lines.first { $0.message.contains("taken at a restart") }
    #expect(line?.metadata["keys"] == "loops wal-mib page-cache-mib temporary-mib schema-objects")
  }
}
