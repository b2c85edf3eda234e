/// Who gives way in queues that are full, as a simple model says, and what it costs to ask.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct FullQueueTests {
  private static let capacity = 40

  private static func share(_ random: inout SeededGenerator) -> SessionShare {
    let subject = UInt64.random(in: 1...4, using: &random)
    // The first subject has many sessions, and the others have few.
    return SessionShare(
      subject: subject, session: subject * 100 + UInt64.random(in: 0...(subject == 1 ? 20 : 2), using: &random))
  }

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func `the jobs that give way are those of the model`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = FairQueue<UInt64>()
    var model = WaitingModel()
    for id in 1...1_200 as ClosedRange<UInt64> {
      let share = Self.share(&random)
      var hasRoom = model.count < Self.capacity
      if !hasRoom {
        let victim = model.victim(of: share).flatMap { model.last(of: $0) }
        #expect(queue.displaced(by: share) == victim)
        if let victim { model.left(victim) }
        hasRoom = victim != nil
      }
      if hasRoom {
        queue.arrived(id, of: share, deadline: at(Int(id) + Int.random(in: 0...400, using: &random)), id: id)
        model.arrived(id, of: share)
      }
      // Few leave, and now and then many.
      for _ in 0..<(id % 500 == 0 ? 30 : id % 3 == 0 ? 1 : 0) { leave(&queue, &model, now: at(Int(id)), &random) }
      #expect(queue.count == model.count)
    }
  }

  private func leave(
    _ queue: inout FairQueue<UInt64>, _ model: inout WaitingModel, now: MonotonicTime, _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0...4, using: &random) {
    case 0: if let job = queue.next() { model.left(job) }
    case 1:
      var taken: [UInt64] = []
      queue.take { job in
        if taken.count == 2 { return .stop }
        taken.append(job)
        return .take
      }
      for job in taken { model.left(job) }
    case 2:
      guard let one = model.waiting.randomElement(using: &random) else { return }
      #expect(queue.withdrawn(one.id, of: one.share) == one.id)
      model.left(one.id)
    case 3: for job in queue.ticked(now) { model.left(job) }
    default:
      let unwanted = UInt64.random(in: 0..<30, using: &random)
      for job in queue.withdrawn(where: { $0 % 30 == unwanted }) { model.left(job) }
    }
  }

  /// Nine in ten wait of one subject, all of different sessions, and others come of another one: so many give way as
  /// make both equal, and the rest are refused.
  @Test func `ten thousand come to a queue of ten thousand in a moment`() {
    var queue = FairQueue<UInt64>()
    for id in 1...10_000 as ClosedRange<UInt64> { queue.arrived(id, of: Self.crowd(id)) }
    var (displaced, last) = (0, UInt64.max)
    let elapsed = ContinuousClock().measure {
      for id in 10_001...20_000 as ClosedRange<UInt64> {
        let share = SessionShare(subject: 2, session: id)
        guard let job = queue.displaced(by: share) else { continue }
        #expect(job < last, "of sessions that have as much, the one of the highest number gives way")
        (displaced, last) = (displaced + 1, job)
        queue.arrived(id, of: share)
      }
    }
    #expect(displaced == 4_000 && queue.count == 10_000)
    #expect(elapsed < .seconds(10))
  }

  private static func crowd(_ id: UInt64) -> SessionShare { SessionShare(subject: id > 9_000 ? 2 : 1, session: id) }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func `the reads that give way are those of the model`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = LeaseQueue(connectionsMax: 4, waitingMax: Self.capacity)
    var model = WaitingModel()
    var leased: [Int] = []
    let kinds: [LeaseQueue.Kind] = [.known, .brief, .brief, .long, .transaction]
    for id in 1...1_200 as ClosedRange<UInt64> {
      let share = Self.share(&random)
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      func ask() -> LeaseQueue.Grant {
        queue.arrived(id, session: share.session, subject: share.subject, kind: kind)
      }
      var grant = ask()
      if grant == .refused {
        let victim = model.victim(of: share).flatMap { model.last(of: $0) }
        #expect(queue.displaced(by: share) == victim)
        if let victim {
          model.left(victim)
          grant = ask()
        }
      }
      if case .leased(let number) = grant { leased.append(number) }
      if grant == .waiting { model.arrived(id, of: share) }
      for _ in 0..<(id % 500 == 0 ? 30 : id % 3 == 0 ? 1 : 0) {
        if Bool.random(using: &random), let one = model.waiting.randomElement(using: &random) {
          #expect(queue.withdrew(one.id) == true)
          model.left(one.id)
        } else if !leased.isEmpty {
          for next in queue.returned(leased.remove(at: Int.random(in: leased.indices, using: &random))) {
            model.left(next.ticket)
            leased.append(next.connection)
          }
        }
      }
      #expect(queue.waitingCount == model.count)
    }
  }

  @Test func `ten thousand reads come to a pool for which ten thousand wait in a moment`() {
    var queue = LeaseQueue(connectionsMax: 1, waitingMax: 10_000)
    _ = queue.arrived(0)
    for id in 1...10_000 as ClosedRange<UInt64> {
      #expect(queue.arrived(id, session: id, subject: Self.crowd(id).subject) == .waiting)
    }
    var displaced = 0
    let elapsed = ContinuousClock().measure {
      for id in 10_001...20_000 as ClosedRange<UInt64> {
        guard queue.displaced(by: SessionShare(subject: 2, session: id)) != nil else { continue }
        displaced += 1
        _ = queue.arrived(id, session: id, subject: 2)
      }
    }
    #expect(displaced == 4_000 && queue.waitingCount == 10_000)
    #expect(elapsed < .seconds(20))
  }
}
