/// What clients have sent to a loop that was busy counts from when they sent it, and what many bring at once is read in
/// turns.
import Foundation
import MartletLoop
import MartletProtocol
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

@Suite(.serialized) struct LateLoopTests {
  /// Keeps all loops busy while `body` runs and for so many milliseconds after it.
  private func whileBusy(_ live: LiveServer, ms: Int, _ body: () throws -> Void) rethrows {
    let gate = Gate()
    let isBusy = live.server.shards.map { shard in
      let began = Gate()
      shard.loop.post {
        began.open()
        gate.wait()
      }
      return began
    }
    isBusy.forEach { $0.wait() }
    defer { gate.open() }
    try body()
    Thread.sleep(forTimeInterval: Double(ms) / 1_000)
  }

  private static func insert(_ transaction: UInt32) -> ClientMessage.Kind {
    .execute(.init(source: .statement(Trees.insert("t", ["id"])), parameters: [.null], transaction: transaction))
  }

  /// A server, a client whose transaction 2 has the writer, and another one.
  private static func opened(_ limits: Limits) throws -> (LiveServer, owner: RawClient, other: RawClient) {
    let live = try LiveServer(limits: limits)
    let (owner, other) = (try live.connect(), try live.connect())
    try #expect(other.execute(2, "CREATE TABLE t(id INTEGER PRIMARY KEY)").error == nil)
    owner.send(2, .begin(.write, deadlineMs: 20_000))
    try #expect(owner.answer(2).error == nil)
    return (live, owner, other)
  }

  @Test func `a statement that waited in the socket of a busy loop is no silence of its transaction`() throws {
    var limits = Limits()
    limits.transactionContendedIdleMs = 700
    limits.transactionContendedIdleMinMs = 700
    let (live, owner, other) = try Self.opened(limits)
    other.send(3, Self.insert(0))
    try waitUntil { live.counter("write_queue_depth") == 1 }
    whileBusy(live, ms: 1_200) { owner.send(3, Self.insert(2)) }
    try #expect(owner.answer(3).error == nil)
    owner.send(4, .finish(transaction: 2, commit: true))
    try #expect(owner.answer(4).error == nil)
    try #expect(other.answer(3).error == nil)
    #expect(owner.endedTransactions.isEmpty)
  }

  @Test func `a transaction that really says nothing ends all the same`() throws {
    var limits = Limits()
    limits.transactionContendedIdleMs = 50
    let (live, owner, other) = try Self.opened(limits)
    other.send(3, Self.insert(0))
    try #expect(other.answer(3).error == nil)
    owner.send(3, Self.insert(2))
    try #expect(owner.answer(3).error?.reason == .transactionEnded)
    #expect(live.counter("write_queue_depth") == 0)
  }

  @Test func `what came while a loop was busy is read before its client is called late`() throws {
    var limits = Limits()
    limits.helloDeadlineMs = 700
    limits.frameCompletionDeadlineMs = 700
    let live = try LiveServer(limits: limits)
    let hello = try RawClient(live.tcp)
    let half = try live.connect()
    let ping = half.bytes(2, .ping([1, 2, 3]))
    half.send(Array(ping.prefix(7)))
    try waitUntil { live.counter("connections") == 2 && live.counter("bytes_received") > 7 }
    whileBusy(live, ms: 1_200) {
      hello.send(1, .hello(.init(database: "db", create: true)))
      half.send(Array(ping.dropFirst(7)))
    }
    guard case .hello? = try hello.receive().parts.first else {
      Issue.record("the hello was too late")
      return
    }
    guard case .pong? = try half.receive().parts.first else {
      Issue.record("the frame was too slow")
      return
    }
  }

  @Test func `frames of megabytes are read in turns, whoever sends how many of them`() throws {
    let live = try LiveServer(loops: 1)
    let shard = live.server.shards[0]
    let flood = try (0..<12).map { _ in try live.connect() }
    // A frame that is never whole.
    let part = Array(flood[0].bytes(2, .ping([UInt8](repeating: 1, count: 3 << 20))).dropLast())
    let before = live.counter("bytes_received")
    // How much had been received by each round of the loop.
    let rounds = Mutex<[Int64]>([])
    let isOver = Gate()
    @Sendable func look() {
      let received = Int64(shard.counters.bytesReceived.total) - before
      rounds.withLock { $0.append(received) }
      if received < Int64(part.count * flood.count) { shard.loop.post(look) } else { isOver.open() }
    }
    // Meanwhile as much waits in the sockets as they hold.
    whileBusy(live, ms: 300) {
      shard.loop.post(look)
      for client in flood { Thread { client.send(part) }.start() }
    }
    isOver.wait()
    let seen = rounds.withLock { $0 }
    let largest = zip(seen, seen.dropFirst()).map { $1 - $0 }.max() ?? 0
    // Each once, and then a few in each round.
    let allowed = flood.count * (ServerLimits.readBytesPerTurnMax + shard.loop.readCapacity)
    #expect(largest <= Int64(allowed + ServerLimits.readBytesPerRoundMax), "\(largest) bytes in one round")
  }
}
