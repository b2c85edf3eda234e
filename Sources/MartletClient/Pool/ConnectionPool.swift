internal import MartletProtocol
internal import MartletValues
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The bounded pool of connections of one remote database: performs what `PoolState` decides.
///
/// Always true: actions are performed outside of the lock; a request that waits is told of a connection, of a failure,
/// of its deadline or of its cancellation, whichever comes first, once.
final class ConnectionPool: RequestRoute {
  fileprivate struct State {
    var pool: PoolState
    var connections: [UInt64: ClientConnection] = [:]
    var waiting: [UInt64: CheckedContinuation<ClientConnection, any Error>] = [:]
    /// Assigned or failed before the task had begun to wait.
    var settled: [UInt64: Result<ClientConnection, PoolFailure>] = [:]
  }

  private let state: Mutex<State>
  private let opener: ConnectionOpener
  private let nextWaiter = Atomic<UInt64>(1)

  init(address: MartletURL.Address, database: String, configuration: ClientConfiguration) {
    state = Mutex(State(pool: PoolState(configuration)))
    opener = ConnectionOpener(
      preparation: ConnectionPreparation(address: address, configuration),
      session: SessionConfiguration(database: database, configuration),
      connectTimeout: TimeAmount(configuration.connectTimeout),
      group: configuration.eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton,
      recorder: configuration.recorder)
  }

  deinit { closeAll() }

  func submit(_ request: ClientRequest, to receiver: any ReplyReceiver) async throws -> InFlightRequest {
    try Task.checkCancellation()
    let waiter = arrive(request)
    if let connection = try taken(by: waiter) { return start(request, to: receiver, on: connection) }
    return start(request, to: receiver, on: try await wait(as: waiter, until: request.deadline))
  }

  /// The twin for a thread that may wait. A task is made for it only if no connection is free; `canceller` ends it.
  func submitAndWait(
    _ request: ClientRequest, to receiver: any ReplyReceiver, endedBy canceller: RequestCanceller
  ) throws -> InFlightRequest {
    try Blocking.checkThread()
    let waiter = arrive(request)
    if let connection = try taken(by: waiter) { return start(request, to: receiver, on: connection) }
    let connection = try Blocking.wait(endedBy: canceller) { [self] in
      try await wait(as: waiter, until: request.deadline)
    }
    return start(request, to: receiver, on: connection)
  }

  private func start(
    _ request: ClientRequest, to receiver: any ReplyReceiver, on connection: ClientConnection
  ) -> InFlightRequest {
    var sent = connection.start(request, receiver: receiver, isCounted: true)
    sent.route = self
    return sent
  }

  /// Closes all connections and waits until they are closed.
  func close() async {
    let futures = closeAll()
    for future in futures { try? await future.get() }
  }

  @discardableResult
  private func closeAll() -> [EventLoopFuture<Void>] {
    let connections = perform { $0.closed() }
    return connections.map { $0.close(.closedHere) }
  }

  // MARK: Waiting for a connection

  /// A request wants a connection. Returns the number under which it is given one.
  private func arrive(_ request: ClientRequest) -> UInt64 {
    let isTransaction = if case .plain(.begin) = request.kind { true } else { false }
    let number = nextWaiter.wrappingAdd(1, ordering: .relaxed).oldValue
    perform { $0.requestArrived(.init(number: number, isTransaction: isTransaction), now: Deadline.now()) }
    return number
  }

  /// The connection that a request was given when it arrived: most find one and never wait. Nil: it has to.
  private func taken(by number: UInt64) throws -> ClientConnection? {
    try state.withLock { $0.settled.removeValue(forKey: number) }?.getThrown()
  }

  private func wait(as number: UInt64, until deadline: MonotonicTime) async throws -> ClientConnection {
    let timer = planDeadline(deadline, of: number)
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let settled = state.withLock { state in
          let settled = state.settled.removeValue(forKey: number)
          if settled == nil { state.waiting[number] = continuation }
          return settled
        }
        if let settled { continuation.resume(with: settled.mapError(\.thrown)) }
      }
    } onCancel: {
      leave(number, .cancelled)
    }
  }

  private func planDeadline(_ deadline: MonotonicTime, of number: UInt64) -> Scheduled<Void>? {
    guard deadline < .distantFuture else { return nil }
    return opener.group.any().scheduleTask(deadline: .uptimeNanoseconds(deadline.nanoseconds)) { [weak self] in
      self?.leave(number, .late)
    }
  }

  /// The task does not want to wait any more.
  private func leave(_ number: UInt64, _ failure: PoolFailure) {
    let continuation = state.withLock { state -> CheckedContinuation<ClientConnection, any Error>? in
      guard state.pool.waiterLeft(number) else { return nil }
      if let continuation = state.waiting.removeValue(forKey: number) { return continuation }
      state.settled[number] = .failure(failure)
      return nil
    }
    continuation?.resume(throwing: failure.thrown)
  }

  // MARK: Performing

  /// Gives an event to the state and performs its actions. Returns the connections that are to be closed.
  ///
  /// `gone` is a connection that was closed: forgotten in the same step, so that it is never assigned.
  @discardableResult
  private func perform(
    removing gone: UInt64? = nil, _ event: (inout PoolState) -> [PoolState.Action]
  ) -> [ClientConnection] {
    var resumptions: [(CheckedContinuation<ClientConnection, any Error>, Result<ClientConnection, any Error>)] = []
    var openings: [(UInt64, Int)] = []
    var closings: [ClientConnection] = []
    state.withLock { state in
      if let gone { state.connections[gone] = nil }
      for action in event(&state.pool) {
        switch action {
        case .open(let connection, let pause): openings.append((connection, pause))
        case .close(let connection):
          if let closing = state.connections.removeValue(forKey: connection) { closings.append(closing) }
        case .assign(let waiter, let connection):
          guard let connection = state.connections[connection] else { continue }
          if let continuation = state.settle(waiter, .success(connection)) {
            resumptions.append((continuation, .success(connection)))
          }
        case .fail(let waiter, let failure):
          if let continuation = state.settle(waiter, .failure(failure)) {
            resumptions.append((continuation, .failure(failure.thrown)))
          }
        }
      }
    }
    for (continuation, result) in resumptions { continuation.resume(with: result) }
    for (connection, pause) in openings { open(connection, afterMs: pause) }
    return closings
  }

  private func open(_ number: UInt64, afterMs pause: Int) {
    guard pause > 0 else { return open(number) }
    opener.group.any().scheduleTask(in: .milliseconds(Int64(pause))) { [weak self] in self?.open(number) }
  }

  private func open(_ number: UInt64) {
    let observer = ConnectionOpener.Observer(
      requestEnded: { [weak self] in self?.perform { $0.requestEnded(number, now: Deadline.now()) } },
      drainStarted: { [weak self] in self?.perform { $0.drainStarted(number, now: Deadline.now()) } },
      transactionEnded: { [weak self] in self?.perform { $0.transactionEnded(number, now: Deadline.now()) } },
      closed: { [weak self] in self?.closed(number) })
    opener.open(number: number, observer: observer).whenComplete { [weak self] result in
      switch result {
      case .success((let connection, let requestsMax)):
        guard let self else {
          connection.close(.closedHere)
          return
        }
        opened(connection, requestsMax: requestsMax)
      case .failure(let error): self?.failed(number, error)
      }
    }
  }

  private func opened(_ connection: ClientConnection, requestsMax: Int) {
    state.withLock { $0.connections[connection.number] = connection }
    let now = Deadline.now()
    for closing in perform({ $0.connectionReady(connection.number, requestsMax: requestsMax, now: now) }) {
      closing.close(.closedHere)
    }
  }

  private func failed(_ number: UInt64, _ error: any Error) {
    let failure: PoolFailure
    var isFinal = false
    switch error {
    case let error as RequestError:
      failure = .server(error)
      isFinal = !error.isRetryable
    case let error as ClientError:
      failure = .client(error)
      // Another attempt would show the same certificate, or read the same file.
      let isSettled = [.tlsFailed, .credentialFailed].contains(error.code) && !error.isRetryable
      isFinal = error.code == .protocolViolation || isSettled
    default: failure = .client(.connectionNotMade)
    }
    perform { pool in
      pool.connectFailed(
        number, failure, isFinal: isFinal, now: Deadline.now(), jitter: Double.random(in: 0...1))
    }
  }

  private func closed(_ number: UInt64) {
    perform(removing: number) { $0.connectionClosed(number, now: Deadline.now()) }
  }
}

extension ConnectionPool.State {
  /// The continuation to resume, or nil if the task has not begun to wait and finds the result when it does.
  fileprivate mutating func settle(
    _ waiter: UInt64, _ result: Result<ClientConnection, PoolFailure>
  ) -> CheckedContinuation<ClientConnection, any Error>? {
    if let continuation = waiting.removeValue(forKey: waiter) { return continuation }
    settled[waiter] = result
    return nil
  }
}

extension Result where Success == ClientConnection, Failure == PoolFailure {
  fileprivate func getThrown() throws -> ClientConnection {
    switch self {
    case .success(let connection): return connection
    case .failure(let failure): throw failure.thrown
    }
  }
}

extension TimeAmount {
  init(_ duration: Duration) { self = .milliseconds(Int64(duration.milliseconds)) }
}
