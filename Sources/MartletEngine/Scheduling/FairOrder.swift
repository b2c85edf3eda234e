/// The order in which the jobs of several subjects' sessions are next, while a turn is made up.
///
/// `Subject` and `Session` are the places where the caller keeps them.
///
/// Always true: first is a session of the subject that would have had the least after its next job, and of those the
/// one that would, but for what is next by its age; a taken job counts as its session's jobs took so far.
struct FairOrder<Subject, Session> {
  struct Member {
    let session: Session
    let account: TimeAccount
    /// The number of the job at its front. If two would have had the same time, the lower number comes first.
    let id: UInt64
    /// The session comes first, because it has waited for long.
    var isByAge = false

    /// The least of several has waited the longest.
    var age: (since: UInt64, id: UInt64) { (account.waitsSince, id) }
  }

  struct Party {
    let subject: Subject
    let account: TimeAccount
    let members: [Member]
    /// The lowest number of their jobs.
    let oldest: UInt64
    /// The subject comes first, because it has waited for long.
    var isByAge = false

    init(subject: Subject, account: TimeAccount, members: [Member]) {
      self.subject = subject
      self.account = account
      self.members = members
      oldest = members.lazy.map(\.id).min() ?? .max
    }

    /// The least of several has waited the longest.
    var age: (since: UInt64, id: UInt64) { (account.waitsSince, oldest) }
  }

  /// Whose job is next, and whether the subject and the session are so by their age.
  struct Next {
    let subject: Subject
    let session: Session
    let isByAge: (subject: Bool, session: Bool)
  }

  private struct Cursor<Key>: MinimumHeapElement {
    let key: Key
    var rank: UInt64
    var id: UInt64
    let cost: UInt64
    /// For its first job only.
    var isByAge: Bool

    init(_ key: Key, _ account: TimeAccount, _ id: UInt64, isByAge: Bool) {
      self.key = key
      self.id = id
      self.isByAge = isByAge
      rank = account.rank
      cost = account.typicalCost
    }

    static func isBefore(_ one: Cursor, _ other: Cursor) -> Bool {
      one.isByAge == other.isByAge ? (one.rank, one.id) < (other.rank, other.id) : one.isByAge
    }

    mutating func taken() {
      rank &+= cost
      isByAge = false
    }
  }

  private struct Group: MinimumHeapElement {
    var cursor: Cursor<Subject>
    var members: MinimumHeap<Cursor<Session>>

    static func isBefore(_ one: Group, _ other: Group) -> Bool { Cursor.isBefore(one.cursor, other.cursor) }
  }

  private var groups: MinimumHeap<Group>

  init(_ parties: [Party]) {
    let all = parties.map { party in
      let members = party.members.map { Cursor($0.session, $0.account, $0.id, isByAge: $0.isByAge) }
      let cursor = Cursor(party.subject, party.account, party.oldest, isByAge: party.isByAge)
      return Group(cursor: cursor, members: MinimumHeap(members))
    }
    groups = MinimumHeap(all)
  }

  var first: Next? {
    groups.withFirst { group in
      group.members.withFirst { member in
        Next(subject: group.cursor.key, session: member.key, isByAge: (group.cursor.isByAge, member.isByAge))
      }
    } ?? nil
  }

  /// The first one's job was taken; `nextID` is that of the one behind it.
  mutating func taken(nextID: UInt64?) {
    groups.changeFirst { group in
      group.cursor.taken()
      group.members.changeFirst { member in
        guard let nextID else { return false }
        member.taken()
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
