/// Scripts for whose job is next, and what holds for any number of sessions, whatever their jobs take.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct FairQueueTests {
  private typealias Queue = FairQueue<String>

  private static let millisecond: UInt64 = 1_000_000

  private func share(_ subject: UInt64, _ session: UInt64) -> SessionShare {
    SessionShare(subject: subject, session: session)
  }

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  /// Does this many jobs one by one, each of which takes what `cost` says, and returns them in the order in which they
  /// ran.
  private func served(_ queue: inout Queue, _ count: Int, cost: (String) -> (SessionShare, ms: UInt64)) -> [String] {
    var order: [String] = []
    for _ in 0..<count {
      guard let job = queue.next() else { break }
      order.append(job)
      let (share, ms) = cost(job)
      queue.charge(ms * Self.millisecond, to: share)
    }
    return order
  }

  /// Whose job it is: its name begins with the subject's and the session's number.
  private func owner(_ job: String) -> SessionShare {
    let digits = job.compactMap(\.wholeNumberValue).map(UInt64.init)
    return share(digits[0], digits[1])
  }

  @Test func `a turn of more sessions than are remembered is charged whole, whoever is forgotten within it`() {
    var queue = Queue()
    let sessions = UInt64(EngineLimits.idleSessionsMax * 3)
    let costs = (1...sessions).map { (share: share($0 % 2 + 1, $0), nanoseconds: 2 * Self.millisecond) }
    queue.charge(costs)
    queue.charge(costs.reversed())
    #expect(queue.contradiction == nil)
    // What was charged last is remembered: a newcomer of the same subject comes before it.
    let last = costs[0].share
    queue.charge([(last, 500 * Self.millisecond)])
    queue.arrived("old", of: last)
    queue.arrived("new", of: share(last.subject, sessions + 1))
    #expect(queue.next() == "new")
  }

  @Test func `a session with many jobs has its turn like one with few, and its jobs keep their order`() {
    var queue = Queue()
    for job in ["11a", "11b", "11c", "11d", "12a", "13a", "13b"] { queue.arrived(job, of: owner(job)) }
    let order = served(&queue, 10) { (owner($0), 10) }
    #expect(order == ["11a", "12a", "13a", "11b", "13b", "11c", "11d"])
    #expect(queue.isEmpty)
  }

  @Test func `a subject with many sessions has one subject's share`() {
    var queue = Queue()
    for session in 1...4 {
      for job in ["a", "b"] { queue.arrived("1\(session)\(job)", of: share(1, UInt64(session))) }
    }
    for job in ["21a", "21b", "21c"] { queue.arrived(job, of: share(2, 1)) }
    let order = served(&queue, 7) { (owner($0), 10) }
    #expect(order == ["11a", "21a", "12a", "21b", "13a", "21c", "14a"])
  }

  @Test func `short jobs do not wait for a row of long ones`() {
    var queue = Queue()
    for session in 1...9 {
      for number in 0..<3 { queue.arrived("1\(session)-\(number)", of: share(1, UInt64(session))) }
    }
    // It is known by now that theirs are long.
    _ = served(&queue, 9) { (owner($0), 16) }
    for number in 0..<5 {
      queue.arrived("20short\(number)", of: share(1, 100))
      let next = served(&queue, 1) { _ in (share(1, 100), 0) }
      #expect(next == ["20short\(number)"])
    }
  }

  @Test func `nobody saves time up while he sends nothing`() {
    var queue = Queue()
    queue.arrived("12x", of: share(1, 2))
    _ = served(&queue, 1) { _ in (share(1, 2), 0) }
    // Session 2 has had nothing for ten seconds of the others' time.
    for number in 0..<1_000 { queue.arrived("11-\(number)", of: share(1, 1)) }
    _ = served(&queue, 1_000) { (owner($0), 10) }
    for number in 0..<20 {
      queue.arrived("11\(number)", of: share(1, 1))
      queue.arrived("12\(number)", of: share(1, 2))
    }
    let order = served(&queue, 40) { (owner($0), 10) }
    let ahead = order.prefix { $0.hasPrefix("12") }.count
    #expect(ahead <= 4, "\(order)")
    #expect(Set(order.prefix(10).map { $0.prefix(2) }).count == 2)
  }

  @Test func `whoever waits has its turn, however many come anew`() {
    var queue = Queue()
    queue.arrived("11-first", of: share(1, 1))
    _ = served(&queue, 1) { _ in (share(1, 1), 50) }
    queue.arrived("11-second", of: share(1, 1))
    for session in 2..<10_000 {
      queue.arrived("19-\(session)", of: share(1, UInt64(session)))
      let next = served(&queue, 1) { ($0.hasPrefix("11") ? share(1, 1) : share(1, UInt64(session)), 5) }
      if next.first?.hasPrefix("11") == true { return #expect(session < 50) }
    }
    Issue.record("it never had its turn")
  }

  @Test func `what waits can be withdrawn, expires and comes back to its place`() {
    var queue = Queue()
    let first = queue.arrived("11a", of: share(1, 1), deadline: at(50))
    let second = queue.arrived("11b", of: share(1, 1), deadline: at(10))
    queue.arrived("12a", of: share(1, 2), deadline: at(30))
    #expect(queue.earliestDeadline == at(10) && queue.count(of: share(1, 1)) == 2)
    #expect(queue.withdrawn(second, of: share(1, 2)) == nil && queue.withdrawn(second, of: share(1, 1)) == "11b")
    #expect(queue.withdrawn(second, of: share(1, 1)) == nil)
    #expect(queue.next() == "11a")
    queue.arrived("11c", of: share(1, 1), deadline: at(60))
    queue.arrived("11a", of: share(1, 1), deadline: at(50), id: first)
    #expect(queue.ticked(at(30)) == ["12a"] && queue.earliestDeadline == at(50))
    #expect(queue.next() == "11a" && queue.next() == "11c" && queue.next() == nil)
    #expect(queue.earliestDeadline == .distantFuture)
    for job in ["11x", "12x", "11y"] { queue.arrived(job, of: owner(job)) }
    #expect(queue.closed() == ["11x", "12x", "11y"] && queue.isEmpty)
  }

  @Test func `where there is no room, whoever has the most waiting gives way to whoever has less`() {
    var queue = Queue()
    for job in ["11a", "11b", "11c", "12a", "21a", "21b"] { queue.arrived(job, of: owner(job)) }
    #expect(queue.displaced(by: share(3, 1)) == "11c", "of the fullest session in the fullest subject")
    #expect(queue.displaced(by: share(3, 1)) == "11b")
    #expect(queue.displaced(by: share(2, 1)) == nil, "it has as many as anybody else")
    #expect(queue.displaced(by: share(2, 2)) == "21b", "a session gives way within its subject")
    #expect(queue.displaced(by: share(1, 1)) == nil)
    #expect(queue.count == 3)
  }

  @Test func `what is remembered of sessions that have gone is bounded`() {
    var queue = Queue()
    for session in 0..<20_000 as Range<UInt64> {
      queue.arrived("job", of: share(session % 7, session))
      #expect(queue.next() == "job")
      queue.charge(session % 3 == 0 ? 90 * Self.millisecond : 0, to: share(session % 7, session))
      if session % 100 == 0 { #expect(queue.contradiction == nil) }
    }
  }

  /// Others come and go before the job is taken, so that too many are remembered when it is, or while it runs.
  @Test(arguments: [(256, 0), (0, 600)]) func `what a job took counts, however many others have come and gone`(
    before: Int, meanwhile: Int
  ) {
    var queue = Queue()
    func others(_ count: Int, from first: Int) {
      for session in first..<first + count {
        queue.arrived("other", of: share(1, UInt64(session)))
        #expect(queue.next() == "other")
        queue.charge(0, to: share(1, UInt64(session)))
      }
    }
    others(before, from: 0)
    queue.arrived("slow", of: share(2, 1))
    #expect(queue.next() == "slow")
    others(meanwhile, from: 1_000)
    queue.charge(90 * Self.millisecond, to: share(2, 1))
    #expect(queue.contradiction == nil)
    queue.arrived("slow again", of: share(2, 1))
    queue.arrived("new", of: share(3, 1))
    #expect(queue.next() == "new" && queue.next() == "slow again")
  }

  @Test func `jobs that are not welcome are passed over, and have their turn when they are`() {
    var queue = Queue()
    for job in ["11a", "11b", "12a", "21a", "31a"] { queue.arrived(job, of: owner(job)) }
    #expect(queue.next(where: { owner($0).subject != 1 }) == "21a")
    #expect(queue.next(where: { _ in false }) == nil && queue.count == 4)
    #expect(queue.hasNext { $0 == "31a" } && !queue.hasNext { $0 == "11b" }, "what is behind another one is not next")
    #expect(queue.next() == "11a")
    #expect(queue.next(where: { owner($0).subject > 1 }) == "31a")
    #expect(queue.next(where: { owner($0).subject > 1 }) == nil)
    #expect(queue.next(where: { $0 != "12a" }) == "11b" && queue.next() == "12a" && queue.isEmpty)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>) func `one job is next by the same order as many at once`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var queue = FairQueue<SessionShare>()
    for _ in 0..<2_000 {
      let share = share(UInt64.random(in: 1...3, using: &random), UInt64.random(in: 1...5, using: &random))
      queue.arrived(share, of: share)
      if queue.count < 20 { continue }
      var group = queue
      var first: SessionShare?
      group.take { job in
        if first != nil { return .stop }
        first = job
        return .take
      }
      let next = queue.next()
      #expect(next == first)
      if let next { queue.charge(UInt64.random(in: 0...5, using: &random) * Self.millisecond, to: next) }
    }
  }

  /// Sessions come and go as a random number says, with jobs of random length. While one waits at the front of its
  /// session no other session has more than what it may be behind, and two jobs.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `nobody is kept waiting beyond a share`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = FairQueue<(share: SessionShare, cost: UInt64)>()
    let longest: UInt64 = 20
    let bound = (longest * 3) * Self.millisecond + EngineLimits.savedNsMax + EngineLimits.presumedJobNs
    /// What the other sessions of its subject have had since it has been waiting at the front.
    var waits: [SessionShare: [SessionShare: UInt64]] = [:]
    for step in 0..<3_000 {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let share = share(UInt64.random(in: 1...2, using: &random), UInt64.random(in: 1...12, using: &random))
        // Some send much, and their jobs are long.
        let cost = share.session < 4 ? UInt64.random(in: 0...longest, using: &random) : share.session % 3
        for _ in 0..<(share.session < 4 ? 4 : 1) {
          if queue.count(of: share) == 0 { waits[share] = [:] }
          if queue.count(of: share) < 50 { queue.arrived((share, cost), of: share) }
        }
      }
      guard let job = queue.next() else { continue }
      queue.charge(job.cost * Self.millisecond, to: job.share)
      waits[job.share] = queue.count(of: job.share) > 0 ? [:] : nil
      for waiting in Array(waits.keys) where waiting.subject == job.share.subject && waiting != job.share {
        waits[waiting]?[job.share, default: 0] += job.cost * Self.millisecond
        let most = waits[waiting]?[job.share] ?? 0
        #expect(most <= bound, "step \(step): \(waiting) waited while \(job.share) had \(most / Self.millisecond) ms")
      }
      #expect(queue.contradiction == nil)
    }
  }

  /// Whatever their jobs take, sessions that always have some have the same time in the end, and so have subjects.
  @Test(arguments: 1...10 as ClosedRange<UInt64>) func `time is shared evenly`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = FairQueue<SessionShare>()
    let shares = [share(1, 1), share(1, 2), share(1, 3), share(2, 1)]
    var had: [SessionShare: UInt64] = [:]
    for share in shares { for _ in 0..<2 { queue.arrived(share, of: share) } }
    for _ in 0..<4_000 {
      guard let share = queue.next() else { break }
      let cost = UInt64.random(in: 1...(share.session * 8), using: &random)
      queue.charge(cost * Self.millisecond, to: share)
      had[share, default: 0] += cost
      queue.arrived(share, of: share)
    }
    let total = had.values.reduce(0, +)
    for share in shares {
      let expected = share.subject == 2 ? total / 2 : total / 6
      #expect(abs(Int(had[share] ?? 0) - Int(expected)) < 100, "\(share) had \(had[share] ?? 0) of \(total)")
    }
  }
}
