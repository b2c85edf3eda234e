/// Who runs when, where more reads are in progress than may run at once: scripts, and a seeded crowd.
import Testing

@testable import MartletEngine

@Suite struct TimeSharesTests {
  private let ms: UInt64 = 1_000_000

  private func share(_ session: UInt64, database: Int = 1, subject: UInt64 = 1) -> TimeShares.Share {
    TimeShares.Share(database: database, subject: subject, session: session)
  }

  private func rules(slots: Int = 1, heavyMax: Int = 4) -> TimeShares.Rules {
    TimeShares.Rules(slots: slots, heavyMax: heavyMax)
  }

  private let heavy = TimeShares.Pace(isHeavy: true)

  @Test func `reads start while there are slots, and then in the order in which they came`() {
    var shares = TimeShares(rules: rules(slots: 2))
    var actions: [TimeShares.Action] = []
    for _ in 1...4 { _ = shares.arrived(share(1), pace: .init(), now: 0, &actions) }
    #expect(actions == [.start(1), .start(2)])
    shares.left(2, now: ms, &actions)
    shares.left(1, now: ms, &actions)
    #expect(actions == [.start(1), .start(2), .start(3), .start(4)])
    #expect(shares.pressure == .none)
    #expect(shares.contradiction == nil)
  }

  @Test func `a heavy read is parked for a light one and goes on after it`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    let long = shares.arrived(share(1), pace: .init(), now: 0, &actions)
    #expect(shares.sliceEnded(long, isUndoable: true, now: 5 * ms, &actions) == .goOn)
    let light = shares.arrived(share(2), pace: .init(), now: 6 * ms, &actions)
    #expect(shares.pressure == .light)
    actions = []
    #expect(shares.sliceEnded(long, isUndoable: true, now: 6 * ms, &actions) == .park)
    #expect(actions == [.start(light)])
    shares.left(light, now: 7 * ms, &actions)
    #expect(actions == [.start(light), .resume(long)])
    #expect(shares.contradiction == nil)
  }

  @Test func `a light read keeps its slot until its slice is over`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    let first = shares.arrived(share(1), pace: .init(), now: 0, &actions)
    _ = shares.arrived(share(2), pace: .init(), now: 0, &actions)
    #expect(shares.sliceEnded(first, isUndoable: true, now: ms, &actions) == .goOn)
    #expect(shares.sliceEnded(first, isUndoable: true, now: 4 * ms, &actions) == .park)
  }

  @Test func `heavy reads take turns, and a session with many of them has one session's share`() {
    var shares = TimeShares(rules: rules(heavyMax: 40))
    var actions: [TimeShares.Action] = []
    var times: [UInt64: UInt64] = [:]
    var owners: [UInt64: UInt64] = [:]
    for number in 0..<20 {
      let session: UInt64 = number == 0 ? 1 : 2
      owners[shares.arrived(share(session), pace: heavy, now: 0, &actions)] = session
    }
    var now: UInt64 = 0
    for _ in 0..<400 {
      guard let running = running(actions) else { break }
      now += 10 * ms
      times[owners[running] ?? 0, default: 0] += 10
      _ = shares.sliceEnded(running, isUndoable: false, now: now, &actions)
      #expect(shares.contradiction == nil)
    }
    #expect(times[1] ?? 0 >= 1_900 && times[2] ?? 0 >= 1_900)
  }

  @Test func `a subject with many sessions has one subject's share`() {
    var shares = TimeShares(rules: rules(heavyMax: 40))
    var actions: [TimeShares.Action] = []
    var times: [UInt64: UInt64] = [:]
    var owners: [UInt64: UInt64] = [:]
    for number in 0..<20 as Range<UInt64> {
      let subject: UInt64 = number == 0 ? 1 : 2
      let read = shares.arrived(share(number, subject: subject), pace: heavy, now: 0, &actions)
      owners[read] = subject
    }
    var now: UInt64 = 0
    for _ in 0..<400 {
      guard let running = running(actions) else { break }
      now += 10 * ms
      times[owners[running] ?? 0, default: 0] += 10
      _ = shares.sliceEnded(running, isUndoable: false, now: now, &actions)
      #expect(shares.contradiction == nil)
    }
    #expect(times[1] ?? 0 >= 1_900 && times[2] ?? 0 >= 1_900)
  }

  /// The one that has been told to run last; there is one slot.
  private func running(_ actions: [TimeShares.Action]) -> UInt64? {
    switch actions.last {
    case .start(let id), .resume(let id): id
    case nil: nil
    }
  }

  @Test func `light reads without end leave heavy ones a part`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    let long = shares.arrived(share(1), pace: heavy, now: 0, &actions)
    var now: UInt64 = 0
    var longTime: UInt64 = 0
    var next = shares.arrived(share(2), pace: .init(), now: now, &actions)
    _ = shares.sliceEnded(long, isUndoable: false, now: now, &actions)
    while now < 1_000 * ms {
      now += ms
      if running(actions) == long {
        longTime += ms
        _ = shares.sliceEnded(long, isUndoable: false, now: now, &actions)
      } else {
        let done = next
        next = shares.arrived(share(2), pace: .init(), now: now, &actions)
        shares.left(done, now: now, &actions)
      }
      #expect(shares.contradiction == nil)
    }
    #expect(longTime > 100 * ms && longTime < 400 * ms)
  }

  @Test func `a read that turns heavy where all seats are taken is put back, or gives up where it cannot`() {
    var shares = TimeShares(rules: rules(heavyMax: 1))
    var actions: [TimeShares.Action] = []
    let first = shares.arrived(share(1), pace: heavy, now: 0, &actions)
    let second = shares.arrived(share(2), pace: .init(), now: 0, &actions)
    #expect(shares.sliceEnded(first, isUndoable: false, now: ms, &actions) == .park)
    #expect(shares.sliceEnded(second, isUndoable: false, now: 6 * ms, &actions) == .giveUp)
    #expect(shares.sliceEnded(second, isUndoable: true, now: 7 * ms, &actions) == .putBack)
    actions = []
    shares.left(second, now: 7 * ms, &actions)
    #expect(actions == [.resume(first)])
    let again = shares.arrived(share(2), pace: heavy, now: 7 * ms, &actions)
    // It waits for the seat; the one that has it loses it after its time, because it gave nothing yet.
    #expect(shares.sliceEnded(first, isUndoable: true, now: 50 * ms, &actions) == .goOn)
    #expect(shares.sliceEnded(first, isUndoable: true, now: 150 * ms, &actions) == .putBack)
    shares.left(first, now: 150 * ms, &actions)
    #expect(actions.last == .start(again))
    #expect(shares.contradiction == nil)
  }

  @Test func `who must end is woken where it is parked, and goes first where it waits`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    let first = shares.arrived(share(1), pace: heavy, now: 0, &actions)
    let second = shares.arrived(share(1), pace: heavy, now: 0, &actions)
    let third = shares.arrived(share(1), pace: heavy, now: 0, &actions)
    #expect(shares.sliceEnded(first, isUndoable: false, now: 20 * ms, &actions) == .park)
    actions = []
    shares.stopped(first, now: 20 * ms, &actions)
    #expect(actions == [.resume(first)])
    #expect(shares.contradiction == nil)
    shares.stopped(third, now: 20 * ms, &actions)
    #expect(shares.pressure == .light)
    actions = []
    #expect(shares.sliceEnded(second, isUndoable: false, now: 21 * ms, &actions) == .park)
    #expect(actions == [.start(third)])
    for id in [first, third, second] { shares.left(id, now: 22 * ms, &actions) }
    #expect(shares.count == 0)
    #expect(shares.contradiction == nil)
  }

  @Test func `nobody waits for one that does not answer`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    let silent = shares.arrived(share(1), pace: .init(), now: 0, &actions)
    let other = shares.arrived(share(2), pace: .init(), now: 0, &actions)
    shares.wentAstray(silent, now: 30 * ms, &actions)
    #expect(actions == [.start(silent), .start(other)])
    #expect(shares.contradiction == nil)
    #expect(shares.sliceEnded(silent, isUndoable: true, now: 40 * ms, &actions) == .park)
    shares.left(other, now: 41 * ms, &actions)
    #expect(actions.last == .resume(silent))
    shares.left(silent, now: 42 * ms, &actions)
    #expect(shares.contradiction == nil && shares.count == 0)
  }

  @Test func `reads that are known to be brief pass a crowd of new ones, which have one turn in five`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    _ = shares.arrived(share(1), pace: .init(), now: 0, &actions)
    for session in 2...50 as ClosedRange<UInt64> {
      _ = shares.arrived(share(session, subject: session), pace: .init(), now: 0, &actions)
    }
    for _ in 51...56 { _ = shares.arrived(share(99, subject: 99), pace: .init(isKnown: true), now: 0, &actions) }
    var order: [UInt64] = []
    for now in 1...9 as ClosedRange<UInt64> {
      guard case .start(let id)? = actions.last else { break }
      order.append(id)
      shares.left(id, now: now * ms, &actions)
      #expect(shares.contradiction == nil)
    }
    #expect(order == [1, 51, 52, 53, 54, 2, 55, 56, 3])
  }

  @Test func `the time in which one does not answer is its own`() {
    var shares = TimeShares(rules: rules())
    var actions: [TimeShares.Action] = []
    let silent = shares.arrived(share(1), pace: .init(), now: 0, &actions)
    let other = shares.arrived(share(2), pace: .init(), now: 0, &actions)
    shares.wentAstray(silent, now: 4 * ms, &actions)
    // Less than the other one was silent.
    let (later, first) = (
      shares.arrived(share(1), pace: .init(), now: 5 * ms, &actions),
      shares.arrived(share(2), pace: .init(), now: 5 * ms, &actions)
    )
    shares.left(silent, now: 90 * ms, &actions)
    actions = []
    shares.left(other, now: 91 * ms, &actions)
    #expect(actions == [.start(first)])
    for id in [first, later] { shares.left(id, now: 92 * ms, &actions) }
    #expect(shares.contradiction == nil && shares.count == 0)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `whatever happens, the rules hold and everyone comes to an end`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var shares = TimeShares(rules: rules(slots: Int.random(in: 1...3, using: &random), heavyMax: 3))
    var crowd = Crowd()
    var now: UInt64 = 0
    for step in 0..<3_000 {
      now += UInt64.random(in: 0...3, using: &random) * ms
      crowd.step(&shares, now: now, mayArrive: step < 2_500, using: &random)
      #expect(shares.contradiction == nil, "step \(step)")
    }
    for _ in 0..<20_000 where shares.count > 0 {
      now += ms
      crowd.step(&shares, now: now, mayArrive: false, using: &random)
    }
    #expect(shares.count == 0)
    #expect(shares.seatsTaken == 0 && shares.slotsTaken == 0)
  }

  /// Reads of several sessions that do whatever a read may do.
  private struct Crowd {
    var running: Set<UInt64> = []
    var known: Set<UInt64> = []

    mutating func step(
      _ shares: inout TimeShares, now: UInt64, mayArrive: Bool, using random: inout SeededRandom
    ) {
      var actions: [TimeShares.Action] = []
      let some = running.sorted().randomElement(using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        guard mayArrive, known.count < 60 else { break }
        let share = TimeShares.Share(
          database: Int.random(in: 1...2, using: &random), subject: UInt64.random(in: 1...3, using: &random),
          session: UInt64.random(in: 1...5, using: &random))
        known.insert(
          shares.arrived(
            share, pace: .init(isHeavy: Bool.random(using: &random), isKnown: Bool.random(using: &random)), now: now,
            &actions))
      case 2, 3:
        guard let some else { break }
        switch shares.sliceEnded(some, isUndoable: Bool.random(using: &random), now: now, &actions) {
        case .goOn: break
        case .park: running.remove(some)
        case .putBack, .giveUp: leave(some, &shares, now: now, &actions)
        }
      case 4:
        guard let some else { break }
        leave(some, &shares, now: now, &actions)
      default:
        guard let one = known.sorted().randomElement(using: &random) else { break }
        if Bool.random(using: &random) {
          shares.stopped(one, now: now, &actions)
        } else {
          shares.wentAstray(one, now: now, &actions)
        }
      }
      for case .start(let id) in actions { running.insert(id) }
      for case .resume(let id) in actions { running.insert(id) }
    }

    private mutating func leave(
      _ id: UInt64, _ shares: inout TimeShares, now: UInt64, _ actions: inout [TimeShares.Action]
    ) {
      running.remove(id)
      known.remove(id)
      shares.left(id, now: now, &actions)
    }
  }
}

/// Numbers that are the same in each run.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
