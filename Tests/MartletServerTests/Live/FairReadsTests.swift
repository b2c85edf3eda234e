/// What one client reads does not decide how long another waits.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct FairReadsTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
  private static let rows =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i, 'row ' || i FROM n"

  /// The median and the worst of pooled reads, in microseconds.
  private func pooledReads(_ client: RawClient, _ count: UInt32) throws -> (median: Int, worst: Int) {
    var times: [Int] = []
    for id in 1...count {
      let start = DispatchTime.now().uptimeNanoseconds
      let answer = try client.execute(1_000 + id, "SELECT 1")
      times.append(Int(DispatchTime.now().uptimeNanoseconds - start) / 1_000)
      #expect(answer.rows == [[1]] && answer.error == nil)
    }
    times.sort()
    return (times[times.count / 2], times[times.count - 1])
  }

  @Test(arguments: ["heavy", "other"])
  func `sixty-four endless reads of eight connections leave the pool to others`(database: String) throws {
    let live = try LiveServer()
    let bystander = try live.connect(database)
    let quiet = try pooledReads(bystander, 100)
    let heavy = try (0..<8).map { _ in try live.connect("heavy") }
    for client in heavy {
      for id in 1...8 as ClosedRange<UInt32> { client.send(id, .raw(Self.endless, deadlineMs: 60_000)) }
    }
    let beside = try pooledReads(bystander, 300)
    print("pooled reads in us, quiet \(quiet), beside 64 endless reads \(beside)")
    // They would have waited for the deadline of the others.
    #expect(beside.worst < 20_000_000)
    for client in heavy {
      for id in 1...8 as ClosedRange<UInt32> { client.send(id, .cancel) }
      for (_, answer) in try client.answers(Set(1...8)) { #expect(answer.error?.reason == .cancelled) }
    }
    #expect(live.server.stop() == .complete)
  }

  @Test func `batches and transactions that run on and on leave the pool to others, too`() throws {
    // Nothing is stuck here: on a busy machine it only may take longer.
    var limits = Limits()
    limits.shutdownDrainMs = 200
    limits.shutdownCloseMs = 30_000
    let live = try LiveServer(limits: limits)
    let bystander = try live.connect("db")
    let heavy = try (0..<4).map { _ in try live.connect("db") }
    for client in heavy {
      let step = StatementStep(source: .statement(ASTStatement.raw(Self.endless).bytes))
      for id in 1...6 as ClosedRange<UInt32> {
        client.send(id, .batch(.init(steps: [step], deadlineMs: 60_000)))
      }
      client.send(7, .begin(.read, deadlineMs: 60_000))
      client.send(8, .raw(Self.endless, transaction: 7, deadlineMs: 60_000))
    }
    let beside = try pooledReads(bystander, 200)
    print("pooled reads in us beside endless batches and transactions \(beside)")
    #expect(beside.worst < 20_000_000)
    let batch = ClientMessage.Batch(
      steps: [StatementStep(source: .statement(ASTStatement.raw("SELECT 2").bytes))])
    bystander.send(9_000, .batch(batch))
    #expect(try bystander.answers([9_000])[9_000]?.error == nil)
    let start = DispatchTime.now().uptimeNanoseconds
    #expect(live.server.stop() == .complete)
    print("stopped after \((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000) ms")
  }

  @Test func `ninety-nine streams that nobody reads leave connections to others`() throws {
    let live = try LiveServer()
    let greedy = try live.connect("db")
    for id in 1...99 as ClosedRange<UInt32> {
      greedy.send(id, .raw(Self.rows, [.integer(2_000_000)], deadlineMs: 60_000, credit: 1))
    }
    let bystander = try live.connect("db")
    let beside = try pooledReads(bystander, 100)
    let start = DispatchTime.now().uptimeNanoseconds
    for id in 1...5 as ClosedRange<UInt32> {
      bystander.send(id, .raw(Self.rows, [.integer(50_000)], deadlineMs: 60_000, credit: 60_000_000))
      #expect(try bystander.answer(id).rows.count == 50_000)
    }
    let streams = (DispatchTime.now().uptimeNanoseconds - start) / 1_000
    print("beside 99 paused streams: pooled reads in us \(beside), 5 streams of 50,000 rows \(streams)")
    #expect(beside.worst < 20_000_000 && streams < 40_000_000)
    #expect(live.counter("snapshot_evictions") > 0)
  }
}
