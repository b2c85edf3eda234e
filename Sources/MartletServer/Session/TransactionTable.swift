internal import MartletValues

/// The interactive transactions of one session, by the request ids of their begins.
///
/// Always true: a transaction is found by its own session only; of those that ended without their owner's doing a few
/// are remembered, so that the owner is told what happened and not that there never was one.
struct TransactionTable: Sendable {
  private struct Entry: Sendable {
    let id: UInt32
    var isFinishing = false
    /// Its end was answered before its begin.
    var isOver = false
  }

  private var entries: [Entry] = []
  private var ended: [(id: UInt32, cause: RequestError?)] = []

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var ids: [UInt32] { entries.map(\.id) }

  enum State: Equatable, Sendable {
    case unknown
    case open
    /// It is finishing or has ended. The error says why, if its owner did not ask for it.
    case over(RequestError?)
  }

  func state(of id: UInt32) -> State {
    for entry in entries where entry.id == id { return entry.isFinishing ? .over(nil) : .open }
    return ended.first { $0.id == id }.map { .over($0.cause) } ?? .unknown
  }

  func contains(_ id: UInt32) -> Bool { entries.contains { $0.id == id } }

  mutating func began(_ id: UInt32) {
    assert(!contains(id), "two transactions have one id")
    ended.removeAll { $0.id == id }
    entries.append(Entry(id: id))
  }

  mutating func finishing(_ id: UInt32) {
    for index in entries.indices where entries[index].id == id { entries[index].isFinishing = true }
  }

  /// The end of the transaction was answered, and its begin was not yet.
  mutating func endedBeforeBegun(_ id: UInt32) {
    for index in entries.indices where entries[index].id == id { entries[index].isOver = true }
  }

  /// Whether the end of the transaction was answered.
  func isOver(_ id: UInt32) -> Bool { entries.contains { $0.id == id && $0.isOver } }

  /// Returns false if the transaction was not there.
  @discardableResult
  mutating func remove(_ id: UInt32, because cause: RequestError? = nil) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    entries.remove(at: index)
    ended.append((id, cause))
    if ended.count > ServerLimits.endedTransactionsMax { ended.removeFirst() }
    return true
  }

  mutating func removeAll() { entries.removeAll() }
}
