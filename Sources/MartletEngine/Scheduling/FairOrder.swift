/// The order in which the jobs of several subjects' sessions are next, while a turn is made up.
///
/// Always true: first is a session of the subject that would have had the least after its next job, and of those the
/// one that would; a taken job counts as its session's jobs took so far.
struct FairOrder {
  struct Member {
    let session: UInt64
    let account: TimeAccount
    /// The number of the job at its front. If two would have had the same time, the lower number comes first.
    let id: UInt64
  }

  struct Party {
    let subject: UInt64
    let account: TimeAccount
    let members: [Member]
  }

  private struct Cursor {
    let key: UInt64
    var rank: UInt64
    var id: UInt64
    let cost: UInt64

    init(_ key: UInt64, _ account: TimeAccount, _ id: UInt64) {
      self.key = key
      self.id = id
      rank = account.rank
      cost = account.typicalCost
    }

    static func isBefore(_ one: Cursor, _ other: Cursor) -> Bool { (one.rank, one.id) < (other.rank, other.id) }
  }

  private struct Group {
    var cursor: Cursor
    var members: MinimumHeap<Cursor>
  }

  private var groups: MinimumHeap<Group>

  init(_ parties: [Party]) {
    let all = parties.map { party in
      let members = party.members.map { Cursor($0.session, $0.account, $0.id) }
      let first = party.members.lazy.map(\.id).min() ?? .max
      return Group(
        cursor: Cursor(party.subject, party.account, first), members: MinimumHeap(members, by: Cursor.isBefore))
    }
    groups = MinimumHeap(all) { Cursor.isBefore($0.cursor, $1.cursor) }
  }

  /// Whose job is next.
  var first: SessionShare? {
    guard let group = groups.first, let member = group.members.first else { return nil }
    return SessionShare(subject: group.cursor.key, session: member.key)
  }

  /// The first one's job was taken; `nextID` is that of the one behind it.
  mutating func taken(nextID: UInt64?) {
    groups.changeFirst { group in
      group.cursor.rank &+= group.cursor.cost
      group.members.changeFirst { member in
        guard let nextID else { return false }
        member.rank &+= member.cost
        member.id = nextID
        return true
      }
      return group.members.first != nil
    }
  }

  /// The first one's job stays where it is, and so does what is behind it.
  mutating func passed() {
    groups.changeFirst { group in
      group.members.changeFirst { _ in false }
      return group.members.first != nil
    }
  }
}

/// A binary heap: the first of its elements is always at hand.
struct MinimumHeap<Element> {
  private var elements: [Element]
  private let isBefore: (Element, Element) -> Bool

  init(_ elements: [Element], by isBefore: @escaping (Element, Element) -> Bool) {
    self.elements = elements
    self.isBefore = isBefore
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  var first: Element? { elements.first }

  /// Changes the first one, which may no longer be the first then. It goes if `body` returns false.
  mutating func changeFirst(_ body: (inout Element) -> Bool) {
    guard !elements.isEmpty else { return }
    if !body(&elements[0]) {
      elements.swapAt(0, elements.count - 1)
      elements.removeLast()
    }
    sink(from: 0)
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < elements.count && isBefore(elements[child], elements[least]) {
        least = child
      }
      if least == index { return }
      elements.swapAt(index, least)
      index = least
    }
  }
}
