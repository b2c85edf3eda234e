/// Who gives a connection up for others that have less, of reads that run and of transactions that do nothing.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LeaseSharesTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  /// Which of the connections must be given up, each asked once, the last one first.
  private func yielding(_ queue: inout LeaseQueue, _ connections: Range<Int>) -> [Int] {
    var found: [Int] = []
    for connection in connections.reversed() where queue.mustYield(connection) { found.append(connection) }
    return found
  }

  private func taken(_ queue: inout LeaseQueue, _ kind: LeaseQueue.Kind, _ shares: [(session: Int, subject: Int)]) {
    for (ticket, share) in shares.enumerated() {
      let grant = queue.arrived(
        UInt64(ticket + 1), session: UInt64(share.session), subject: UInt64(share.subject), kind: kind)
      #expect(grant == .leased(ticket))
    }
  }

  @Test func `a long read of a session that has none gets a place of one that has many, at once`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    taken(&queue, .long, Array(repeating: (session: 1, subject: 0), count: 6))
    for ticket in 11...13 { #expect(queue.arrived(UInt64(ticket), session: 1, kind: .long) == .waiting) }
    #expect(yielding(&queue, 0..<6) == [], "those that wait have as many")
    #expect(queue.arrived(20, session: 2, kind: .long) == .waiting)
    #expect(yielding(&queue, 0..<6) == [5], "one for the one that waits")
    #expect(yielding(&queue, 0..<6) == [])
    #expect(queue.returned(5) == [.init(ticket: 20, connection: 5)])
    #expect(queue.contradiction == nil)
    #expect(queue.returned(5) == [.init(ticket: 11, connection: 5)])
  }

  @Test func `a transaction that may begin but for long reads gets the place of one, too`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    taken(&queue, .long, Array(repeating: (session: 1, subject: 0), count: 6))
    #expect(queue.arrived(20, session: 2, kind: .transaction) == .waiting)
    #expect(yielding(&queue, 0..<6) == [5])
    #expect(queue.returned(5).map(\.ticket) == [20])
    var full = LeaseQueue(connectionsMax: 4, waitingMax: 99)
    taken(&full, .transaction, [(1, 0), (2, 0)])
    #expect(full.arrived(3, session: 1, kind: .long) == .leased(2))
    #expect(full.arrived(4, session: 3, kind: .transaction) == .waiting)
    #expect(yielding(&full, 0..<3) == [], "no long read is in its way")
  }

  @Test func `of sessions with as many, the one is served that was served least while it waited`() {
    var queue = LeaseQueue(connectionsMax: 4, waitingMax: 99)
    taken(&queue, .transaction, [(1, 0), (2, 0)])
    func arrive(_ ticket: UInt64, _ session: UInt64) {
      let grant = queue.arrived(ticket, session: session, kind: .transaction)
      #expect(grant == .waiting)
    }
    for (ticket, session) in [(10, 3), (11, 3), (30, 4), (31, 4)] { arrive(UInt64(ticket), UInt64(session)) }
    var order = [queue.returned(0), queue.returned(1)].flatMap { $0.map(\.ticket) }
    arrive(20, 5)
    order += queue.returned(0).map(\.ticket)
    // The third session has none now, as the sixth, and has waited for longer; but it was served.
    arrive(40, 6)
    order += queue.returned(1).map(\.ticket)
    #expect(order == [10, 30, 20, 40])
    #expect(queue.contradiction == nil)
  }

  @Test func `one that waits behind ten thousand of others is found after some looks, and all of them are bounded`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99_999)
    taken(&queue, .long, Array(repeating: (session: 1, subject: 0), count: 6))
    for ticket in 10..<10_010 { _ = queue.arrived(UInt64(ticket), session: 1, kind: .long) }
    _ = queue.arrived(5, session: 2, kind: .long)
    var looks = 0
    while looks < 1_000, !queue.mustYield(5) { looks += 1 }
    #expect(looks == 10_000 / EngineLimits.waitersLookedAtMax)
    #expect(queue.returned(5).map(\.ticket) == [5])
  }

  @Test func `the oldest read of a session goes on, and so does one that is alone`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    taken(&queue, .long, [(1, 0), (1, 0), (1, 0), (2, 0), (3, 0), (4, 0)])
    for ticket in 10...19 { #expect(queue.arrived(UInt64(ticket), session: UInt64(ticket), kind: .long) == .waiting) }
    #expect(yielding(&queue, 0..<6) == [2, 1])
    _ = queue.returned(2)
    _ = queue.returned(1)
    #expect(yielding(&queue, 0..<6) == [])
  }

  @Test func `of two subjects the one with less is served, however many sessions the other has`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    taken(&queue, .long, (1...6).map { (session: $0, subject: 1) })
    #expect(queue.arrived(10, session: 9, subject: 1, kind: .long) == .waiting)
    #expect(yielding(&queue, 0..<6) == [], "a session of theirs waits for its turn")
    #expect(queue.arrived(11, session: 10, subject: 2, kind: .long) == .waiting)
    #expect(yielding(&queue, 0..<1) == [], "the oldest")
    #expect(yielding(&queue, 0..<6) == [5])
    #expect(queue.returned(5).map(\.ticket) == [11])
  }

  @Test func `idle transactions of a session with many end for one that has fewer, the longest idle first`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    taken(&queue, .transaction, Array(repeating: (session: 1, subject: 0), count: 4))
    for connection in 1..<4 { queue.paused(connection, now: start.advanced(milliseconds: connection)) }
    #expect(queue.arrived(10, session: 2, kind: .transaction) == .waiting)
    #expect(queue.reclaimed(now: start.advanced(milliseconds: 400)) == [], "they are no streams")
    let most = EngineLimits.idleReadMs
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: most)) == [])
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: most + 1)) == [1])
    #expect(queue.isReclaimed(1) && !queue.isReclaimed(2))
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: most + 2)) == [], "one is promised")
    // Its client went on meanwhile, so another one is chosen.
    queue.resumed(1)
    #expect(!queue.isReclaimed(1))
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: most + 3)) == [2])
    #expect(queue.returned(2) == [.init(ticket: 10, connection: 2)])
    #expect(queue.pausedCount == 0)
  }

  @Test
  func `an idle transaction of a session that has no other ends after a longer time, and for nobody who has more`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    taken(&queue, .transaction, [(1, 0), (2, 0), (2, 0), (2, 0)])
    queue.paused(0, now: start)
    #expect(queue.arrived(10, session: 2, kind: .transaction) == .waiting)
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: 60_000)) == [])
    #expect(queue.arrived(11, session: 3, kind: .transaction) == .waiting)
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: EngineLimits.idleLoneReadMs - 1)) == [])
    #expect(queue.reclaimedTransactions(now: start.advanced(milliseconds: EngineLimits.idleLoneReadMs)) == [0])
    #expect(queue.returned(0).map(\.ticket) == [11])
  }
}
