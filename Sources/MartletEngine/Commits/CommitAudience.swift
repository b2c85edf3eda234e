/// Decides who hears of a commit: the subscribers of one database, each with the commits that wait for it.
///
/// Always true: a subscriber that came before a commit hears of it, or of a gap that holds it. After the end nothing
/// more is told; a subscriber that comes then hears of the end alone.
struct CommitAudience {
  /// Names a subscriber for as long as it is there.
  struct ID: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct Subscriber {
    var queue: CommitQueue
    var wantsLog: Bool
  }

  private var subscribers: [ID: Subscriber] = [:]
  private var lastNumber: UInt64 = 0
  private(set) var end: CommitEnd?

  var isEmpty: Bool { subscribers.isEmpty }

  /// Whether anybody asked where the frames lie.
  private(set) var wantsLog = false

  // MARK: Events, which return whom to wake

  mutating func came(queueMax: Int, wantsLog: Bool) -> (id: ID, isWoken: Bool) {
    lastNumber += 1
    let id = ID(number: lastNumber)
    var queue = CommitQueue(most: queueMax)
    let isWoken = end.map { queue.ended($0) } ?? false
    subscribers[id] = Subscriber(queue: queue, wantsLog: wantsLog)
    countWishes()
    return (id, isWoken)
  }

  mutating func left(_ id: ID) {
    subscribers[id] = nil
    countWishes()
  }

  mutating func committed(_ commit: Commit) -> [ID] {
    guard end == nil else { return [] }
    return tell { $0.committed(commit) }
  }

  mutating func ended(_ end: CommitEnd) -> [ID] {
    guard self.end == nil else { return [] }
    self.end = end
    return tell { $0.ended(end) }
  }

  /// What the subscriber has not taken yet; nothing for one that has left.
  mutating func taken(by id: ID) -> CommitNews { subscribers[id]?.queue.taken() ?? CommitNews() }

  /// By index, because a loop over the dictionary would hold a second reference and have it copied.
  private mutating func tell(_ event: (inout CommitQueue) -> Bool) -> [ID] {
    var woken: [ID] = []
    var index = subscribers.startIndex
    while index != subscribers.endIndex {
      if event(&subscribers.values[index].queue) { woken.append(subscribers.keys[index]) }
      subscribers.formIndex(after: &index)
    }
    return woken
  }

  private mutating func countWishes() { wantsLog = subscribers.values.contains(where: \.wantsLog) }
}
