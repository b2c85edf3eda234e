internal import MartletValues
internal import NIOCore

/// Which request gets which connection, when one is opened, and how long to pause after a failure: events in, actions
/// out.
///
/// Always true: at most `connectionsMax` connections are open or opening; no connection has more requests than
/// `pipelineDepth` and the server's own limit; at most `waitingMax` requests wait, first come, first served.
struct PoolState: Sendable {
  enum Action: Sendable, Equatable {
    case open(connection: UInt64, afterMs: Int)
    case assign(waiter: UInt64, connection: UInt64)
    case fail(waiter: UInt64, PoolFailure)
    /// Nothing more is in flight and nothing new may come.
    case close(connection: UInt64)
  }

  /// What a waiting request asks for.
  struct Waiter: Sendable, Equatable {
    var number: UInt64
    var isTransaction: Bool
  }

  private struct Slot: Sendable {
    enum Phase { case opening, ready, draining }
    var phase = Phase.opening
    var requests = 0
    var transactions = 0
    var requestsMax = 0
  }

  private let connectionsMax: Int
  private let pipelineDepth: Int
  private let transactionsMax: Int
  private let waitingMax: Int
  private let attemptsMax: Int
  private let backoffFirstMs: Int
  private let backoffMaxMs: Int

  private var slots: [UInt64: Slot] = [:]
  /// Who waits: plain requests, and transactions, which need a slot more. Each in the order of their numbers.
  private var requests = CircularBuffer<UInt64>()
  private var transactions = CircularBuffer<UInt64>()
  private var nextConnection: UInt64 = 1
  /// Attempts in a row that failed, and how many of them the present waiters saw.
  private var failures = 0
  private var failuresSeen = 0
  private var notBefore = MonotonicTime(nanoseconds: 0)
  private var isClosed = false

  init(_ configuration: ClientConfiguration) {
    connectionsMax = configuration.connectionsMax
    pipelineDepth = configuration.pipelineDepth
    transactionsMax = configuration.transactionsPerConnectionMax
    waitingMax = configuration.waitingMax
    attemptsMax = configuration.connectAttemptsMax
    backoffFirstMs = configuration.backoffFirst.milliseconds
    backoffMaxMs = configuration.backoffMax.milliseconds
  }

  var waitingCount: Int { requests.count + transactions.count }

  // MARK: Requests

  mutating func requestArrived(_ waiter: Waiter, now: MonotonicTime) -> [Action] {
    defer { invariant() }
    guard !isClosed else { return [.fail(waiter: waiter.number, .closed)] }
    let isFirst = waiter.isTransaction ? waitingCount == 0 : requests.isEmpty
    if isFirst, let connection = vacancy(forTransaction: waiter.isTransaction) { return [assign(waiter, connection)] }
    guard waitingCount < waitingMax else { return [.fail(waiter: waiter.number, .tooManyWaiting)] }
    if waiter.isTransaction { transactions.append(waiter.number) } else { requests.append(waiter.number) }
    return openWhereNeeded(now: now)
  }

  /// A waiting request was cancelled, or its deadline came. False if it no longer waits.
  mutating func waiterLeft(_ number: UInt64) -> Bool {
    defer { invariant() }
    if let index = requests.firstIndex(of: number) {
      requests.remove(at: index)
      return true
    }
    guard let index = transactions.firstIndex(of: number) else { return false }
    transactions.remove(at: index)
    return true
  }

  mutating func requestEnded(_ connection: UInt64, now: MonotonicTime) -> [Action] {
    defer { invariant() }
    slots[connection]?.requests -= 1
    return assignWaiters() + openWhereNeeded(now: now)
  }

  mutating func transactionEnded(_ connection: UInt64, now: MonotonicTime) -> [Action] {
    defer { invariant() }
    slots[connection]?.transactions -= 1
    return assignWaiters() + openWhereNeeded(now: now)
  }

  // MARK: Connections

  mutating func connectionReady(_ connection: UInt64, requestsMax: Int, now: MonotonicTime) -> [Action] {
    defer { invariant() }
    guard !isClosed else {
      slots[connection] = nil
      return [.close(connection: connection)]
    }
    failures = 0
    failuresSeen = 0
    slots[connection]?.phase = .ready
    slots[connection]?.requestsMax = requestsMax
    return assignWaiters() + openWhereNeeded(now: now)
  }

  /// An attempt failed. `jitter` is from 0 to 1. `isFinal`: the server answered and another attempt gets the same.
  mutating func connectFailed(
    _ connection: UInt64, _ failure: PoolFailure, isFinal: Bool, now: MonotonicTime, jitter: Double
  ) -> [Action] {
    defer { invariant() }
    slots[connection] = nil
    failures = min(failures + 1, 30)
    failuresSeen += 1
    let (doubled, isTooLong) = backoffFirstMs.multipliedReportingOverflow(by: 1 << (failures - 1))
    let pause = isTooLong ? backoffMaxMs : min(backoffMaxMs, doubled)
    notBefore = now.advanced(milliseconds: pause - Int(Double(pause) * 0.5 * min(max(jitter, 0), 1)))
    let isServed = slots.values.contains { $0.phase == .ready }
    guard isFinal || (!isServed && failuresSeen >= attemptsMax) else { return openWhereNeeded(now: now) }
    failuresSeen = 0
    if isFinal { notBefore = now }
    return failAll(failure)
  }

  /// The server takes nothing new on it.
  mutating func drainStarted(_ connection: UInt64, now: MonotonicTime) -> [Action] {
    defer { invariant() }
    slots[connection]?.phase = .draining
    return openWhereNeeded(now: now)
  }

  mutating func connectionClosed(_ connection: UInt64, now: MonotonicTime) -> [Action] {
    defer { invariant() }
    guard slots.removeValue(forKey: connection) != nil else { return [] }
    return openWhereNeeded(now: now)
  }

  mutating func closed() -> [Action] {
    defer { invariant() }
    guard !isClosed else { return [] }
    isClosed = true
    let ready = slots.filter { $0.value.phase != .opening }.keys.sorted()
    return failAll(.closed) + ready.map { .close(connection: $0) }
  }

  // MARK: The rules

  /// The connection with the fewest requests that takes one more.
  private func vacancy(forTransaction isTransaction: Bool) -> UInt64? {
    var best: (key: UInt64, requests: Int)?
    for (key, slot) in slots where slot.phase == .ready {
      guard slot.requests < min(pipelineDepth, slot.requestsMax) else { continue }
      guard !isTransaction || slot.transactions < transactionsMax else { continue }
      if let best, (best.requests, best.key) <= (slot.requests, key) { continue }
      best = (key, slot.requests)
    }
    return best?.key
  }

  private mutating func assign(_ waiter: Waiter, _ connection: UInt64) -> Action {
    slots[connection]?.requests += 1
    if waiter.isTransaction { slots[connection]?.transactions += 1 }
    return .assign(waiter: waiter.number, connection: connection)
  }

  /// A transaction that finds no slot does not hold up the plain requests behind it.
  private mutating func assignWaiters() -> [Action] {
    var actions: [Action] = []
    while true {
      let request = requests.isEmpty ? nil : vacancy(forTransaction: false)
      let transaction = transactions.isEmpty ? nil : vacancy(forTransaction: true)
      if let transaction, let number = transactions.first, request == nil || number < (requests.first ?? .max) {
        transactions.removeFirst()
        actions.append(assign(Waiter(number: number, isTransaction: true), transaction))
      } else if let request, let number = requests.popFirst() {
        actions.append(assign(Waiter(number: number, isTransaction: false), request))
      } else {
        return actions
      }
    }
  }

  /// Opens as many connections as the waiting requests fill.
  private mutating func openWhereNeeded(now: MonotonicTime) -> [Action] {
    guard !isClosed, waitingCount > 0 else { return [] }
    var opening = slots.values.count { $0.phase == .opening }
    var actions: [Action] = []
    let wanted = max(
      Self.count(waitingCount, by: depthKnown), Self.count(transactions.count, by: min(depthKnown, transactionsMax)))
    // While attempts fail, one at a time is enough to find out.
    while opening < (failures > 0 ? 1 : wanted), slots.count < connectionsMax {
      let pause = notBefore.nanoseconds > now.nanoseconds ? notBefore.milliseconds(since: now) + 1 : 0
      actions.append(.open(connection: nextConnection, afterMs: pause))
      slots[nextConnection] = Slot()
      nextConnection += 1
      opening += 1
    }
    return actions
  }

  /// How many requests a connection takes, as far as those say that are open.
  private var depthKnown: Int {
    slots.values.reduce(pipelineDepth) { $1.phase == .ready ? min($0, $1.requestsMax) : $0 }
  }

  /// How many connections that take `most` each take `count`.
  private static func count(_ count: Int, by most: Int) -> Int {
    let most = max(1, most)
    return count / most + (count % most == 0 ? 0 : 1)
  }

  private mutating func failAll(_ failure: PoolFailure) -> [Action] {
    defer {
      requests = []
      transactions = []
    }
    return (requests + transactions).sorted().map { .fail(waiter: $0, failure) }
  }

  // MARK: Invariants

  /// After each event of a debug build.
  private func invariant() { assert(contradiction == nil, contradiction ?? "") }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    if slots.count > connectionsMax { return "more connections are open than may be" }
    if waitingCount > max(0, waitingMax) { return "more requests wait than may" }
    for slot in slots.values {
      if slot.requests < 0 || slot.transactions < 0 { return "a connection has fewer than no requests" }
      if slot.phase == .opening, slot.requests + slot.transactions > 0 {
        return "a connection that is none has requests"
      }
      if slot.phase == .ready, slot.requests > min(pipelineDepth, slot.requestsMax) {
        return "a connection has more requests than may be"
      }
      if slot.transactions > transactionsMax { return "a connection has more transactions than may be" }
    }
    return nil
  }
}

/// Why a request got no connection.
enum PoolFailure: Error, Sendable, Equatable {
  /// The task was cancelled before it had begun to wait.
  case cancelled
  /// The deadline passed.
  case late
  case closed
  case tooManyWaiting
  case client(ClientError)
  /// The server refused the hello.
  case server(RequestError)

  var thrown: any Error {
    switch self {
    case .cancelled: CancellationError()
    case .late: RequestError.noAnswer(isOutcomeUnknown: false)
    case .closed: ClientError.closedHere
    case .tooManyWaiting: ClientError.tooManyWaitForPool
    case .client(let error): error
    case .server(let error): error
    }
  }
}
