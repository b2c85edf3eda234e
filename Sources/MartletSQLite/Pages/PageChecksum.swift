/// The checksum of a page, and of a frame of the write-ahead log: two sums of 32 bits over little-endian words.
///
/// Always true: it is the one of SQLite's `cksumvfs` extension and lies where that puts it, in the last eight bytes of
/// each page; a change of one bit, or of up to 32 bits in a row that lie in one word, never goes unseen.
enum PageChecksum {
  /// What a page keeps free for it; byte 20 of the file's header says so.
  static let bytes = 8

  struct Sums: Equatable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    /// Goes on over bytes whose number is a multiple of eight.
    @inline(__always)
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      var first = first
      var second = second
      var offset = 0
      while offset < bytes.count {
        let one = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let two = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset &+ 4, as: UInt32.self))
        // In this order, so that a word waits for one addition of the word before it and not for two.
        first = (first &+ one) &+ second
        second = (second &+ two) &+ first
        offset &+= 8
      }
      self.first = first
      self.second = second
    }
  }

  /// The sums over all of a page but its last eight bytes.
  static func sums(of page: UnsafeRawBufferPointer) -> Sums {
    var sums = Sums()
    sums.add(UnsafeRawBufferPointer(rebasing: page.dropLast(bytes)))
    return sums
  }

  /// The sums that a page holds.
  static func stored(in page: UnsafeRawBufferPointer) -> Sums {
    let start = page.count - bytes
    return Sums(
      first: UInt32(littleEndian: page.loadUnaligned(fromByteOffset: start, as: UInt32.self)),
      second: UInt32(littleEndian: page.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
  }

  static func holds(_ page: UnsafeRawBufferPointer) -> Bool { sums(of: page) == stored(in: page) }

  /// Writes the checksum into the page's last bytes.
  static func seal(_ page: UnsafeMutableRawBufferPointer) {
    let sums = sums(of: UnsafeRawBufferPointer(page))
    page.storeBytes(of: sums.first.littleEndian, toByteOffset: page.count - bytes, as: UInt32.self)
    page.storeBytes(of: sums.second.littleEndian, toByteOffset: page.count - bytes + 4, as: UInt32.self)
  }
}
