/// Who waits for what is being opened, and who is told what when that has ended.
///
/// The first one that wants something opens it, and those that come meanwhile wait for it. A failure is the answer for
/// all that asked the same, so that however many come, each costs one step. Whoever asked something else tries next,
/// and so does the next one if the failure was that of the one that opened alone.
///
/// Always true: of what somebody waits for, one opens; whoever comes is returned once, or has left.
struct OpeningWaiters<Key: Hashable, Question: Equatable, Waiter> {
  private struct Entry {
    let question: Question
    let waiter: Waiter
  }

  /// In the order in which they came; the first one of each opens.
  private var waiting: [Key: [Entry]] = [:]

  var isEmpty: Bool { waiting.isEmpty }

  /// `question`: what the answer depends on beside the key. True if the waiter has to open it.
  mutating func arrived(_ waiter: Waiter, for key: Key, asking question: Question) -> Bool {
    waiting[key, default: []].append(Entry(question: question, waiter: waiter))
    return waiting[key]?.count == 1
  }

  /// It is open. Returns all that waited.
  mutating func opened(_ key: Key) -> [Waiter] { waiting.removeValue(forKey: key)?.map(\.waiter) ?? [] }

  /// It could not be opened. `isOwn`: the reason is that of the one that opened, and says nothing to others. Returns
  /// those for whom that is the answer, and the one that has to open it next.
  mutating func failed(
    _ key: Key, isOwn: Bool, isThere: (Waiter) -> Bool
  ) -> (told: [Waiter], next: Waiter?) {
    guard let entries = waiting.removeValue(forKey: key), let first = entries.first else { return ([], nil) }
    var (told, rest): ([Waiter], [Entry]) = ([], [])
    for (index, entry) in entries.enumerated() where isThere(entry.waiter) {
      if index == 0 || !isOwn && entry.question == first.question {
        told.append(entry.waiter)
      } else {
        rest.append(entry)
      }
    }
    if !rest.isEmpty { waiting[key] = rest }
    return (told, rest.first?.waiter)
  }
}
