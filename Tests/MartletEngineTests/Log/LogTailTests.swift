/// The size that the last commit of a log tells, from bytes of SQLite's format.
import Testing

@testable import MartletEngine

struct LogTailTests {
  private static let salts: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

  private static func number(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }

  /// A log of pages of 512 bytes; each frame says how many pages the database has, and whether it is of this log.
  private static func log(_ frames: [(pages: UInt32, isOfThis: Bool)], pageBytes: UInt32 = 512) -> [UInt8] {
    let header = [UInt8](repeating: 0, count: 8) + number(pageBytes) + number(0) + salts + number(0) + number(0)
    return frames.reduce(header) { log, frame in
      log + number(1) + number(frame.pages) + (frame.isOfThis ? salts : salts.reversed()) + number(0) + number(0)
        + [UInt8](repeating: 7, count: 512)
    }
  }

  private static func pages(_ log: [UInt8]) -> Int64? {
    let bytes = LogTail.databaseBytes(logBytes: Int64(log.count)) { offset, count in
      let (start, end) = (Int(offset), Int(offset) + count)
      return end <= log.count ? Array(log[start..<end]) : nil
    }
    return bytes.map { $0 / 512 }
  }

  @Test func `the last commit of this log counts`() {
    #expect(Self.pages(Self.log([(3, true)])) == 3)
    #expect(Self.pages(Self.log([(3, true), (0, true), (9, true)])) == 9)
    // A commit under way, and what is left of a former log.
    #expect(Self.pages(Self.log([(3, true), (0, true), (0, true)])) == 3)
    #expect(Self.pages(Self.log([(3, true), (0, true), (80, false), (90, false)])) == 3)
  }

  @Test func `what is no log, or has no commit, tells nothing`() {
    let none: [[UInt8]] = [
      [], Self.log([]), Self.log([(0, true)]), Self.log([(3, false)]), Self.log([(3, true)], pageBytes: 0),
      Array(Self.log([(3, true)]).prefix(40)), [UInt8](repeating: 255, count: 4_000),
    ]
    for log in none { #expect(Self.pages(log) == nil, "\(log.count)") }
  }
}
