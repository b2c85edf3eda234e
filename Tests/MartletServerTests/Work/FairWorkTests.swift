/// Scripts for which job is next on a few threads, with the time passed in.
import MartletEngine
import MartletValues
import Testing

@testable import MartletServer

@Suite struct FairWorkTests {
  private func share(_ subject: UInt64, _ session: UInt64) -> SessionShare {
    SessionShare(subject: subject, session: session)
  }

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  private func arrive(
    _ job: String, _ share: SessionShare, topic: String? = nil, deadline: MonotonicTime = .distantFuture, ms: Int = 0,
    in work: inout FairWork<String>
  ) -> FairWork<String>.Arrival {
    work.arrived(job, of: share, topic: topic, deadline: deadline, now: at(ms))
  }

  /// What the next thread does; its number is kept by its name.
  private func next(
    _ work: inout FairWork<String>, _ ids: inout [String: UInt64], wasPatient: Bool = false, ms: Int = 0
  ) -> String? {
    let turn = work.next(wasPatient: wasPatient, now: at(ms)).job
    if let turn { ids[turn.job] = turn.id }
    return turn?.job
  }

  @Test func `however many sessions of one subject ask, there is a thread for another`() {
    var work = FairWork<String>(.init(quick: 4), waitingMax: 99)
    var ids: [String: UInt64] = [:]
    for session in 1...6 as ClosedRange<UInt64> {
      let arrival = arrive("a\(session)", share(1, session), in: &work)
      #expect(arrival.needsThread == (session <= 4) && arrival.refused == nil)
    }
    for expected in ["a1", "a2", "a3", nil] {
      let job = next(&work, &ids)
      #expect(job == expected, "the fourth thread ends")
    }
    let seventh = arrive("a7", share(1, 7), in: &work)
    #expect(!seventh.needsThread && !seventh.needsPatientThread, "its subject has as many as it may")
    let other = arrive("b1", share(2, 1), in: &work)
    #expect(other.needsThread)
    #expect(next(&work, &ids) == "b1")
    let third = arrive("c1", share(3, 1), in: &work)
    #expect(!third.needsThread, "all threads are at work")
    func end(_ job: String, ms: Int) { work.ended(ids[job] ?? 0, now: at(ms)) }
    end("b1", ms: 5)
    #expect(next(&work, &ids, ms: 5) == "c1")
    // What was passed over is next when one of its subject's has ended.
    end("a2", ms: 9)
    #expect(next(&work, &ids, ms: 9) == "a4")
    end("c1", ms: 9)
    #expect(next(&work, &ids, ms: 9) == nil)
    for (ended, expected) in [("a1", "a5"), ("a3", "a6"), ("a4", "a7")] {
      end(ended, ms: 18)
      #expect(next(&work, &ids, ms: 18) == expected)
    }
  }

  // MARK: - What takes long

  private var widths: WorkLanes.Widths { .init(quick: 2, slow: 4, slowMs: 100) }

  @Test func `what turns out to take long gives its place to others, those of its own subject too`() {
    var work = FairWork<String>(widths, waitingMax: 99)
    var ids: [String: UInt64] = [:]
    _ = arrive("slow1", share(1, 1), in: &work)
    #expect(next(&work, &ids) == "slow1")
    let second = arrive("slow2", share(1, 2), in: &work)
    #expect(!second.needsThread && second.needsPatientThread, "somebody looks when the first is known to be slow")
    for (session, name) in [(3, "slow3"), (4, "slow4"), (9, "quick")] as [(UInt64, String)] {
      let another = arrive(name, share(1, session), ms: 10, in: &work)
      #expect(!another.needsThread && !another.needsPatientThread, "one looks for all")
    }
    #expect(next(&work, &ids, wasPatient: true, ms: 100) == "slow2")
    #expect(next(&work, &ids, wasPatient: true, ms: 200) == "slow3")
    let tenth = arrive("late", share(1, 10), ms: 301, in: &work)
    #expect(!tenth.needsThread && !tenth.needsPatientThread, "half of the slow places are its own, and no more")
    let other = arrive("other", share(2, 1), ms: 301, in: &work)
    #expect(other.needsThread)
    #expect(next(&work, &ids, ms: 301) == "other")
    work.ended(ids["slow3"] ?? 0, now: at(320))
    #expect(next(&work, &ids, ms: 320) == "slow4")
    work.ended(ids["slow1"] ?? 0, now: at(330))
    #expect(next(&work, &ids, ms: 330) == nil)
    #expect(next(&work, &ids, wasPatient: true, ms: 420) == "quick", "the fourth has left the quick lane")
  }

  @Test func `what took long the last time does not keep a place from what did not`() {
    var work = FairWork<String>(widths, waitingMax: 99)
    var ids: [String: UInt64] = [:]
    for name in ["x", "y"] {
      _ = arrive(name, share(1, 1), topic: name, in: &work)
      #expect(next(&work, &ids) == name)
      work.ended(ids[name] ?? 0, now: at(name == "x" ? 300 : 299))
    }
    for (session, name) in [(1, "x"), (2, "y"), (3, "z")] as [(UInt64, String)] {
      _ = arrive(name, share(1, session), topic: name, ms: 300, in: &work)
    }
    #expect(next(&work, &ids, ms: 300) == "y", "its session has had less than that of x")
    #expect(next(&work, &ids, ms: 300) == "x", "it is known to take long, and z would need a place of the quick lane")
    #expect(next(&work, &ids, ms: 300) == nil)
    work.ended(ids["x"] ?? 0, now: at(310))
    work.ended(ids["y"] ?? 0, now: at(310))
    // It is known to be quick again.
    _ = arrive("x", share(1, 4), topic: "x", ms: 310, in: &work)
    let jobs = [next(&work, &ids, ms: 310), next(&work, &ids, ms: 310)]
    #expect(jobs == ["z", nil])
  }

  @Test func `what is slow has its turn, although there is one place for it`() {
    var work = FairWork<String>(.init(quick: 2, slow: 1, slowMs: 100), waitingMax: 99)
    var ids: [String: UInt64] = [:]
    _ = arrive("x", share(1, 1), topic: "x", in: &work)
    #expect(next(&work, &ids) == "x")
    work.ended(ids["x"] ?? 0, now: at(400))
    for ms in [400, 800] {
      _ = arrive("x", share(1, 1), topic: "x", ms: ms, in: &work)
      #expect(next(&work, &ids, ms: ms) == "x", "it is known to take long")
      work.ended(ids["x"] ?? 0, now: at(ms + 400))
    }
  }

  @Test func `of two jobs of one topic the second waits without a thread`() {
    var work = FairWork<String>(.init(quick: 4), waitingMax: 99)
    var ids: [String: UInt64] = [:]
    _ = arrive("a", share(1, 1), topic: "t", in: &work)
    #expect(next(&work, &ids) == "a")
    for session in 2...9 as ClosedRange<UInt64> {
      let arrival = arrive("b\(session)", share(session, 1), topic: "t", in: &work)
      #expect(!arrival.needsThread && !arrival.needsPatientThread)
    }
    _ = arrive("c", share(1, 1), topic: "u", in: &work)
    #expect(next(&work, &ids) == "c")
    work.ended(ids["a"] ?? 0, now: at(1))
    #expect(next(&work, &ids, ms: 1) == "b2")
  }

  @Test func `where one end makes two jobs welcome, another thread comes for the second`() {
    var work = FairWork<String>(.init(quick: 3), waitingMax: 99)
    var ids: [String: UInt64] = [:]
    for (session, topic) in [(1, "t"), (2, "u")] as [(UInt64, String)] {
      _ = arrive(topic, share(1, session), topic: topic, in: &work)
      #expect(next(&work, &ids) == topic)
    }
    let own = arrive("own", share(1, 3), topic: "v", in: &work)
    let same = arrive("same", share(2, 1), topic: "t", in: &work)
    #expect(!own.needsThread && !same.needsThread, "two of one subject run, and one about the same")
    work.ended(ids["t"] ?? 0, now: at(1))
    let turn = work.next(now: at(1))
    #expect(turn.job != nil && turn.needsThread)
    let last = work.next(now: at(1))
    #expect(Set([turn.job?.job, last.job?.job]) == ["own", "same"] && !last.needsThread)
  }

  @Test func `one thread does what a subject asks for, although there is no other`() {
    var work = FairWork<String>(waitingMax: 99)
    var ids: [String: UInt64] = [:]
    let (first, second) = (arrive("a", share(1, 1), in: &work), arrive("b", share(1, 2), in: &work))
    #expect(first.needsThread && !second.needsThread)
    #expect(next(&work, &ids) == "a")
    work.ended(ids["a"] ?? 0, now: at(1))
    #expect(next(&work, &ids) == "b")
  }

  @Test func `what is late is refused when somebody else asks, also while every thread is busy`() {
    var work = FairWork<String>(waitingMax: 2)
    var ids: [String: UInt64] = [:]
    _ = arrive("busy", share(1, 1), in: &work)
    #expect(next(&work, &ids) == "busy")
    _ = arrive("soon late", share(1, 2), deadline: at(10), in: &work)
    _ = arrive("patient", share(1, 3), in: &work)
    let early = arrive("too many", share(1, 4), ms: 9, in: &work)
    #expect(early.late.isEmpty && early.refused == "too many")
    let arrival = arrive("in its place", share(1, 4), ms: 10, in: &work)
    #expect(arrival.late == ["soon late"] && arrival.refused == nil)
    work.ended(ids["busy"] ?? 0, now: at(10))
    #expect(next(&work, &ids, ms: 10) == "patient")
  }

  @Test func `what those left behind who have gone takes no place`() {
    var work = FairWork<String>(waitingMax: 3) { $0.hasPrefix("gone") }
    var ids: [String: UInt64] = [:]
    _ = arrive("busy", share(1, 1), in: &work)
    #expect(next(&work, &ids) == "busy")
    for session in 2...4 as ClosedRange<UInt64> { _ = arrive("gone \(session)", share(1, session), in: &work) }
    let early = arrive("early", share(1, 5), ms: WorkLimits.sweepMs - 1, in: &work)
    #expect(early.refused == "early" && early.unwanted.isEmpty, "nobody looks for each job that comes")
    let later = arrive("later", share(1, 6), ms: WorkLimits.sweepMs, in: &work)
    #expect(later.refused == nil && later.unwanted == ["gone 2", "gone 3", "gone 4"])
    work.ended(ids["busy"] ?? 0, now: at(WorkLimits.sweepMs))
    #expect(next(&work, &ids, ms: WorkLimits.sweepMs) == "later")
  }
}
