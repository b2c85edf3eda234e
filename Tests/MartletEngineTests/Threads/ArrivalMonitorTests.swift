/// What arrives while others have the lock: it is taken in once, in order, and who waits for it hears of it.
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct ArrivalMonitorTests {
  private struct Arrival: Sendable {
    let thread: Int
    let number: Int
  }

  private struct State {
    var taken: [Arrival] = []
    var isRefusing = false
  }

  /// How much was taken in, for who must not look at the state, because each look takes in what is aside.
  private final class Count: Sendable {
    let taken = Atomic<Int>(0)
    var now: Int { taken.load(ordering: .relaxed) }
  }

  /// Refuses if the state says so, and calls `refused` then.
  private static func monitor(
    counting count: Count = Count(), _ refused: @escaping @Sendable (Arrival) -> Void = { _ in }
  ) -> ArrivalMonitor<State, Arrival> {
    ArrivalMonitor(State()) { arrival, state in
      count.taken.add(1, ordering: .relaxed)
      if state.isRefusing { return { refused(arrival) } }
      state.taken.append(arrival)
      return nil
    }
  }

  /// Calls `body` on so many threads at once, and returns when all have come back.
  private static func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(index)
        group.leave()
      }
    }
    group.wait()
  }

  @Test func `what has arrived is there for the next look`() {
    let monitor = Self.monitor()
    monitor.arrive(Arrival(thread: 0, number: 1))
    #expect(monitor.withLock { $0.taken.count } == 1)
    monitor.arrive(Arrival(thread: 0, number: 2))
    #expect(monitor.change { $0.taken.map(\.number) } == [1, 2])
  }

  @Test func `what arrives while the state is looked at is taken in when the look is over`() {
    let count = Count()
    let monitor = Self.monitor(counting: count)
    let seen = monitor.withLock { state in
      // From another thread, which does not wait for this one.
      Self.together(3) { monitor.arrive(Arrival(thread: $0, number: 1)) }
      return state.taken.count
    }
    #expect(seen == 0)
    #expect(count.now == 3)
  }

  @Test func `what is refused is told without the lock, also if somebody else takes it in`() {
    let told = Mutex<[Int]>([])
    let box = Mutex<ArrivalMonitor<State, Arrival>?>(nil)
    let monitor = Self.monitor { arrival in
      // Would wait for ever if the lock were still held.
      let count = box.withLock { $0 }?.withLock { $0.taken.count } ?? -1
      told.withLock { $0.append(arrival.number + count) }
    }
    box.withLock { $0 = monitor }
    monitor.change { $0.isRefusing = true }
    monitor.arrive(Arrival(thread: 0, number: 1))
    monitor.withLock { _ in Self.together(1) { _ in monitor.arrive(Arrival(thread: 0, number: 2)) } }
    #expect(told.withLock { $0 } == [1, 2])
    box.withLock { $0 = nil }
  }

  @Test(arguments: [1, 4]) func `threads that bring much beside others that look lose nothing and keep their order`(
    lookers: Int
  ) {
    let count = Count()
    let monitor = Self.monitor(counting: count)
    let (threads, each) = (4, 5_000)
    let isOver = Atomic<Bool>(false)
    let looking = DispatchGroup()
    for index in 0..<lookers {
      looking.enter()
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed) {
          if index % 2 == 0 { _ = monitor.withLock { $0.taken.count } } else { monitor.change { _ in } }
        }
        looking.leave()
      }
    }
    Self.together(threads) { thread in
      for number in 0..<each { monitor.arrive(Arrival(thread: thread, number: number)) }
    }
    isOver.store(true, ordering: .relaxed)
    looking.wait()
    #expect(count.now == threads * each)
    let taken = monitor.withLock { $0.taken }
    #expect(taken.count == threads * each)
    for thread in 0..<threads {
      #expect(taken.filter { $0.thread == thread }.map(\.number) == Array(0..<each))
    }
  }

  /// The one that waits falls asleep again and again while others bring something.
  @Test func `one that sleeps until something comes hears of each arrival`() {
    let monitor = Self.monitor()
    let (threads, each) = (3, 3_000)
    let taken = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while taken.withLock({ $0 < threads * each }) {
        let found = monitor.wait { state -> ArrivalMonitor<State, Arrival>.Look<Int> in
          defer { state.taken = [] }
          return state.taken.isEmpty ? .wait(nanoseconds: nil) : .found(state.taken.count)
        }
        taken.withLock { $0 += found }
      }
      done.signal()
    }
    Self.together(threads) { thread in
      for number in 0..<each {
        monitor.arrive(Arrival(thread: thread, number: number))
        // Often enough everything has been taken by then, and the one who waits falls asleep.
        if number % 7 == 0 { sched_yield() }
      }
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(taken.withLock { $0 } == threads * each)
  }

  /// The arrival comes while the first one looks and has the lock, so it is that one who takes it in.
  @Test func `of two that wait the other one is woken by what the first took in`() {
    let monitor = Self.monitor()
    let (looks, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (firstDone, otherDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      monitor.wait { $0.taken.isEmpty ? .wait(nanoseconds: nil) : .found(()) }
      otherDone.signal()
    }
    Thread.detachNewThread {
      var isFirstLook = true
      monitor.wait { state -> ArrivalMonitor<State, Arrival>.Look<Void> in
        if isFirstLook {
          looks.signal()
          goOn.wait()
        }
        isFirstLook = false
        return state.taken.count < 2 ? .wait(nanoseconds: nil) : .found(())
      }
      firstDone.signal()
    }
    looks.wait()
    monitor.arrive(Arrival(thread: 0, number: 1))
    goOn.signal()
    #expect(otherDone.wait(timeout: .now() + 60) == .success)
    monitor.arrive(Arrival(thread: 0, number: 2))
    #expect(firstDone.wait(timeout: .now() + 60) == .success)
  }
}
