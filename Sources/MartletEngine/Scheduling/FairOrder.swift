/// The order in which the jobs of several subjects' sessions are next, while a turn is made up.
///
/// `Subject` and `Session` are the places where the caller keeps them.
///
/// Always true: first is a session of the subject that would have had the least after its next job, and of those the
/// one that would, but for what is next by its age; a taken job counts as its session's jobs took so far.
struct FairOrder<Subject, Session> {
  /// One of those that share a time, in the order of a turn.
  struct Runner<Key>: MinimumHeapElement {
    let key: Key
    /// The number of the job at its front. If two would have had the same time, the lower number comes first.
    fileprivate(set) var id: UInt64
    let waitsSince: UInt64
    /// It comes first for its first job, because it has waited for long.
    var isByAge = false
    private var rank: UInt64
    private let cost: UInt64

    init(_ key: Key, _ account: TimeAccount, _ id: UInt64) {
      self.key = key
      self.id = id
      waitsSince = account.waitsSince
      rank = account.rank
      cost = account.typicalCost
    }

    /// The least of several has waited the longest.
    var age: (since: UInt64, id: UInt64) { (waitsSince, id) }

    static func isBefore(_ one: Runner, _ other: Runner) -> Bool {
      one.isByAge == other.isByAge ? (one.rank, one.id) < (other.rank, other.id) : one.isByAge
    }

    fileprivate mutating func taken() {
      rank &+= cost
      isByAge = false
    }
  }

  /// A subject with its sessions.
  struct Party: MinimumHeapElement {
    fileprivate var runner: Runner<Subject>
    fileprivate var members: MinimumHeap<Runner<Session>>

    init(_ subject: Subject, _ account: TimeAccount, _ members: [Runner<Session>]) {
      // The lowest number of their jobs.
      runner = Runner(subject, account, members.lazy.map(\.id).min() ?? .max)
      self.members = MinimumHeap(members)
    }

    var waitsSince: UInt64 { runner.waitsSince }
    var age: (since: UInt64, id: UInt64) { runner.age }

    /// It comes first, because it has waited for long.
    mutating func isNextByAge() { runner.isByAge = true }

    static func isBefore(_ one: Party, _ other: Party) -> Bool { Runner.isBefore(one.runner, other.runner) }
  }

  /// Whose job is next, and whether the subject and the session are so by their age.
  struct Next {
    let subject: Subject
    let session: Session
    let isByAge: (subject: Bool, session: Bool)
  }

  private var parties: MinimumHeap<Party>

  init(_ parties: [Party]) { self.parties = MinimumHeap(parties) }

  var first: Next? {
    parties.withFirst { party in
      party.members.withFirst { member in
        Next(subject: party.runner.key, session: member.key, isByAge: (party.runner.isByAge, member.isByAge))
      }
    } ?? nil
  }

  /// The first one's job was taken; `nextID` is that of the one behind it.
  mutating func taken(nextID: UInt64?) {
    parties.changeFirst { party in
      party.runner.taken()
      party.members.changeFirst { member in
        guard let nextID else { return false }
        member.taken()
        member.id = nextID
        return true
      }
      return !party.members.isEmpty
    }
  }

  /// The first one's job stays where it is, and so does what is behind it.
  mutating func passed() {
    parties.changeFirst { party in
      party.members.changeFirst { _ in false }
      return !party.members.isEmpty
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
