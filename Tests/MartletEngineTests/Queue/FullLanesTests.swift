/// Who gives way when the lanes of the writer are full together, as a simple model says, and what it costs to ask.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct FullLanesTests {
  private typealias Lanes = WriteLanes<UInt64>

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private static func share(_ random: inout SeededGenerator) -> SessionShare {
    let subject = UInt64.random(in: 1...4, using: &random)
    return SessionShare(
      subject: subject, session: subject * 100 + UInt64.random(in: 0...(subject == 1 ? 20 : 2), using: &random))
  }

  private static func arrival(_ share: SessionShare, _ random: inout SeededGenerator) -> WriteArrival {
    var arrival = WriteArrival(company: .shared, deadline: .distantFuture, share: share)
    switch Int.random(in: 0...5, using: &random) {
    case 0: arrival.company = .exclusive
    case 1: arrival.standing = .long
    case 2: arrival.changesSchema = true
    case 3: arrival.company = .alone
    default: arrival.standing = .light
    }
    return arrival
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func `the writes that give way are those of the model`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var limits = Limits()
    limits.writeQueueMax = 40
    limits.groupMembersMax = 3
    var lanes = Lanes(limits: limits)
    var model = WaitingModel()
    var ids: [UInt64: UInt64] = [:]
    for job in 1...1_200 as ClosedRange<UInt64> {
      let (share, now) = (Self.share(&random), Int(job) * 3)
      if lanes.isFull {
        let victim = model.victim(of: share)
        let displaced = lanes.displaced(by: share).flatMap { model.left($0) }
        #expect(displaced == victim)
      }
      if !lanes.isFull {
        var arrival = Self.arrival(share, &random)
        if job % 5 == 0 { arrival.deadline = at(now + Int.random(in: 0...300, using: &random)) }
        ids[job] = lanes.jobArrived(job, arrival)
        model.arrived(job, of: share)
      }
      if job % 2 == 0 { for late in lanes.ticked(at(now)) { model.left(late) } }
      for _ in 0..<(job % 500 == 0 ? 30 : job % 4 == 0 ? 1 : 0) {
        if Bool.random(using: &random), let one = model.waiting.randomElement(using: &random), let id = ids[one.id] {
          #expect(lanes.withdrawn(id, of: one.share) == one.id)
          model.left(one.id)
        } else {
          turn(&lanes, &model, &ids, now: at(now), &random)
        }
      }
      #expect(lanes.count == model.count)
    }
  }

  private func turn(
    _ lanes: inout Lanes, _ model: inout WaitingModel, _ ids: inout [UInt64: UInt64], now: MonotonicTime,
    _ random: inout SeededGenerator
  ) {
    switch lanes.nextTurn(now) {
    case .idle: break
    case .group(let jobs):
      for (index, job) in jobs.enumerated() {
        guard let share = model.left(job) else {
          Issue.record("\(job) did not wait")
          return
        }
        if index == 0, Bool.random(using: &random) {
          ids[job] = lanes.writeUndone(job, of: share, deadline: .distantFuture, now: now)
          model.arrived(job, of: share)
        }
      }
      for job in lanes.joiners(most: 2) { model.left(job) }
      lanes.groupEnded(now)
    case .exclusive(let job):
      model.left(job)
      lanes.exclusiveEnded(now, contended: 0)
    case .long(let write, let grantMs):
      if Bool.random(using: &random) {
        lanes.longUndone(write, grantMs: grantMs)
      } else {
        model.left(write.job)
        lanes.longEnded(now, contended: 1_000)
      }
    }
  }

  @Test func `ten thousand writes come where ten thousand wait in a moment`() {
    var lanes = Lanes(limits: Limits())
    func add(_ job: UInt64, subject: UInt64) {
      let arrival = WriteArrival(
        company: .shared, deadline: .distantFuture, share: SessionShare(subject: subject, session: job),
        standing: .light)
      #expect(lanes.jobArrived(job, arrival) != nil)
    }
    for job in 1...10_000 as ClosedRange<UInt64> { add(job, subject: job > 9_000 ? 2 : 1) }
    var displaced = 0
    let elapsed = ContinuousClock().measure {
      for job in 10_001...20_000 as ClosedRange<UInt64> {
        guard lanes.displaced(by: SessionShare(subject: 2, session: job)) != nil else { continue }
        displaced += 1
        add(job, subject: 2)
      }
    }
    #expect(displaced == 4_000 && lanes.isFull)
    #expect(elapsed < .seconds(10))
  }
}
