/// Scripts for who opens, who waits, and who is told what.
import Testing

@testable import MartletServer

@Suite struct OpeningWaitersTests {
  private typealias Waiters = OpeningWaiters<String, Bool, Int>

  @Test func `one opens, and all that came meanwhile have what it opened`() {
    var waiters = Waiters()
    #expect(waiters.arrived(1, for: "db", asking: true) == true)
    for waiter in 2...3 { #expect(waiters.arrived(waiter, for: "db", asking: waiter == 2) == false) }
    #expect(waiters.arrived(4, for: "other", asking: true) == true)
    #expect(waiters.opened("db") == [1, 2, 3] && waiters.opened("db") == [])
    #expect(waiters.arrived(5, for: "db", asking: true) == true, "it may have closed since")
    #expect(waiters.opened("other") == [4] && waiters.opened("db") == [5] && waiters.isEmpty)
  }

  @Test func `a failure is the answer for all that asked the same, and the first of the others tries next`() {
    var waiters = Waiters()
    for (waiter, question) in [(1, false), (2, true), (3, false), (4, true)] {
      _ = waiters.arrived(waiter, for: "db", asking: question)
    }
    let first = waiters.failed("db", isOwn: false) { _ in true }
    #expect(first.told == [1, 3] && first.next == 2)
    #expect(waiters.arrived(5, for: "db", asking: false) == false)
    let second = waiters.failed("db", isOwn: false) { _ in true }
    #expect(second.told == [2, 4] && second.next == 5)
    #expect(waiters.opened("db") == [5] && waiters.isEmpty)
  }

  @Test func `a failure of the one that opened alone is told to nobody else`() {
    var waiters = Waiters()
    for waiter in 1...3 { _ = waiters.arrived(waiter, for: "db", asking: true) }
    let late = waiters.failed("db", isOwn: true) { _ in true }
    #expect(late.told == [1] && late.next == 2)
    let last = waiters.failed("db", isOwn: false) { _ in true }
    #expect(last.told == [2, 3] && last.next == nil && waiters.isEmpty)
  }

  @Test func `who has left is not told, and does not try`() {
    var waiters = Waiters()
    for waiter in 1...4 { _ = waiters.arrived(waiter, for: "db", asking: true) }
    let gone = waiters.failed("db", isOwn: true) { $0 > 2 }
    #expect(gone.told == [] && gone.next == 3)
    let all = waiters.failed("db", isOwn: true) { _ in false }
    #expect(all.told == [] && all.next == nil && waiters.isEmpty)
    #expect(waiters.failed("db", isOwn: false) { _ in true }.next == nil)
  }
}
