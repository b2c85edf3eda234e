/// The order in which the jobs of several subjects' sessions are next, while a turn is made up.
///
/// `Subject` and `Session` are the places where the caller keeps them.
///
/// Always true: first is a session of the subject that would have had the least after its next job, and of those the
/// one that would; a taken job counts as its session's jobs took so far.
struct FairOrder<Subject, Session> {
  struct Member {
    let session: Session
    let account: TimeAccount
    /// The number of the job at its front. If two would have had the same time, the lower number comes first.
    let id: UInt64
  }

  struct Party {
    let subject: Subject
    let account: TimeAccount
    let members: [Member]
  }

  private struct Cursor<Key>: MinimumHeapElement {
    let key: Key
    var rank: UInt64
    var id: UInt64
    let cost: UInt64

    init(_ key: Key, _ account: TimeAccount, _ id: UInt64) {
      self.key = key
      self.id = id
      rank = account.rank
      cost = account.typicalCost
    }

    static func isBefore(_ one: Cursor, _ other: Cursor) -> Bool { (one.rank, one.id) < (other.rank, other.id) }
  }

  private struct Group: MinimumHeapElement {
    var cursor: Cursor<Subject>
    var members: MinimumHeap<Cursor<Session>>

    static func isBefore(_ one: Group, _ other: Group) -> Bool { Cursor.isBefore(one.cursor, other.cursor) }
  }

  private var groups: MinimumHeap<Group>

  init(_ parties: [Party]) {
    let all = parties.map { party in
      let members = party.members.map { Cursor($0.session, $0.account, $0.id) }
      let first = party.members.lazy.map(\.id).min() ?? .max
      return Group(cursor: Cursor(party.subject, party.account, first), members: MinimumHeap(members))
    }
    groups = MinimumHeap(all)
  }

  /// Whose job is next.
  var first: (subject: Subject, session: Session)? {
    groups.withFirst { group in
      group.members.withFirst { (group.cursor.key, $0.key) }
    } ?? nil
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
      return !group.members.isEmpty
    }
  }

  /// The first one's job stays where it is, and so does what is behind it.
  mutating func passed() {
    groups.changeFirst { group in
      group.members.changeFirst { _ in false }
      return !group.members.isEmpty
    }
  }
}

protocol MinimumHeapElement {
  static func isBefore(_ one: Self, _ other: Self) -> Bool
}

/// A binary heap: the first of its elements is always at hand.
struct MinimumHeap<Element: MinimumHeapElement> {
  private var elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  var isEmpty: Bool { elements.isEmpty }

  /// Looks at the first one where it lies; nil if there is none.
  func withFirst<Result>(_ body: (Element) -> Result) -> Result? {
    elements.isEmpty ? nil : body(elements[0])
  }

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
      let child = 2 * index + 1
      if child < elements.count, Element.isBefore(elements[child], elements[least]) { least = child }
      if child + 1 < elements.count, Element.isBefore(elements[child + 1], elements[least]) { least = child + 1 }
      if least == index { return }
      elements.swapAt(index, least)
      index = least
    }
  }
}
