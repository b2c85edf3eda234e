/// Who gets a connection when.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LeaseQueueTests {
  private func at(_ milliseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  private func share(_ subject: UInt64, _ session: UInt64) -> SessionShare {
    SessionShare(subject: subject, session: session)
  }

  @Test func `a connection with the right setup is preferred, and the one that was idle for longest is prepared anew`()
  {
    let (red, blue, green) = (ShapeID(high: 1, low: 0), ShapeID(high: 2, low: 0), ShapeID(high: 3, low: 0))
    var queue = LeaseQueue(connectionsMax: 2, waitingMax: 9)
    #expect(queue.arrived(1, setup: red) == .leased(0))
    #expect(queue.arrived(2, setup: blue) == .leased(1))
    #expect(queue.arrived(3, setup: green) == .waiting)
    #expect(queue.returned(0) == [.init(ticket: 3, connection: 0)])
    _ = queue.returned(1)
    _ = queue.returned(0)
    #expect(queue.arrived(4, setup: blue) == .leased(1), "it has that setup")
    _ = queue.returned(1)
    #expect(queue.arrived(5, setup: red) == .leased(0), "green was idle for longer than blue")
  }

  @Test func `of those that wait, whose subject has the fewest connections is served first`() {
    var queue = LeaseQueue(connectionsMax: 3, waitingMax: 99)
    for ticket in 1...3 as ClosedRange<UInt64> { _ = queue.arrived(ticket, session: ticket, subject: 1) }
    for ticket in 4...9 as ClosedRange<UInt64> { _ = queue.arrived(ticket, session: ticket, subject: 1) }
    _ = queue.arrived(10, session: 10, subject: 2)
    #expect(queue.returned(0).map(\.ticket) == [10])
    #expect(queue.returned(1).map(\.ticket) == [4])
  }

  @Test func `where there is no room to wait, whoever has the most waiting gives way`() {
    var queue = LeaseQueue(connectionsMax: 1, waitingMax: 3)
    for ticket in 1...4 as ClosedRange<UInt64> { _ = queue.arrived(ticket, session: 1) }
    #expect(queue.arrived(5, session: 2) == .refused)
    #expect(queue.displaced(by: share(0, 1)) == nil)
    #expect(queue.displaced(by: share(0, 2)) == 4)
    #expect(queue.arrived(5, session: 2) == .waiting)
    #expect(queue.displaced(by: share(0, 2)) == nil, "it would have as many")
  }

  @Test func `where there is no room to wait, a subject with many sessions gives way to one with few reads`() {
    var queue = LeaseQueue(connectionsMax: 1, waitingMax: 6)
    _ = queue.arrived(1, session: 1, subject: 1)
    for ticket in 2...5 as ClosedRange<UInt64> { _ = queue.arrived(ticket, session: ticket, subject: 1) }
    for ticket in 6...7 as ClosedRange<UInt64> { _ = queue.arrived(ticket, session: 20, subject: 2) }
    #expect(queue.waitingCount == 6)
    #expect(queue.displaced(by: share(1, 30)) == nil, "the other subject has two, and its own four sessions one each")
    #expect(queue.displaced(by: share(2, 20)) == 5, "four are more than it would have")
    #expect(queue.arrived(8, session: 20, subject: 2) == .waiting)
    #expect(queue.displaced(by: share(3, 40)) == 8, "of two subjects with three each, the one with the higher number")
    #expect(queue.contradiction == nil)
  }

  @Test func `connections are opened up to the limit, then holders wait in turn`() {
    var queue = LeaseQueue(connectionsMax: 2, waitingMax: 2)
    #expect(queue.arrived(1) == .leased(0))
    #expect(queue.arrived(2) == .leased(1))
    #expect(queue.arrived(3) == .waiting)
    #expect(queue.arrived(4) == .waiting)
    #expect(queue.arrived(5) == .refused)
    #expect(queue.returned(1) == [.init(ticket: 3, connection: 1)])
    #expect(queue.returned(0) == [.init(ticket: 4, connection: 0)])
    #expect(queue.returned(0) == [])
    #expect(queue.leasedCount == 1)
    #expect(queue.arrived(6) == .leased(0))
  }

  @Test func `who withdraws is passed over, and cannot once served`() {
    var queue = LeaseQueue(connectionsMax: 1, waitingMax: 9)
    _ = queue.arrived(1)
    for ticket in 2...4 { _ = queue.arrived(UInt64(ticket)) }
    #expect(queue.withdrew(3) == true)
    #expect(queue.withdrew(3) == false)
    #expect(queue.returned(0).map(\.ticket) == [2])
    #expect(queue.withdrew(2) == false)
    #expect(queue.returned(0).map(\.ticket) == [4])
    #expect(queue.waitingCount == 0)
  }

  @Test func `the connection used last is given first`() {
    var queue = LeaseQueue(connectionsMax: 3, waitingMax: 0)
    for ticket in 1...3 { _ = queue.arrived(UInt64(ticket)) }
    for connection in [0, 2, 1] { _ = queue.returned(connection) }
    #expect(queue.arrived(4) == .leased(1))
    #expect(queue.arrived(5) == .leased(2))
  }

  @Test func `long reads and transactions leave some connections to brief ones`() {
    var queue = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    for ticket in 1...6 { #expect(queue.arrived(UInt64(ticket), kind: .long) == .leased(ticket - 1)) }
    #expect(queue.arrived(7, kind: .long) == .waiting)
    #expect(queue.arrived(8) == .leased(6))
    #expect(queue.arrived(9) == .leased(7))
    // One that turns out to be long has to come again.
    #expect(queue.becameLong(6) == false)
    #expect(queue.returned(0) == [.init(ticket: 7, connection: 0)])
    #expect(queue.contradiction == nil)
    var other = LeaseQueue(connectionsMax: 8, waitingMax: 99)
    for ticket in 1...4 { _ = other.arrived(UInt64(ticket), kind: .transaction) }
    #expect(other.arrived(5, kind: .transaction) == .waiting)
    #expect(other.arrived(6, kind: .long) == .leased(4))
  }

  @Test func `who waits is served by what its session has already`() {
    var queue = LeaseQueue(connectionsMax: 4, waitingMax: 99)
    for ticket in 1...3 { _ = queue.arrived(UInt64(ticket), session: 1, kind: .long) }
    for ticket in 4...6 { _ = queue.arrived(UInt64(ticket), session: 1, kind: .long) }
    _ = queue.arrived(7, session: 2, kind: .long)
    #expect(queue.isWanted(byOthersThan: 0))
    let isOver = queue.isOverShare(0)
    #expect(isOver)
    #expect(queue.returned(0).map(\.ticket) == [7])
    let isStillOver = queue.isOverShare(1)
    #expect(!isStillOver)
  }

  @Test func `known brief reads pass a crowd of new ones, which have one turn in five`() {
    var queue = LeaseQueue(connectionsMax: 1, waitingMax: 999)
    _ = queue.arrived(1, session: 1)
    for ticket in 2...100 { _ = queue.arrived(UInt64(ticket), session: UInt64(ticket), subject: UInt64(ticket)) }
    for ticket in 101...110 { _ = queue.arrived(UInt64(ticket), session: 200, subject: 200, kind: .known) }
    let served = (1...12).flatMap { _ in queue.returned(0).map(\.ticket) }
    #expect(served == [101, 102, 103, 104, 2, 105, 106, 107, 108, 3, 109, 110])
    #expect(queue.returned(0).map(\.ticket) == [4], "nobody is left who is known")
    // However many known ones come, the others have theirs.
    var passed = 0
    for ticket in 1_000...1_500 {
      _ = queue.arrived(UInt64(ticket), session: 201, subject: 201, kind: .known)
      if let next = queue.returned(0).first, next.ticket < 1_000 { passed += 1 }
    }
    #expect(passed == 96)
    #expect(queue.contradiction == nil)
  }

  @Test func `paused streams give their connections up: of the largest session at once, of others after a moment`() {
    var queue = LeaseQueue(connectionsMax: 4, waitingMax: 999, pauseMs: 20)
    for ticket in 1...2 { _ = queue.arrived(UInt64(ticket), session: 1, kind: .long) }
    _ = queue.arrived(3, session: 2, kind: .long)
    queue.paused(2, now: at(0))
    queue.paused(1, now: at(5))
    queue.paused(0, now: at(6))
    #expect(queue.reclaimed(now: at(6)) == [])
    _ = queue.arrived(4, session: 1, kind: .long)
    #expect(queue.reclaimed(now: at(19)) == [], "its own wait for their own")
    #expect(queue.reclaimed(now: at(20)) == [2])
    #expect(queue.reclaimed(now: at(20)) == [], "one for each that waits")
    // Who has the fewest gets it, although it came later; and another after the moment of the next.
    _ = queue.arrived(5, session: 3, kind: .long)
    #expect(queue.reclaimed(now: at(20)) == [])
    #expect(queue.returned(2).map(\.ticket) == [5])
    for ticket in 6...200 { _ = queue.arrived(UInt64(ticket), session: 1, kind: .long) }
    _ = queue.arrived(201, session: 3, kind: .long)
    #expect(queue.reclaimed(now: at(24)) == [])
    #expect(queue.reclaimed(now: at(25)) == [1])
    #expect(queue.returned(1).map(\.ticket) == [201])
    queue.resumed(0)
    #expect(queue.contradiction == nil)
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `whatever happens, the rules hold and nobody waits beside a free connection`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = LeaseQueue(connectionsMax: Int.random(in: 1...9, using: &random), waitingMax: 20)
    var held: Set<Int> = []
    var waiting: Set<UInt64> = []
    for ticket in 1...4_000 as ClosedRange<UInt64> {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let kind: LeaseQueue.Kind = [.known, .brief, .long, .transaction][Int.random(in: 0..<4, using: &random)]
        switch queue.arrived(ticket, session: UInt64.random(in: 1...4, using: &random), kind: kind) {
        case .leased(let connection): #expect(held.insert(connection).inserted)
        case .waiting: waiting.insert(ticket)
        case .refused: #expect(waiting.count == 20)
        }
      case 2:
        guard let connection = held.sorted().randomElement(using: &random) else { continue }
        held.remove(connection)
        for served in queue.returned(connection) {
          #expect(waiting.remove(served.ticket) != nil && held.insert(served.connection).inserted)
        }
      case 3:
        guard let connection = held.sorted().randomElement(using: &random) else { continue }
        queue.paused(connection, now: at(ticket))
        for chosen in queue.reclaimed(now: at(ticket)) { #expect(held.contains(chosen)) }
        _ = queue.becameLong(connection)
      default:
        if let one = waiting.sorted().randomElement(using: &random), queue.withdrew(one) { waiting.remove(one) }
      }
      #expect(queue.contradiction == nil)
      #expect(queue.leasedCount == held.count && queue.waitingCount == waiting.count)
    }
  }
}
