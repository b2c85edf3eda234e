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
    _ job: String, _ share: SessionShare, deadline: MonotonicTime = .distantFuture, ms: Int = 0,
    in work: inout FairWork<String>
  ) -> FairWork<String>.Arrival {
    work.arrived(job, of: share, deadline: deadline, now: at(ms))
  }

  @Test func `however many sessions of one subject ask, there is a thread for another`() {
    var work = FairWork<String>(width: 4, waitingMax: 99)
    for session in 1...6 as ClosedRange<UInt64> {
      let arrival = arrive("a\(session)", share(1, session), in: &work)
      #expect(arrival.needsThread == (session <= 4) && arrival.refused == nil)
    }
    for expected in ["a1", "a2", "a3", nil] {
      let next = work.next(now: at(0)).job
      #expect(next == expected, "the fourth thread ends")
    }
    let seventh = arrive("a7", share(1, 7), in: &work)
    #expect(!seventh.needsThread, "its subject has as many as it may")
    let other = arrive("b1", share(2, 1), in: &work)
    #expect(other.needsThread)
    #expect(work.next(now: at(0)).job == "b1")
    let third = arrive("c1", share(3, 1), in: &work)
    #expect(!third.needsThread, "all threads are at work")
    work.ended(share(2, 1), nanoseconds: 5_000_000)
    #expect(work.next(now: at(5)).job == "c1")
    // What was passed over is next when one of its subject's has ended.
    work.ended(share(1, 2), nanoseconds: 9_000_000)
    #expect(work.next(now: at(9)).job == "a4")
    work.ended(share(3, 1), nanoseconds: 9_000_000)
    #expect(work.next(now: at(9)).job == nil)
    for (session, expected) in [(1, "a5"), (3, "a6"), (4, "a7")] as [(UInt64, String)] {
      work.ended(share(1, session), nanoseconds: 9_000_000)
      #expect(work.next(now: at(9)).job == expected)
    }
  }

  @Test func `one thread does what a subject asks for, although there is no other`() {
    var work = FairWork<String>(width: 1, waitingMax: 99)
    let (first, second) = (arrive("a", share(1, 1), in: &work), arrive("b", share(1, 2), in: &work))
    #expect(first.needsThread && !second.needsThread)
    #expect(work.next(now: at(0)).job == "a")
    work.ended(share(1, 1), nanoseconds: 1_000)
    #expect(work.next(now: at(0)).job == "b")
  }

  @Test func `what is late is refused when somebody else asks, also while every thread is busy`() {
    var work = FairWork<String>(width: 1, waitingMax: 2)
    _ = arrive("busy", share(1, 1), in: &work)
    #expect(work.next(now: at(0)).job == "busy")
    _ = arrive("soon late", share(1, 2), deadline: at(10), in: &work)
    _ = arrive("patient", share(1, 3), in: &work)
    let early = arrive("too many", share(1, 4), ms: 9, in: &work)
    #expect(early.late.isEmpty && early.refused == "too many")
    let arrival = arrive("in its place", share(1, 4), ms: 10, in: &work)
    #expect(arrival.late == ["soon late"] && arrival.refused == nil)
    work.ended(share(1, 1), nanoseconds: 10_000_000)
    #expect(work.next(now: at(10)).job == "patient")
  }
}
