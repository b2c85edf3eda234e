import Dispatch
import MartletEngine
import MartletValues
import Synchronization

/// Lends connections: to threads that wait, and to tasks that suspend.
///
/// Always true: a connection has one holder at a time; holders that wait are served in the order in which they came;
/// at most `most` connections are open, and they are opened when they are needed; at most `waitingMax` holders wait.
final class ConnectionLeases: Sendable {
  private struct State {
    var idle: [EmbeddedConnection] = []
    var openCount = 0
    var waiting: [Waiter] = []
    var nextTicket: UInt64 = 0
    var isClosed = false
  }

  private struct Waiter: Sendable {
    let ticket: UInt64
    let resume: @Sendable (Result<EmbeddedConnection?, any Error>) -> Void
  }

  private enum Grant: Sendable {
    case connection(EmbeddedConnection)
    /// The caller may open one.
    case permission
    case waiting
    /// Too many wait.
    case refused
    case closed
  }

  private let most: Int
  private let waitingMax: Int
  private let open: @Sendable (Int) throws -> EmbeddedConnection
  private let state = Mutex(State())

  /// `open` makes the connection with a number, counted from 0.
  init(
    most: Int, waitingMax: Int = DatabaseLimits.waitingCallsMax,
    open: @escaping @Sendable (Int) throws -> EmbeddedConnection
  ) {
    self.most = max(1, most)
    self.waitingMax = waitingMax
    self.open = open
  }

  /// Opens a connection now, so that what is wrong with the file shows.
  func openFirst() throws { give(back: try take()) }

  /// Waits on the calling thread, until `deadline` at the latest.
  func take(until deadline: MonotonicTime? = nil) throws -> EmbeddedConnection {
    let semaphore = TimedSemaphore()
    let answer = Mutex<Result<EmbeddedConnection?, any Error>?>(nil)
    var ticket: UInt64 = 0
    let grant = arrive { number in
      ticket = number
      return { result in
        answer.withLock { $0 = result }
        semaphore.signal()
      }
    }
    switch grant {
    case .connection(let connection): return connection
    case .permission: return try opened()
    case .closed: throw RequestError.databaseClosed
    case .refused: throw RequestError.tooManyCallsWait
    case .waiting:
      if let deadline, !semaphore.wait(by: .init(uptimeNanoseconds: deadline.nanoseconds)) {
        // If a connection was given meanwhile, the ticket is answered, and this finds no one.
        withdraw(ticket, RequestError.noConnectionInTime)
        semaphore.wait()
      } else if deadline == nil {
        semaphore.wait()
      }
      let result = answer.withLock { $0 } ?? .failure(RequestError.databaseClosed)
      return try result.get() ?? opened()
    }
  }

  /// Suspends the task, until `deadline` at the latest; throws `CancellationError` if it is cancelled meanwhile.
  func take(until deadline: MonotonicTime? = nil) async throws -> EmbeddedConnection {
    try Task.checkCancellation()
    let ticket = Mutex<UInt64>(0)
    var alarm: DispatchWorkItem?
    defer { alarm?.cancel() }
    let connection: EmbeddedConnection? = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let grant = arrive { number in
          ticket.withLock { $0 = number }
          return { continuation.resume(with: $0) }
        }
        switch grant {
        case .connection(let connection): continuation.resume(returning: connection)
        case .permission: continuation.resume(returning: nil)
        case .closed: continuation.resume(throwing: RequestError.databaseClosed)
        case .refused: continuation.resume(throwing: RequestError.tooManyCallsWait)
        case .waiting:
          // A cancellation that came before the ticket was drawn found no one to wake.
          if Task.isCancelled { withdraw(ticket.withLock { $0 }, CancellationError()) }
          alarm = deadline.map { setAlarm(ticket.withLock { $0 }, at: $0) }
        }
      }
    } onCancel: {
      withdraw(ticket.withLock { $0 }, CancellationError())
    }
    return try connection ?? opened()
  }

  /// The holder is done with the connection.
  func give(back connection: EmbeddedConnection) {
    var isClosed = false
    defer { if isClosed { connection.releaseFiles() } }
    let next: Waiter? = state.withLock { state in
      isClosed = state.isClosed
      guard !isClosed else {
        state.openCount -= 1
        return nil
      }
      if state.waiting.isEmpty {
        // The one used last is given first, because its cache is warm.
        state.idle.append(connection)
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume(.success(connection))
  }

  /// No one gets a connection any more; those that are idle close now, the others when they are given back.
  func close() {
    var idle: [EmbeddedConnection] = []
    let waiting = state.withLock { state in
      state.isClosed = true
      state.openCount -= state.idle.count
      swap(&idle, &state.idle)
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    let locks = idle.flatMap(\.fileLocks)
    // Closes the files, but for a connection that a statement still keeps. Only then may a server have them.
    idle = []
    for lock in locks { lock.release() }
    for waiter in waiting { waiter.resume(.failure(RequestError.databaseClosed)) }
  }

  private func arrive(
    _ makeResume: (UInt64) -> @Sendable (Result<EmbeddedConnection?, any Error>) -> Void
  ) -> Grant {
    state.withLock { state in
      if state.isClosed { return .closed }
      if let connection = state.idle.popLast() { return .connection(connection) }
      if state.openCount < most {
        state.openCount += 1
        return .permission
      }
      guard state.waiting.count < waitingMax else { return .refused }
      state.nextTicket += 1
      let ticket = state.nextTicket
      state.waiting.append(Waiter(ticket: ticket, resume: makeResume(ticket)))
      return .waiting
    }
  }

  private func opened() throws -> EmbeddedConnection {
    do {
      return try open(state.withLock { $0.openCount - 1 })
    } catch {
      // Another waiter may try in the place of this one.
      let next: Waiter? = state.withLock { state in
        guard !state.waiting.isEmpty else {
          state.openCount -= 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume(.success(nil))
      throw error
    }
  }

  private func setAlarm(_ ticket: UInt64, at deadline: MonotonicTime) -> DispatchWorkItem {
    let alarm = DispatchWorkItem { [weak self] in self?.withdraw(ticket, RequestError.noConnectionInTime) }
    DispatchQueue.global().asyncAfter(deadline: .init(uptimeNanoseconds: deadline.nanoseconds), execute: alarm)
    return alarm
  }

  private func withdraw(_ ticket: UInt64, _ error: any Error) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
      return state.waiting.remove(at: index)
    }
    waiter?.resume(.failure(error))
  }
}
