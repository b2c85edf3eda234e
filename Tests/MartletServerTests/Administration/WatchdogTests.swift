/// Threads that do not come back are told of, and a server that is asked to end does not wait for them.
import Foundation
import Logging
import MartletAST
import MartletLoop
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine
@testable import MartletServer

@Suite struct WatchdogTests {
  @Test func `a loop that does not answer is counted while it does not`() throws {
    let live = try LiveServer(limits: Self.quick(), loops: 2)
    let gate = Gate()
    live.server.shards[1].loop.post { gate.wait() }
    try waitUntil { live.counter("threads_stuck_now") == 1 }
    #expect(live.counter("threads_stuck") == 1)
    gate.open()
    try waitUntil { live.counter("threads_stuck_now") == 0 }
    #expect(live.counter("threads_stuck") == 1)
    #expect(live.server.stop() == .complete)
  }

  @Test func `stopping leaves a thread behind that does not come back, and says which`() throws {
    let live = try LiveServer(limits: Self.quick(), loops: 2)
    let gate = Gate()
    live.server.shards[1].loop.post { gate.wait() }
    try waitUntil { live.counter("threads_stuck_now") == 1 }
    let ending = live.server.stop()
    #expect(ending == .abandoned(threads: ["loop.1"]))
    #expect(live.server.wait() == ending)
    #expect(live.server.stop() == ending)
    gate.open()
  }

  @Test func `the log shows the statement on one line and without the values that its client wrote`() throws {
    let log = CapturedLog()
    let live = try LiveServer(limits: Self.quick(), loops: 2) { configuration, _ in configuration.logger = log.logger }
    let client = try live.connect()
    let text = ASTStatement.raw(
      "SELECT 'secret one',\n 918273645546372811 -- \u{1B}[31m secret two\n FROM sqlite_schema")
    let tree = Ask.value(.literal("secret three"))
    for (index, (statement, sql)) in [(text, "SELECT ?,  ?    FROM sqlite_schema"), (tree, "SELECT ?")].enumerated() {
      let id = UInt32(10 + index)
      client.send(id, .execute(.init(source: .statement(statement.bytes))))
      #expect(try client.answer(id).rows.isEmpty == (index == 0))
      let shape = statement.bytes.withUnsafeBytes { ShapeID(hashing: $0) }
      let gate = Gate()
      let shard = live.server.shards[1]
      shard.loop.post {
        shard.watch.begin(shape, deadline: .distantFuture)
        gate.wait()
        shard.watch.end()
      }
      try waitUntil { log.lines.count { $0.message.contains("does not come back") } == index + 1 }
      gate.open()
      try waitUntil { live.counter("threads_stuck_now") == 0 }
      #expect(log.lines.compactMap { $0.metadata["sql"] }.last == "\(sql)")
    }
    // Values that no address, port or identifier of the log can hold by accident.
    for value in ["918273645546372811", "secret"] { #expect(!log.text.contains(value), "\(log.text)") }
  }

  private static func quick() -> Limits {
    var limits = Limits()
    limits.watchdogMs = 100
    limits.shutdownDrainMs = 300
    return limits
  }
}
