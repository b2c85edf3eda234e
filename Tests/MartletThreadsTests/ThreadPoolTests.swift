/// Threads for work that waits: how many there are, in which order jobs begin, and that none is lost.
import Foundation
import Synchronization
import Testing

@testable import MartletThreads

@Suite struct ThreadPoolTests {
  /// How many are inside at a time.
  private final class Room: Sendable {
    private let state = Mutex((now: 0, most: 0))

    func enter() {
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
    }

    func leave() { state.withLock { $0.now -= 1 } }

    var most: Int { state.withLock { $0.most } }
  }

  /// False if it takes a minute.
  private static func wait(_ group: DispatchGroup) -> Bool { group.wait(timeout: .now() + 60) == .success }

  @Test(arguments: [1, 3, 8]) func `jobs run on as many threads as may be, and on no more`(most: Int) {
    let pool = ThreadPool(name: "test", most: most)
    let (room, group, gate) = (Room(), DispatchGroup(), DispatchSemaphore(value: 0))
    let full = DispatchSemaphore(value: 0)
    for _ in 0..<(4 * most) {
      group.enter()
      pool.run {
        room.enter()
        full.signal()
        gate.wait()
        room.leave()
        group.leave()
      }
    }
    for _ in 0..<most { #expect(full.wait(timeout: .now() + 60) == .success) }
    for _ in 0..<(4 * most) { gate.signal() }
    #expect(Self.wait(group))
    #expect(room.most == most)
  }

  @Test(arguments: [1, 3]) func `jobs that found no thread run when the system has one`(most: Int) {
    let left = Mutex(0)
    let starter = ThreadStarter { order in
      guard left.withLock({ $0 > 0 }) else { return false }
      left.withLock { $0 -= 1 }
      return ThreadStarter.shared.startNow(named: order.name, order.work)
    }
    let pool = ThreadPool(name: "test", most: most, starter: starter)
    let group = DispatchGroup()
    let ran = Atomic<Int>(0)
    func add(_ count: Int) {
      for _ in 0..<count {
        group.enter()
        pool.run {
          ran.add(1, ordering: .relaxed)
          group.leave()
        }
      }
    }
    add(5)
    #expect(ran.load(ordering: .relaxed) == 0)
    left.withLock { $0 = 1 }
    add(1)
    #expect(Self.wait(group))
    #expect(ran.load(ordering: .relaxed) == 6)
  }

  @Test func `a number below one is one thread`() {
    let (pool, done) = (ThreadPool(name: "test", most: 0), DispatchSemaphore(value: 0))
    pool.run { done.signal() }
    #expect(done.wait(timeout: .now() + 60) == .success)
  }

  @Test(arguments: [0, 1, 5]) func `a job that is offered is refused if as many wait as may`(waitingMax: Int) {
    let pool = ThreadPool(name: "test", most: 2, waitingMax: waitingMax)
    let (group, gate, busy) = (DispatchGroup(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    @Sendable func job() {
      busy.signal()
      gate.wait()
      group.leave()
    }
    func offer() -> Bool {
      group.enter()
      let isTaken = pool.offer { job() }
      if !isTaken { group.leave() }
      return isTaken
    }
    #expect(offer() && offer())
    for _ in 0..<2 { #expect(busy.wait(timeout: .now() + 60) == .success) }
    #expect((0..<waitingMax).allSatisfy { _ in offer() })
    #expect(!offer() && !offer())
    // What must be taken is taken all the same.
    group.enter()
    pool.run { job() }
    for _ in 0..<(3 + waitingMax) { gate.signal() }
    #expect(Self.wait(group))
    // There is room again. A thread that has just ended its job may still count as busy.
    let end = DispatchTime.now() + 60
    var isTaken = offer()
    while !isTaken, DispatchTime.now() < end { isTaken = offer() }
    #expect(isTaken)
    gate.signal()
    #expect(Self.wait(group))
  }

  @Test func `jobs begin in the order in which they came`() {
    let (pool, group) = (ThreadPool(name: "test", most: 1), DispatchGroup())
    let seen = Mutex<[Int]>([])
    for number in 0..<2_000 {
      group.enter()
      pool.run {
        seen.withLock { $0.append(number) }
        group.leave()
      }
    }
    #expect(Self.wait(group))
    #expect(seen.withLock { $0 } == Array(0..<2_000))
  }

  @Test func `a job may give the next one, as often as it likes`() {
    let (pool, done) = (ThreadPool(name: "test", most: 2), DispatchSemaphore(value: 0))
    let count = Atomic<Int>(0)
    @Sendable func next() {
      guard count.add(1, ordering: .relaxed).newValue < 10_000 else {
        done.signal()
        return
      }
      pool.run { next() }
    }
    pool.run { next() }
    #expect(done.wait(timeout: .now() + 60) == .success)
  }

  @Test func `none is lost that many threads give at once`() {
    let (pool, group) = (ThreadPool(name: "test", most: 4), DispatchGroup())
    let count = Atomic<Int>(0)
    for _ in 0..<8 { group.enter() }
    let all = DispatchGroup()
    for _ in 0..<8 * 5_000 { all.enter() }
    for _ in 0..<8 {
      Thread.detachNewThread {
        for _ in 0..<5_000 {
          pool.run {
            count.add(1, ordering: .relaxed)
            all.leave()
          }
        }
        group.leave()
      }
    }
    #expect(Self.wait(group) && Self.wait(all))
    #expect(count.load(ordering: .relaxed) == 40_000)
  }

  @Test func `what a job held goes when it has run`() {
    final class Held: Sendable {}
    let (pool, group) = (ThreadPool(name: "test", most: 1), DispatchGroup())
    weak var held: Held?
    do {
      let object = Held()
      held = object
      group.enter()
      pool.run {
        withExtendedLifetime(object) {}
        group.leave()
      }
    }
    #expect(Self.wait(group))
    // A thousand more move the list on, in which those that have run stand for a while.
    for _ in 0..<1_000 {
      group.enter()
      pool.run { group.leave() }
    }
    #expect(Self.wait(group))
    #expect(held == nil)
  }
}
