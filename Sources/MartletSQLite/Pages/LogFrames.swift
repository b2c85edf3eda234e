/// Where the frames of a write-ahead log lie, and which of them have a checksum that does not hold yet.
///
/// SQLite writes a page that changes again within one transaction over the frame that has it, and makes the checksums
/// of that frame and of all after it anew before the commit. Until then only that transaction reads them.
///
/// Always true: used by one connection, for what it wrote itself; offsets are those of the log file.
struct LogFrames {
  static let logHeaderBytes: Int64 = 32
  static let frameHeaderBytes: Int64 = 24

  /// Where the header ends that was written last.
  private var lastHeaderEnd: Int64 = -1
  /// Where the first page begins whose frame has a stale checksum; `Int64.max` if there is none.
  private var staleFrom = Int64.max
  private var frameBytes: Int64 = 0
  /// The frames that were written since `forgetWritten`: where the first begins, and where the last ends.
  private var written: Range<Int64>?

  /// How much of the log they take.
  var writtenBytes: Int64 { written.map { $0.upperBound - $0.lowerBound } ?? 0 }

  /// What is written from now on counts anew.
  mutating func forgetWritten() { written = nil }

  /// Whether the checksum of the frame with the page at `offset` can be relied on.
  func isSettled(_ offset: Int64) -> Bool { offset < staleFrom }

  /// Whether a read or a write of `count` bytes is that of a frame's page.
  static func isPage(_ count: Int64, at offset: Int64) -> Bool {
    let start = logHeaderBytes + frameHeaderBytes
    return count >= 512 && count & (count - 1) == 0 && offset >= start
      && (offset - start) % (count + frameHeaderBytes) == 0
  }

  /// Where the eight bytes are from which the checksum of the frame with the page at `offset` goes on: in the header of
  /// the frame before it, or of the log.
  static func seedOffset(ofPage count: Int64, at offset: Int64) -> Int64 {
    let header = offset - frameHeaderBytes
    return header == logHeaderBytes ? logHeaderBytes - 8 : header - (count + frameHeaderBytes) + 16
  }

  mutating func wrote(_ count: Int64, at offset: Int64) {
    if count == Self.frameHeaderBytes {
      lastHeaderEnd = offset + count
      // The checksums are made anew in order, each from the one before.
      if lastHeaderEnd == staleFrom { staleFrom += frameBytes }
    } else if Self.isPage(count, at: offset) {
      let start = min(written?.lowerBound ?? .max, offset - Self.frameHeaderBytes)
      written = start..<max(written?.upperBound ?? 0, offset + count)
      guard offset != lastHeaderEnd else { return }
      frameBytes = count + Self.frameHeaderBytes
      staleFrom = min(staleFrom, offset)
    } else if offset == 0 {
      // The log begins anew.
      staleFrom = .max
      written = nil
    }
  }
}
