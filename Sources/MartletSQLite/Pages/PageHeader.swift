/// What the first bytes of a database file say about its pages.
///
/// Always true: a header that is not SQLite's says nothing.
struct PageHeader: Equatable {
  var pageBytes: Int
  /// Each page reserves eight bytes, and only Martlet and `cksumvfs` reserve as many.
  var hasChecksums: Bool

  /// The bytes of the header.
  static let bytes = 100
  static let reserveOffset = 20

  /// Nil if the bytes do not begin a SQLite file.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.bytes, zip(bytes, "SQLite format 3\0".utf8).allSatisfy({ $0 == $1 }) else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageBytes = size == 1 ? 65_536 : size
    guard pageBytes >= 512, pageBytes <= 65_536, pageBytes & (pageBytes - 1) == 0 else { return nil }
    hasChecksums = bytes[Self.reserveOffset] == UInt8(PageChecksum.bytes)
  }

  /// Whether a first page says that it has no checksum, and yet has one that holds if that is taken back.
  static func isClaimDamaged(in page: UnsafeRawBufferPointer) -> Bool {
    guard page.count >= 512, PageChecksum.stored(in: page) != PageChecksum.Sums() else { return false }
    return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 8) { copy in
      copy.copyMemory(from: page)
      copy[reserveOffset] = UInt8(PageChecksum.bytes)
      return PageChecksum.holds(UnsafeRawBufferPointer(copy))
    }
  }
}
