/// The checksum itself, and what is read from a file whose bits were flipped.
import Foundation
import Testing

@testable import MartletSQLite

@Suite struct PageChecksumTests {
  @Test func `the sums are those of cksumvfs`() {
    // s1 += x + s2; s2 += y + s1, for the words 1 2 3 4.
    var sums = PageChecksum.Sums()
    let words = [1, 2, 3, 4].map { UInt32($0).littleEndian }
    words.withUnsafeBytes { sums.add($0) }
    #expect(sums == PageChecksum.Sums(first: 7, second: 14))
  }

  @Test func `no flipped bit of a page goes unseen`() {
    var page = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 5) }
    page.withUnsafeMutableBytes { PageChecksum.seal($0) }
    for bit in 0..<page.count * 8 {
      page[bit / 8] ^= 1 << (bit % 8)
      #expect(!page.withUnsafeBytes { PageChecksum.holds($0) }, "bit \(bit)")
      page[bit / 8] ^= 1 << (bit % 8)
    }
    #expect(page.withUnsafeBytes { PageChecksum.holds($0) })
  }

  @Test func `a header is SQLite's or says nothing`() {
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(bytes.withUnsafeBytes { PageHeader($0) } == nil)
    bytes.replaceSubrange(0..<16, with: "SQLite format 3\0".utf8)
    #expect(bytes.withUnsafeBytes { PageHeader($0) } == nil)
    for (high, low, size) in [(0x10, 0, 4_096), (0, 1, 65_536), (2, 0, 512)] as [(UInt8, UInt8, Int)] {
      bytes[16] = high
      bytes[17] = low
      bytes[20] = 0
      #expect(bytes.withUnsafeBytes { PageHeader($0) }?.pageBytes == size)
      #expect(bytes.withUnsafeBytes { PageHeader($0) }?.hasChecksums == false)
      bytes[20] = 8
      #expect(bytes.withUnsafeBytes { PageHeader($0) }?.hasChecksums == true)
    }
    #expect(bytes.prefix(99).withUnsafeBytes { PageHeader($0) } == nil)
  }
}
