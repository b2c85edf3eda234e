internal import MartletValues

/// The requests of one session that are in flight, and the credit of each.
///
/// Always true: ids are unique; there are never more than the limit, so a scan is cheaper than hashing.
struct RequestTable: Equatable, Sendable {
  private(set) var entries: [RequestEntry] = []

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  func index(of id: UInt32) -> Int? {
    for index in entries.indices where entries[index].id == id { return index }
    return nil
  }

  func contains(_ id: UInt32) -> Bool { index(of: id) != nil }

  subscript(index: Int) -> RequestEntry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  mutating func insert(_ entry: RequestEntry) {
    assert(!contains(entry.id), "two requests have one id")
    entries.append(entry)
  }

  @discardableResult
  mutating func remove(_ id: UInt32) -> RequestEntry? {
    guard let index = index(of: id) else { return nil }
    entries.swapAt(index, entries.count - 1)
    return entries.removeLast()
  }

  mutating func removeAll() { entries.removeAll() }

  /// The transaction is over. Another one may have its number before the answer of its end comes, which is not about
  /// that one.
  mutating func transactionForgotten(_ id: UInt32) {
    for index in entries.indices where entries[index].kind == .finish(transaction: id) { entries[index].kind = .plain }
  }

  /// The requests whose clients have let rows wait for too long, each told once.
  mutating func takeUntaken(now: MonotonicTime) -> [UInt32] {
    var ids: [UInt32] = []
    for index in entries.indices where entries[index].kind == .rows && entries[index].clientCredit <= 0 {
      guard now >= entries[index].patienceEnds else { continue }
      entries[index].patienceEnds = .distantFuture
      ids.append(entries[index].id)
    }
    return ids
  }
}

/// One request in flight, and its credit.
struct RequestEntry: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// Answered with rows, against credit.
    case rows
    case begin
    case finish(transaction: UInt32)
    case plain
  }

  /// What can make a deadline shorter than the one that was asked for.
  enum Bound: Equatable, Sendable {
    case quota
    /// The longest deadline of all requests.
    case limit
  }

  let id: UInt32
  fileprivate(set) var kind: Kind
  /// If the session ends before the answer, nobody knows whether the request was carried out.
  let mayOutliveSession: Bool
  /// What the client will still take, by its own account.
  var clientCredit: Int
  /// The part of the credit that the engine has; below 0 if a batch overdrew it.
  var engineCredit: Int
  /// Until when its rows may wait for the client to take them.
  var patienceEnds: MonotonicTime
  /// The request's deadline if something made it as short, in milliseconds from its arrival and as a moment.
  var boundDeadline: (bound: Bound, ms: Int, due: MonotonicTime)?

  static func == (left: RequestEntry, right: RequestEntry) -> Bool {
    left.id == right.id && left.kind == right.kind && left.mayOutliveSession == right.mayOutliveSession
      && left.clientCredit == right.clientCredit && left.engineCredit == right.engineCredit
      && left.patienceEnds == right.patienceEnds && left.boundDeadline?.due == right.boundDeadline?.due
  }
}
