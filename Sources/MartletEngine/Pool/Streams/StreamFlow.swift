/// When one streamed read may run, must pause, and how it ends: the rules, without threads, SQLite or sockets.
///
///     waiting --leased--> running <--> paused        (a batch was delivered without credit left / credit came)
///        |   <--put back--  |            |
///        +------------------+------------+--> ended  (rows ended, or stopped from outside)
///
/// A paused stream whose connection others need runs once more, to keep the rest of its rows in memory. If they have
/// room it goes on from there; otherwise it ends.
///
/// Always true: at most one thread runs the statement; a stop while it runs is carried out by that thread, at any other
/// time by the thread that stops it; after `ended` nothing happens any more.
struct StreamFlow: Equatable {
  enum State: Equatable {
    case waiting
    case running
    case paused
    case ended
  }

  enum Action: Equatable {
    case none
    /// Hand the stream to a thread.
    case run
    /// Fetch the next batch on this thread.
    case next
    /// Queue behind others that wait for a thread.
    case yield
    /// Hand the stream to a thread, which keeps the rest of its rows.
    case copy
    /// Give the connection back: the rest is in memory.
    case detach
    /// Reset the statement, give the connection back, and wait for one in the lane of long reads.
    case beginAgain
    /// Leave the thread; the connection stays leased.
    case pause
    /// Make the running thread stop soon.
    case interrupt
    /// Reset the statement, give the connection back and answer.
    case finish
    /// Leave the queue for connections and answer.
    case withdraw
    /// The connection came too late.
    case giveBack
  }

  private(set) var state = State.waiting
  private(set) var isStopping = false

  mutating func leased() -> Action {
    defer { invariant() }
    guard state == .waiting else { return .giveBack }
    state = .running
    return .run
  }

  /// The running thread has delivered a batch, and there may be more.
  mutating func batchDelivered(hasCredit: Bool, othersWait: Bool) -> Action {
    defer { invariant() }
    guard mustRun("a batch") else { return .none }
    if isStopping {
      state = .ended
      return .finish
    }
    if !hasCredit {
      state = .paused
      return .pause
    }
    return othersWait ? .yield : .next
  }

  /// Others need the connection of a stream that is paused.
  mutating func reclaimed() -> Action {
    defer { invariant() }
    guard state == .paused else { return .none }
    state = .running
    return .copy
  }

  /// The running thread has kept the rest of the rows, or as many as there was room for.
  mutating func copied(isComplete: Bool) -> Action {
    defer { invariant() }
    guard mustRun("a copy") else { return .none }
    if isComplete, !isStopping { return .detach }
    state = .ended
    return .finish
  }

  /// The connection of a stream that has the rest in memory was given back.
  mutating func detached(hasCredit: Bool) -> Action {
    defer { invariant() }
    guard mustRun("a copy") else { return .none }
    if isStopping {
      state = .ended
      return .finish
    }
    if hasCredit { return .run }
    state = .paused
    return .pause
  }

  /// The running thread ended the statement before it had returned a row, so that others have its place.
  mutating func putBack() -> Action {
    defer { invariant() }
    guard mustRun("a return to the start") else { return .none }
    if isStopping {
      state = .ended
      return .finish
    }
    state = .waiting
    return .beginAgain
  }

  /// The event comes from the running thread, so there must be one.
  private func mustRun(_ event: String) -> Bool {
    assert(state == .running, "\(event) of a stream that is \(state)")
    return state == .running
  }

  mutating func creditExtended() -> Action {
    defer { invariant() }
    guard state == .paused else { return .none }
    state = .running
    return .run
  }

  /// The running thread found the end of the rows, or an error.
  mutating func rowsEnded() -> Action {
    defer { invariant() }
    guard mustRun("an end of rows") else { return .none }
    state = .ended
    return .finish
  }

  /// The stream was cancelled, evicted or is over its deadline, or its transaction has ended.
  mutating func stopped() -> Action {
    defer { invariant() }
    switch state {
    case .waiting:
      state = .ended
      return .withdraw
    case .paused:
      state = .ended
      return .finish
    case .running:
      if isStopping { return .none }
      isStopping = true
      return .interrupt
    case .ended: return .none
    }
  }

  private func invariant() {
    assert(!isStopping || state == .running || state == .ended, "a stop waits for a thread, and none runs")
  }
}
