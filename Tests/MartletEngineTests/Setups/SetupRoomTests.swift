/// How much setups may hold, and for whom.
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct SetupRoomTests {
  private let budget = 64 << 20

  @Test func `up to a part of the budget setups are let in, and beyond it a subject has one share`() {
    let room = SetupRoom(budgetBytes: budget, processBytes: { 50 << 20 })
    var places: [SetupPlace] = []
    while let place = room.place(forBytes: 100_000, of: 1) { places.append(place) }
    #expect(room.usedBytes <= room.freeBytes && room.usedBytes > room.freeBytes - 100_000)
    #expect(room.place(forBytes: 100_000, of: 1) == nil, "its share is less than it has")
    #expect(room.place(forBytes: 8_000, of: 2) != nil, "another has a share of its own")
    places.removeAll()
    #expect(room.usedBytes == 0)
  }

  @Test func `one subject comes to a share, however many setups it brings`() {
    let room = SetupRoom(budgetBytes: budget, processBytes: { 0 })
    var places: [SetupPlace] = []
    while let place = room.place(forBytes: 754_096, of: 1), places.count < 100 { places.append(place) }
    let allowance = MemoryShares(budgetBytes: budget).allowanceBytes(totalBytes: 0)
    #expect(room.usedBytes <= allowance)
    #expect(room.place(forBytes: 754_096, of: 2) != nil)
  }

  @Test func `those that nobody has are let go before one is refused`() {
    let room = SetupRoom(budgetBytes: budget, processBytes: { 0 })
    let idle = Mutex<[SetupPlace]>([])
    while let place = room.place(forBytes: 754_096, of: 1) { idle.withLock { $0.append(place) } }
    room.whenFull { idle.withLock { $0 = [] } }
    let place = room.place(forBytes: 754_096, of: 1)
    #expect(place != nil && room.usedBytes == 754_096)
    let other = place?.another()
    #expect(other?.subject == 1 && room.usedBytes == 2 * 754_096, "what is kept in any case counts, too")
  }
}
