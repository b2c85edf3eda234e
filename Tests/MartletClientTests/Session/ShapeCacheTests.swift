/// The cache of shapes stays small and keeps what is used.
import MartletValues
import Testing

@testable import MartletClient

@Suite struct ShapeCacheTests {
  @Test func `what is used stays and what is not goes`() {
    var cache = ShapeCache(capacity: 8)
    let favourite = ShapeID(high: 0, low: 0)
    cache[favourite] = .init(isPrepared: true)
    for number in 1...1_000 {
      cache[ShapeID(high: UInt64(number), low: 0)] = .init()
      #expect(cache[favourite]?.isPrepared == true)
      #expect(cache.count <= 8)
    }
    #expect(cache[ShapeID(high: 1, low: 0)] == nil)
    #expect(cache[ShapeID(high: 1_000, low: 0)] != nil)
  }
}
