/// In which order the statements of one read transaction run, and how it ends: the rules, without threads or SQLite.
///
///     waiting --leased--> opening --opened--> idle <--> busy --> ended
///
/// Always true: one item runs at a time, in the order in which they arrived; once stopped or finished, further items
/// are refused; the connection is given back exactly once, by `close`, `giveBack` or the end of the last item.
struct ReadTransactionFlow<Item> {
  enum State: Equatable {
    case waiting
    case opening
    case idle
    case busy
    case ended
  }

  enum Action {
    case none
    /// Take the snapshot.
    case open
    case start(Item)
    /// The transaction has ended, or too many items wait.
    case refuse
    /// Make what runs stop soon; `close` follows.
    case interrupt
    /// Let go of the snapshot and give the connection back.
    case close
    /// Leave the queue for connections.
    case withdraw
    /// The connection came too late.
    case giveBack
  }

  private(set) var state = State.waiting
  private(set) var isStopping = false
  /// The owner has been told that the transaction has begun, or is about to be.
  private(set) var hasBegun = false
  private var items: [Item] = []
  private let itemsMax: Int

  init(itemsMax: Int) { self.itemsMax = max(1, itemsMax) }

  var isOver: Bool { isStopping || state == .ended }

  mutating func leased() -> Action {
    guard state == .waiting else { return .giveBack }
    state = .opening
    return .open
  }

  /// The snapshot is taken. Returns if the transaction has begun by that; it never does once it was stopped.
  mutating func snapshotTaken() -> Bool {
    assert(state == .opening, "a snapshot of a transaction that is \(state)")
    hasBegun = state == .opening && !isStopping
    return hasBegun
  }

  /// What was to be done for the snapshot is done.
  mutating func opened() -> Action {
    assert(state == .opening, "the opening of a transaction that is \(state)")
    guard state == .opening else { return .none }
    return next()
  }

  mutating func arrived(_ item: Item) -> Action {
    guard !isOver, items.count < itemsMax else { return .refuse }
    defer { invariant() }
    if state == .idle {
      state = .busy
      return .start(item)
    }
    items.append(item)
    return .none
  }

  /// The item that ran has ended and has been answered.
  mutating func itemEnded() -> Action {
    assert(state == .busy || state == .ended, "the end of an item of a transaction that is \(state)")
    guard state == .busy else { return .none }
    return next()
  }

  /// The transaction must end: its owner is gone, a limit was reached, or its snapshot failed. Returns what never ran.
  mutating func stopped() -> (action: Action, dropped: [Item]) {
    guard !isOver else { return (.none, []) }
    let dropped = items
    items = []
    defer { invariant() }
    switch state {
    case .waiting:
      state = .ended
      return (.withdraw, dropped)
    case .idle:
      state = .ended
      return (.close, dropped)
    case .opening, .busy:
      isStopping = true
      return (.interrupt, dropped)
    case .ended: return (.none, dropped)
    }
  }

  /// The owner waits no longer for the transaction to begin. Nothing happens if it has.
  mutating func beginCancelled() -> (action: Action, dropped: [Item]) { hasBegun ? (.none, []) : stopped() }

  /// The owner's own end of the transaction runs: it is the last item. Returns what came after it.
  mutating func finished() -> [Item] {
    let dropped = items
    items = []
    state = .ended
    return dropped
  }

  private func invariant() {
    assert(items.count <= itemsMax)
    assert(items.isEmpty || !isOver, "an item waits after the end")
    assert(state != .idle || items.isEmpty, "an item waits while nothing runs")
  }

  private mutating func next() -> Action {
    defer { invariant() }
    if isStopping {
      state = .ended
      return .close
    }
    if items.isEmpty {
      state = .idle
      return .none
    }
    state = .busy
    return .start(items.removeFirst())
  }
}
