/// The bounded cache against a plain model of it.
import MartletSQLite
import Testing

@Suite struct BoundedCacheTests {
  @Test func `the value used longest ago goes first`() {
    var cache = BoundedCache<Int, String>(capacity: 2)
    #expect(cache.insert("a", for: 1) == [])
    #expect(cache.insert("b", for: 2) == [])
    #expect(cache.value(for: 1) == "a")
    #expect(cache.insert("c", for: 3) == ["b"])
    #expect(cache.values == ["c", "a"])
    #expect(cache.insert("A", for: 1) == ["a"])
    #expect(cache.remove(3) == "c")
    #expect(cache.count == 1)
    #expect(cache.values == ["A"])
  }

  @Test func `it does what an ordered list would do`() {
    var cache = BoundedCache<UInt8, Int>(capacity: 7)
    var model: [(key: UInt8, value: Int)] = []
    var seed: UInt64 = 42
    for round in 0..<20_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = UInt8((seed >> 33) % 16)
      switch (seed >> 60) % 3 {
      case 0:
        let index = model.firstIndex { $0.key == key }
        #expect(cache.value(for: key) == index.map { model[$0].value })
        if let index { model.insert(model.remove(at: index), at: 0) }
      case 1:
        cache.insert(round, for: key)
        model.removeAll { $0.key == key }
        model.insert((key, round), at: 0)
        if model.count > 7 { model.removeLast() }
      default:
        cache.remove(key)
        model.removeAll { $0.key == key }
      }
      #expect(cache.values == model.map(\.value))
      #expect(cache.count == model.count)
    }
  }

  @Test func `with large values fewer stay, and a single one that is larger than all may be`() {
    var cache = BoundedCache<Int, String>(capacity: 4, bytesMax: 100)
    for (key, name) in ["a", "b", "c"].enumerated() { cache.insert(name, for: key, bytes: 30) }
    #expect(cache.bytes == 90 && cache.count == 3)
    #expect(cache.value(for: 0) == "a")
    #expect(cache.insert("d", for: 3, bytes: 41) == ["b", "c"] && cache.bytes == 71)
    #expect(cache.insert("A", for: 0, bytes: 60) == ["a", "d"] && cache.bytes == 60, "what it was before goes first")
    #expect(cache.insert("huge", for: 9, bytes: .max) == ["A"] && cache.values == ["huge"])
    #expect(cache.insert("small", for: 1, bytes: 1) == ["huge"] && cache.bytes == 1)
    #expect(cache.insert("nothing", for: 2, bytes: -5) == [] && cache.bytes == 1)
    #expect(cache.remove(1) == "small" && cache.removeLast() == "nothing" && cache.bytes == 0)
    for key in 0..<1_000 { cache.insert("x", for: key, bytes: key % 7) }
    #expect(cache.bytes == (996..<1_000).reduce(0) { $0 + $1 % 7 })
    _ = cache.shrink(to: 1)
    #expect(cache.bytes == 999 % 7)
  }

  @Test func `what was not used in a round goes when it ends, but for those used last`() {
    var cache = BoundedCache<Int, Int>(capacity: 100)
    for key in 0..<100 { cache.insert(key, for: key) }
    #expect(cache.endRound(keeping: 10) == [], "All of them came in it.")
    for key in [3, 50, 7] { _ = cache.value(for: key) }
    // To look at all of them is no use of any.
    #expect(cache.values.contains(60))
    #expect(cache.endRound(keeping: 2).count == 97)
    #expect(cache.values == [7, 50, 3])
    #expect(cache.endRound(keeping: 2) == [3])
    #expect(cache.endRound(keeping: 2) == [])
    #expect(cache.shrink(to: 1) == [50] && cache.values == [7])
    for key in 0..<1_000 { cache.insert(key, for: key) }
    #expect(cache.count == 100 && cache.value(for: 950) == 950)
  }

  @Test func `of those used last, few stay if they are large`() {
    var cache = BoundedCache<Int, Int>(capacity: 100)
    for key in 1...10 { cache.insert(key, for: key, bytes: 10 * key) }
    #expect(cache.endRound(keeping: 5, bytes: 0) == [], "All of them came in it.")
    #expect(cache.endRound(keeping: 5, bytes: 300) == [1, 2, 3, 4, 5, 6, 7] && cache.bytes == 270)
    #expect(cache.shrink(to: 5, bytes: 269) == [8] && cache.values == [10, 9])
    #expect(cache.shrink(to: 5, bytes: 99) == [9, 10] && cache.bytes == 0 && cache.count == 0)
  }

  @Test func `rounds and uses in any order do what a list with marks would do`() {
    var cache = BoundedCache<UInt8, Int>(capacity: 12)
    var model: [(key: UInt8, value: Int, round: Int)] = []
    var (seed, ended): (UInt64, Int) = (7, 0)
    for step in 0..<20_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = UInt8((seed >> 33) % 24)
      switch (seed >> 60) % 8 {
      case 0:
        let dropped = cache.endRound(keeping: 3)
        var expected: [Int] = []
        while model.count > 3, let old = model.last, old.round != ended { expected.append(model.removeLast().value) }
        #expect(dropped == expected)
        ended += 1
      case 1...4:
        cache.insert(step, for: key)
        model.removeAll { $0.key == key }
        model.insert((key, step, ended), at: 0)
        if model.count > 12 { model.removeLast() }
      default:
        let index = model.firstIndex { $0.key == key }
        #expect(cache.value(for: key) == index.map { model[$0].value })
        if let index { model.insert((key, model.remove(at: index).value, ended), at: 0) }
      }
      #expect(cache.values == model.map(\.value))
    }
  }

  @Test func `a statement that leaves the cache is finalized once nobody holds it`() throws {
    let writer = try Connection.inMemory()
    var cache = BoundedCache<String, Statement>(capacity: 1)
    weak var first: Statement?
    do {
      let statement = try writer.prepare("SELECT 1")
      cache.insert(statement, for: "a")
      first = statement
    }
    #expect(first != nil)
    cache.insert(try writer.prepare("SELECT 2"), for: "b")
    #expect(first == nil)
    #expect(cache.count == 1)
  }
}
