/// A transaction that nobody waits for any more before it has begun.
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct CancelledBeginTests {
  @Test func `a begin that is cancelled while it waits ends at once, and never has the writer`() throws {
    // The owner does nothing for as long as the rest takes.
    var limits = Limits()
    limits.transactionContendedIdleMs = limits.transactionIdleMs
    limits.transactionContendedIdleMinMs = limits.transactionIdleMs
    limits.transactionContendedTotalMs = limits.transactionTotalMs
    let live = try LiveServer(limits: limits)
    let owner = try live.connect()
    #expect(try owner.execute(2, "CREATE TABLE t(a)").error == nil)
    owner.send(3, .begin(.write, deadlineMs: 20_000))
    #expect(try owner.answer(3).error == nil)
    let other = try live.connect()
    other.send(10, .begin(.write, deadlineMs: 20_000))
    // A statement of it waits behind it.
    other.send(11, .raw("INSERT INTO t VALUES (1)", transaction: 10))
    other.send(10, .cancel)
    let answers = try other.answers([10, 11])
    #expect(answers[10]?.error?.reason == .cancelled)
    #expect(answers[11]?.error != nil)
    // The owner's turn was never over.
    owner.send(4, .raw("INSERT INTO t VALUES (2)", transaction: 3))
    owner.send(5, .finish(transaction: 3, commit: true))
    #expect(try owner.answers([4, 5]).values.allSatisfy { $0.error == nil })
    // Its number is free, and the next one has its turn.
    other.send(10, .begin(.write, deadlineMs: 20_000))
    other.send(12, .finish(transaction: 10, commit: true))
    #expect(try other.answers([10, 12]).values.allSatisfy { $0.error == nil })
    #expect(try owner.execute(6, "SELECT a FROM t").rows == [[2]])
  }

  @Test func `a begin is answered however fast its cancel and its end come behind it`() throws {
    let live = try LiveServer()
    let client = try live.connect()
    for round in 0..<400 as Range<UInt32> {
      let id = 10 + round * 10
      let mode: TransactionMode = round % 2 == 0 ? .read : .write
      client.send(
        client.bytes(id, .begin(mode, deadlineMs: 20_000)) + client.bytes(id, .cancel)
          + client.bytes(id + 1, .finish(transaction: id, commit: false)))
      let answers = try client.answers([id, id + 1])
      let error = answers[id]?.error
      #expect(error == nil || error?.reason == .cancelled, "\(round)")
    }
  }

  @Test func `a begin that reads ends at once too, and one that has begun is not cancelled`() throws {
    var limits = Limits()
    limits.readerThreads = 1
    limits.readerConnectionsMax = 1
    let live = try LiveServer(limits: limits)
    let owner = try live.connect()
    #expect(try owner.execute(2, "CREATE TABLE t(a)").error == nil)
    owner.send(3, .begin(.read, deadlineMs: 20_000))
    #expect(try owner.answer(3).error == nil)
    owner.send(3, .cancel)
    let other = try live.connect()
    other.send(10, .begin(.read, deadlineMs: 20_000))
    other.send(10, .cancel)
    let error = try other.answer(10).error
    #expect(error == nil || error?.reason == .cancelled)
    owner.send(4, .raw("SELECT count(*) FROM t", transaction: 3))
    #expect(try owner.answer(4).rows == [[0]])
    owner.send(5, .finish(transaction: 3, commit: true))
    #expect(try owner.answer(5).error == nil)
  }
}
