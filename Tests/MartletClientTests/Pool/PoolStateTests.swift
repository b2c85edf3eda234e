/// The pool's rules as scripts.
import MartletValues
import Testing

@testable import MartletClient

@Suite struct PoolStateTests {
  private let now = MonotonicTime(nanoseconds: 1_000_000_000)

  private func pool(connections: Int = 2, depth: Int = 2, waiting: Int = 10, attempts: Int = 2) -> PoolState {
    var configuration = ClientConfiguration()
    configuration.connectionsMax = connections
    configuration.pipelineDepth = depth
    configuration.waitingMax = waiting
    configuration.connectAttemptsMax = attempts
    configuration.transactionsPerConnectionMax = 1
    configuration.backoffFirst = .milliseconds(100)
    configuration.backoffMax = .milliseconds(300)
    return PoolState(configuration)
  }

  private func plain(_ number: UInt64) -> PoolState.Waiter { .init(number: number, isTransaction: false) }
  private func transaction(_ number: UInt64) -> PoolState.Waiter { .init(number: number, isTransaction: true) }

  @Test func `the first request opens a connection, and more are opened only when it is full`() {
    var pool = pool()
    #expect(pool.requestArrived(plain(1), now: now) == [.open(connection: 1, afterMs: 0)])
    #expect(pool.requestArrived(plain(2), now: now).isEmpty)
    #expect(pool.requestArrived(plain(3), now: now) == [.open(connection: 2, afterMs: 0)])
    #expect(
      pool.connectionReady(1, requestsMax: 100, now: now) == [
        .assign(waiter: 1, connection: 1), .assign(waiter: 2, connection: 1),
      ])
    #expect(pool.connectionReady(2, requestsMax: 100, now: now) == [.assign(waiter: 3, connection: 2)])
    #expect(pool.requestArrived(plain(4), now: now) == [.assign(waiter: 4, connection: 2)])
    #expect(pool.requestArrived(plain(5), now: now).isEmpty)
    #expect(pool.requestEnded(1, now: now) == [.assign(waiter: 5, connection: 1)])
  }

  @Test func `a pause of any length doubles up to its bound`() {
    var configuration = ClientConfiguration()
    configuration.backoffFirst = .seconds(Int64.max)
    configuration.backoffMax = .seconds(Int64.max)
    var pool = PoolState(configuration)
    _ = pool.requestArrived(plain(1), now: now)
    for number in 1...UInt64(31) {
      _ = pool.connectFailed(number, .late, isFinal: false, now: now, jitter: 0)
      _ = pool.requestArrived(plain(number + 1), now: now)
    }
    #expect(pool.contradiction == nil)
  }

  @Test func `the server's limit holds where it is smaller`() {
    var pool = pool(connections: 1, depth: 10)
    _ = pool.requestArrived(plain(1), now: now)
    _ = pool.requestArrived(plain(2), now: now)
    #expect(pool.connectionReady(1, requestsMax: 1, now: now) == [.assign(waiter: 1, connection: 1)])
  }

  @Test func `a transaction without a slot waits and lets plain requests pass`() {
    var pool = pool(connections: 1, depth: 10)
    _ = pool.requestArrived(transaction(1), now: now)
    _ = pool.connectionReady(1, requestsMax: 100, now: now)
    #expect(pool.requestEnded(1, now: now).isEmpty)
    #expect(pool.requestArrived(transaction(2), now: now).isEmpty)
    #expect(pool.requestArrived(plain(3), now: now) == [.assign(waiter: 3, connection: 1)])
    #expect(pool.transactionEnded(1, now: now) == [.assign(waiter: 2, connection: 1)])
  }

  @Test func `attempts pause longer each time and the requests fail after the last`() {
    var pool = pool()
    let failure = PoolFailure.client(ClientError(.cannotConnect, "No."))
    _ = pool.requestArrived(plain(1), now: now)
    #expect(
      pool.connectFailed(1, failure, isFinal: false, now: now, jitter: 0) == [.open(connection: 2, afterMs: 101)])
    #expect(
      pool.connectFailed(2, failure, isFinal: false, now: now, jitter: 0) == [.fail(waiter: 1, failure)])
    // The pause holds for the next request too; with all of the jitter it is half as long.
    #expect(pool.requestArrived(plain(2), now: now) == [.open(connection: 3, afterMs: 201)])
    #expect(
      pool.connectFailed(3, failure, isFinal: false, now: now, jitter: 1) == [.open(connection: 4, afterMs: 151)])
    #expect(pool.connectionReady(4, requestsMax: 9, now: now) == [.assign(waiter: 2, connection: 4)])
    // A success forgets the failures.
    #expect(pool.connectionClosed(4, now: now.advanced(milliseconds: 500)).isEmpty)
    #expect(
      pool.requestArrived(plain(3), now: now.advanced(milliseconds: 500)) == [.open(connection: 5, afterMs: 0)])
  }

  @Test func `a refusal fails all requests at once, and the next one asks again`() {
    var pool = pool(attempts: 5)
    let failure = PoolFailure.server(RequestError(.notFound, .unknownDatabase, "No."))
    for number in 1...3 { _ = pool.requestArrived(plain(UInt64(number)), now: now) }
    let actions = pool.connectFailed(1, failure, isFinal: true, now: now, jitter: 0)
    #expect(actions == (1...3).map { .fail(waiter: $0, failure) })
    _ = pool.connectFailed(2, failure, isFinal: true, now: now, jitter: 0)
    #expect(pool.requestArrived(plain(4), now: now) == [.open(connection: 3, afterMs: 0)])
  }

  @Test func `requests are not failed while another connection serves`() {
    var pool = pool(depth: 1, attempts: 1)
    _ = pool.requestArrived(plain(1), now: now)
    _ = pool.connectionReady(1, requestsMax: 1, now: now)
    #expect(pool.requestArrived(plain(2), now: now) == [.open(connection: 2, afterMs: 0)])
    let actions = pool.connectFailed(2, .closed, isFinal: false, now: now, jitter: 0)
    #expect(actions == [.open(connection: 3, afterMs: 101)])
    #expect(pool.requestEnded(1, now: now) == [.assign(waiter: 2, connection: 1)])
  }

  @Test func `a connection that drains or closes makes room for another`() {
    var pool = pool(connections: 1, depth: 1)
    _ = pool.requestArrived(plain(1), now: now)
    _ = pool.connectionReady(1, requestsMax: 9, now: now)
    _ = pool.requestArrived(plain(2), now: now)
    #expect(pool.drainStarted(1, now: now).isEmpty)
    #expect(pool.requestEnded(1, now: now).isEmpty)
    #expect(pool.connectionClosed(1, now: now) == [.open(connection: 2, afterMs: 0)])
    #expect(pool.connectionClosed(1, now: now).isEmpty)
  }

  @Test func `the line is bounded and can be left`() {
    var pool = pool(connections: 1, depth: 1, waiting: 2)
    _ = pool.requestArrived(plain(1), now: now)
    _ = pool.requestArrived(plain(2), now: now)
    #expect(pool.requestArrived(plain(3), now: now) == [.fail(waiter: 3, .tooManyWaiting)])
    #expect(pool.waiterLeft(1) == true)
    #expect(pool.waiterLeft(1) == false)
    #expect(pool.connectionReady(1, requestsMax: 9, now: now) == [.assign(waiter: 2, connection: 1)])
  }

  @Test func `a closed pool fails who waits, closes what is open and takes nothing`() {
    var pool = pool(connections: 2, depth: 1)
    _ = pool.requestArrived(plain(1), now: now)
    _ = pool.connectionReady(1, requestsMax: 9, now: now)
    _ = pool.requestArrived(plain(2), now: now)
    #expect(pool.closed() == [.fail(waiter: 2, .closed), .close(connection: 1)])
    #expect(pool.connectionReady(2, requestsMax: 9, now: now) == [.close(connection: 2)])
    #expect(pool.requestArrived(plain(3), now: now) == [.fail(waiter: 3, .closed)])
    #expect(pool.closed().isEmpty)
  }

  @Test func `as many connections are opened as the waiting transactions fill, which are fewer for each`() {
    var pool = pool(connections: 4, depth: 32)
    for number in 1...3 { _ = pool.requestArrived(transaction(UInt64(number)), now: now) }
    // Those are the connections 1 to 3; each takes one transaction.
    for connection in 1...3 as ClosedRange<UInt64> {
      #expect(
        pool.connectionReady(connection, requestsMax: 100, now: now) == [
          .assign(waiter: connection, connection: connection)
        ])
    }
    #expect(pool.requestArrived(transaction(4), now: now) == [.open(connection: 4, afterMs: 0)])
    #expect(pool.requestArrived(transaction(5), now: now).isEmpty)
  }

  @Test func `who finds no place on what was opened has more opened`() {
    var pool = pool(connections: 3, depth: 32)
    for number in 1...10 { _ = pool.requestArrived(plain(UInt64(number)), now: now) }
    // Only now is it known that the server takes two requests on each.
    #expect(
      pool.connectionReady(1, requestsMax: 2, now: now) == [
        .assign(waiter: 1, connection: 1), .assign(waiter: 2, connection: 1), .open(connection: 2, afterMs: 0),
        .open(connection: 3, afterMs: 0),
      ])
    #expect(pool.requestEnded(1, now: now) == [.assign(waiter: 3, connection: 1)])
  }

  @Test func `a connection that ends with a transaction that waits is made up for`() {
    var pool = pool(connections: 2, depth: 32)
    _ = pool.requestArrived(transaction(1), now: now)
    _ = pool.connectionReady(1, requestsMax: 9, now: now)
    #expect(pool.requestArrived(transaction(2), now: now) == [.open(connection: 2, afterMs: 0)])
    #expect(pool.connectionClosed(2, now: now) == [.open(connection: 3, afterMs: 0)])
    #expect(pool.requestEnded(1, now: now).isEmpty)
    #expect(pool.transactionEnded(1, now: now) == [.assign(waiter: 2, connection: 1)])
  }
}
