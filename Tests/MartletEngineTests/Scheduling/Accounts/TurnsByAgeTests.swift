/// Scripts for what goes by age where shares alone would let it wait for too long.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct TurnsByAgeTests {
  private typealias Queue = FairQueue<SessionShare>

  private static let microsecond: UInt64 = 1_000

  /// Sessions that send their next job when the last one has ended, each of which takes as long as its session's do.
  private struct Clients {
    var queue = Queue()
    let costs: [SessionShare: UInt64]
    var used: [SessionShare: UInt64] = [:]
    var turns: [SessionShare: Int] = [:]
    /// The number of the session's last job.
    var ids: [SessionShare: UInt64] = [:]

    init(_ costs: [SessionShare: UInt64], backlog: Int = 1) {
      self.costs = costs
      for share in costs.keys.sorted(by: { ($0.subject, $0.session) < ($1.subject, $1.session) }) {
        for _ in 0..<backlog { ids[share] = queue.arrived(share, of: share) }
      }
    }

    /// The next job runs; returns whose it was.
    mutating func run(_ next: (inout Queue) -> SessionShare?) -> SessionShare? {
      guard let share = next(&queue), let cost = costs[share] else { return nil }
      queue.charge(cost, to: share)
      used[share, default: 0] += cost
      turns[share, default: 0] += 1
      ids[share] = queue.arrived(share, of: share)
      return share
    }

    func used(of subject: UInt64) -> UInt64 { used.filter { $0.key.subject == subject }.reduce(0) { $0 + $1.value } }
  }

  private func share(_ subject: UInt64, _ session: UInt64) -> SessionShare {
    SessionShare(subject: subject, session: session)
  }

  private func next(_ queue: inout Queue) -> SessionShare? { queue.next() }

  /// The same as a turn of one.
  private func nextOfOrder(_ queue: inout Queue) -> SessionShare? {
    var found: SessionShare?
    queue.take { job in
      guard found == nil else { return .stop }
      found = job
      return .take
    }
    return found
  }

  /// The same among all.
  private func nextWelcome(_ queue: inout Queue) -> SessionShare? { queue.next { _ in true } }

  @Test func `one whose last job took long has its turn after a few of each of the others`() {
    for way in [next, nextOfOrder, nextWelcome] {
      var costs = Dictionary(uniqueKeysWithValues: (1...32).map { (share(1, $0), 100 * Self.microsecond) })
      costs[share(1, 99)] = 10_000 * Self.microsecond
      var clients = Clients(costs)
      var (passes, mostPasses, turns) = (0, 0, 0)
      for _ in 0..<2_600 {
        let isSlow = clients.run(way) == share(1, 99)
        (passes, turns) = isSlow ? (0, turns + 1) : (passes + 1, turns)
        mostPasses = max(mostPasses, passes)
      }
      #expect(clients.queue.contradiction == nil)
      // A tenth of the others' time is one of its jobs in 1,000 turns of theirs; its share is one in 3,200.
      #expect(turns >= 3)
      #expect(mostPasses < 1_100, "passed \(mostPasses) times")
    }
  }

  @Test func `one that took long once is not passed for more than a few turns of each`() {
    for way in [next, nextOfOrder, nextWelcome] {
      var clients = Clients(
        Dictionary(uniqueKeysWithValues: (1...32).map { (share(1, $0), 100 * Self.microsecond) }))
      for _ in 0..<400 { _ = clients.run(way) }
      // The disk was slow.
      clients.queue.charge(10_000 * Self.microsecond, to: share(1, 7))
      var passes = 0
      while passes < 10_000, clients.run(way) != share(1, 7) { passes += 1 }
      #expect(passes <= Int(EngineLimits.passesLeast + EngineLimits.passesEach * 32) + 1)
    }
  }

  @Test func `a subject that took long once is not passed for more than a few turns of each other one`() {
    for way in [next, nextOfOrder, nextWelcome] {
      var clients = Clients(
        Dictionary(uniqueKeysWithValues: (1...32).map { (share($0, 1), 100 * Self.microsecond) }))
      for _ in 0..<400 { _ = clients.run(way) }
      clients.queue.charge(10_000 * Self.microsecond, to: share(7, 1))
      var passes = 0
      while passes < 10_000, clients.run(way) != share(7, 1) { passes += 1 }
      #expect(passes <= Int(EngineLimits.passesLeast + EngineLimits.passesEach * 32) + 1)
    }
  }

  /// A queue in which session 7 has taken long once and many have passed it since, and some of the tenth is left.
  private func passed() -> Clients {
    var clients = Clients(Dictionary(uniqueKeysWithValues: (1...32).map { (share(1, $0), 100 * Self.microsecond) }))
    for _ in 0..<400 { _ = clients.run(next) }
    clients.queue.charge(10_000 * Self.microsecond, to: share(1, 7))
    var passes: UInt64 = 0
    while passes <= EngineLimits.passesLeast + EngineLimits.passesEach * 32 {
      passes = clients.run(next) == share(1, 7) ? 0 : passes + 1
    }
    return clients
  }

  @Test func `who is next by age and not welcome now keeps its age, and others go meanwhile`() {
    var clients = passed()
    for _ in 0..<10 {
      let job = clients.queue.next { $0 != share(1, 7) }
      #expect(job != nil && job != share(1, 7))
    }
    #expect(clients.queue.next() == share(1, 7))
    #expect(clients.queue.contradiction == nil)
  }

  @Test func `a job that comes back, because there was no time for it, has its age still`() {
    var clients = passed()
    for _ in 0..<10 {
      var taken: [SessionShare] = []
      clients.queue.take { job in
        taken.append(job)
        return taken.count <= 3 ? .take : .stop
      }
      #expect(taken.first == share(1, 7))
      for job in taken.prefix(3) { clients.queue.arrived(job, of: job, id: clients.ids[job]) }
      #expect(clients.queue.contradiction == nil)
    }
  }

  @Test func `a session whose second job comes back had its turn by age with the first`() {
    var clients = passed()
    let slow = share(1, 7)
    let second = clients.queue.arrived(slow, of: slow)
    var taken: [SessionShare] = []
    clients.queue.take { job in
      taken.append(job)
      return .take
    }
    #expect(taken.first == slow && taken.filter { $0 == slow }.count == 2 && clients.queue.isEmpty)
    for job in taken where job != slow { clients.queue.arrived(job, of: job) }
    clients.queue.arrived(slow, of: slow, id: second)
    clients.queue.charge(taken.filter { $0 != slow }.map { ($0, 100 * Self.microsecond) })
    clients.queue.charge(10_000 * Self.microsecond, to: slow)
    for _ in 0..<64 { #expect(clients.run(next) != slow) }
    #expect(clients.queue.contradiction == nil)
  }

  @Test func `what a turn by age was given and does not take goes to others by age`() {
    var age = TurnsByAge()
    age.charged(1_000_000)
    for _ in 0..<1_000 { age.turnTaken() }
    #expect(age.isDue(since: 0, of: 10))
    age.spend(10_000_000)
    #expect(!age.isDue(since: 0, of: 10))
    age.giveBack(9_950_000)
    #expect(age.isDue(since: 0, of: 10) && !age.isDue(since: 960, of: 10))
    for amount in [UInt64.max, 0, 1] {
      age.spend(amount)
      age.spend(amount)
      age.giveBack(amount)
      age.charged(amount)
    }
    #expect(!age.isDue(since: 0, of: .max / 8))
  }

  @Test(arguments: [1, 20])
  func `those that are slow take no more than their shares and a tenth, however many they are`(backlog: Int) {
    var costs = Dictionary(uniqueKeysWithValues: (1...40).map { (share(1, $0), 5_000 * Self.microsecond) })
    costs[share(2, 1)] = 100 * Self.microsecond
    costs[share(2, 2)] = 100 * Self.microsecond
    var clients = Clients(costs, backlog: backlog)
    for _ in 0..<4_000 { _ = clients.run(next) }
    let whole = clients.used(of: 1) + clients.used(of: 2)
    #expect(clients.used(of: 2) * 100 >= whole * 40, "\(clients.used(of: 2)) of \(whole)")
    // Within the subject no session is left out.
    let turns = (1...40).map { clients.turns[share(1, $0)] ?? 0 }
    #expect(turns.max() ?? 0 <= (turns.min() ?? 0) + 2)
  }

  @Test func `what goes by age makes newcomers wait for no longer than a few slow jobs take`() {
    var costs = Dictionary(uniqueKeysWithValues: (1...32).map { (share(1, $0), 100 * Self.microsecond) })
    costs[share(1, 99)] = 10_000 * Self.microsecond
    var clients = Clients(costs)
    var mostPasses = 0
    for session in 1_000..<1_100 as Range<UInt64> {
      for _ in 0..<10 { _ = clients.run(next) }
      clients.queue.arrived(share(1, session), of: share(1, session))
      var passes = 0
      while passes < 1_000, let job = clients.queue.next() {
        if job == share(1, session) { break }
        passes += 1
        clients.queue.charge(costs[job] ?? 0, to: job)
        clients.queue.arrived(job, of: job)
      }
      clients.queue.charge(100 * Self.microsecond, to: share(1, session))
      mostPasses = max(mostPasses, passes)
    }
    #expect(mostPasses < 300, "passed \(mostPasses) times")
  }
}
