/// Which pages of a log a connection recognises as those that it wrote, as scripts of what SQLite writes.
import Testing

@testable import MartletSQLite

@Suite struct FrameSumsTests {
  /// A log in memory, written as SQLite writes one.
  private struct Log {
    var sums = FrameSums()
    var before = PageChecksum.Sums(first: 7, second: 9)
    var settled: [PageChecksum.Sums] = []
    let page: Int

    init(page: Int = 4_096, begins: Bool = true) {
      self.page = page
      if begins { begin() }
    }

    func offset(_ frame: Int) -> Int64 { 32 + Int64(frame) * Int64(page + 24) }

    mutating func begin() {
      before = PageChecksum.Sums(first: 7, second: 9)
      settled = []
      var header = [UInt8](repeating: 0, count: 32)
      Log.put(before, in: &header, at: 24)
      write(header, at: 0)
    }

    mutating func write(_ bytes: [UInt8], at offset: Int64) {
      bytes.withUnsafeBytes { sums.wrote($0, at: offset) }
    }

    static func put(_ sums: PageChecksum.Sums, in bytes: inout [UInt8], at offset: Int) {
      for (place, number) in [(offset, sums.first), (offset + 4, sums.second)] {
        withUnsafeBytes(of: number.bigEndian) { for index in 0..<4 { bytes[place + index] = $0[index] } }
      }
    }

    func header(_ frame: Int, _ content: [UInt8]) -> [UInt8] {
      var header = [UInt8](repeating: UInt8(truncatingIfNeeded: frame + 1), count: 24)
      var after = frame == 0 ? before : settled[frame - 1]
      header[0..<8].withUnsafeBytes { after.add($0) }
      content.withUnsafeBytes { after.add($0) }
      Log.put(after, in: &header, at: 16)
      return header
    }

    func content(_ seed: Int) -> [UInt8] { (0..<page).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 17) } }

    mutating func append(_ seed: Int) {
      let frame = settled.count
      let content = content(seed)
      let header = header(frame, content)
      settle(frame, header)
      write(header, at: offset(frame))
      write(content, at: offset(frame) + 24)
    }

    mutating func settle(_ frame: Int, _ header: [UInt8]) {
      let numbers = [16, 20].map { start in
        header[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      let sums = PageChecksum.Sums(first: numbers[0], second: numbers[1])
      if frame < settled.count { settled[frame] = sums } else { settled.append(sums) }
    }

    func holds(_ frame: Int, _ seed: Int) -> Bool {
      content(seed).withUnsafeBytes { sums.holds($0, at: offset(frame) + 24) }
    }
  }

  @Test(arguments: [512, 4_096, 65_536]) func `pages that were written are known, and others are not`(page: Int) {
    var log = Log(page: page)
    for seed in 0..<5 { log.append(seed) }
    for seed in 0..<5 { #expect(log.holds(seed, seed)) }
    #expect(!log.holds(1, 2) && !log.holds(5, 5) && !log.holds(1_000_000, 1))
    var flipped = log.content(2)
    for bit in [0, page * 4, page * 8 - 1] {
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(!flipped.withUnsafeBytes { log.sums.holds($0, at: log.offset(2) + 24) })
      flipped[bit / 8] ^= 1 << (bit % 8)
    }
    // A read of another place or size is nobody's page.
    #expect(!flipped.withUnsafeBytes { log.sums.holds($0, at: log.offset(2)) })
    #expect(!flipped[..<(page / 2)].withUnsafeBytes { log.sums.holds($0, at: log.offset(2) + 24) })
  }

  @Test func `a page written over another is known again once all checksums behind it are made anew`() {
    var log = Log()
    for seed in 0..<4 { log.append(seed) }
    log.write(log.content(9), at: log.offset(1) + 24)
    #expect(log.holds(0, 0) && !log.holds(1, 1) && !log.holds(1, 9) && !log.holds(2, 2) && !log.holds(3, 3))
    for (frame, seed) in [(1, 9), (2, 2), (3, 3)] {
      let header = log.header(frame, log.content(seed))
      log.settle(frame, header)
      log.write(header, at: log.offset(frame))
    }
    #expect(log.holds(0, 0) && log.holds(1, 9) && log.holds(2, 2) && log.holds(3, 3) && !log.holds(1, 1))
    log.append(4)
    #expect(log.holds(4, 4))
  }

  @Test func `nothing is known of a log that began anew, nor of one that somebody else began`() {
    var log = Log()
    for seed in 0..<3 { log.append(seed) }
    log.begin()
    #expect(!log.holds(0, 0))
    log.append(5)
    #expect(log.holds(0, 5) && !log.holds(1, 1))

    var foreign = Log(begins: false)
    foreign.append(0)
    // The checksum of the first frame goes on from one that is not known here; those of the next frames go on from it.
    foreign.append(1)
    #expect(!foreign.holds(0, 0) && foreign.holds(1, 1))
    foreign.write([], at: 0)
    #expect(!foreign.holds(1, 1))
  }

  @Test func `it holds so many frames and no more`() {
    var log = Log(page: 512)
    for seed in 0..<SQLiteLimits.frameSumsMax + 3 { log.append(seed) }
    let last = SQLiteLimits.frameSumsMax - 1
    #expect(log.holds(last, last) && !log.holds(last + 1, last + 1) && !log.holds(last + 3, last + 3))
  }
}
