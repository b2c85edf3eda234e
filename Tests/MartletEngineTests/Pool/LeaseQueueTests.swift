/// Who gets a connection when.
import Testing

@testable import MartletEngine

@Suite struct LeaseQueueTests {
  @Test func `connections are opened up to the limit, then holders wait in turn`() {
    var queue = LeaseQueue(connectionsMax: 2, waitingMax: 2)
    #expect(queue.arrived(1) == .leased(0))
    #expect(queue.arrived(2) == .leased(1))
    #expect(queue.arrived(3) == .waiting)
    #expect(queue.arrived(4) == .waiting)
    #expect(queue.arrived(5) == .refused)
    #expect(queue.returned(1) == 3)
    #expect(queue.returned(0) == 4)
    #expect(queue.returned(0) == nil)
    #expect(queue.leasedCount == 1)
    #expect(queue.arrived(6) == .leased(0))
  }

  @Test func `who withdraws is passed over, and cannot once served`() {
    var queue = LeaseQueue(connectionsMax: 1, waitingMax: 9)
    _ = queue.arrived(1)
    for ticket in 2...4 { _ = queue.arrived(UInt64(ticket)) }
    #expect(queue.withdrew(3) == true)
    #expect(queue.withdrew(3) == false)
    #expect(queue.returned(0) == 2)
    #expect(queue.withdrew(2) == false)
    #expect(queue.returned(0) == 4)
    #expect(queue.waitingCount == 0)
  }

  @Test func `the connection used last is given first`() {
    var queue = LeaseQueue(connectionsMax: 3, waitingMax: 0)
    for ticket in 1...3 { _ = queue.arrived(UInt64(ticket)) }
    for connection in [0, 2, 1] { _ = queue.returned(connection) }
    #expect(queue.arrived(4) == .leased(1))
    #expect(queue.arrived(5) == .leased(2))
  }
}
