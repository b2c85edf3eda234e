/// The checksums of the frames that one connection wrote to the log, so that a page which it reads back there is
/// compared without reading the headers that have them.
///
/// Always true: a page that agrees is the one that was written. One that does not agree may still be sound, because
/// another connection may have written the frame since; the log's own headers decide then. Holds
/// `SQLiteLimits.frameSumsMax` frames.
struct FrameSums {
  /// The checksum before a frame's page, its header included, and the checksum after the page.
  private struct Frame {
    /// Nil if the frame before it is not known.
    var before: PageChecksum.Sums?
    var after: PageChecksum.Sums
  }

  private var pageBytes: Int64 = 0
  /// Nil for a frame that is not this connection's, or not known to be.
  private var frames: [Frame?] = []
  /// The checksum of the log's own header.
  private var start: PageChecksum.Sums?
  /// A frame's header whose page has not come yet; it lies at that offset.
  private var header: (offset: Int64, bytes: (UInt64, after: PageChecksum.Sums))?

  /// Hears of each write to the log.
  mutating func wrote(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    let count = Int64(bytes.count)
    if offset == 0 {
      // The log begins anew, or ends.
      frames.removeAll(keepingCapacity: true)
      header = nil
      start = count >= LogFrames.logHeaderBytes ? Self.sums(in: bytes, at: 24) : nil
    } else if count == LogFrames.frameHeaderBytes {
      let parts = (bytes.loadUnaligned(as: UInt64.self), after: Self.sums(in: bytes, at: 16))
      header = (offset, parts)
      // Noted now, because SQLite may write the header of an existing frame anew without its page.
      if let index = index(ofHeader: offset) { note(parts, at: index) }
    } else if LogFrames.isPage(count, at: offset) {
      if count != pageBytes {
        pageBytes = count
        frames.removeAll()
      }
      guard let index = index(ofHeader: offset - LogFrames.frameHeaderBytes) else { return }
      if let header, header.offset == offset - LogFrames.frameHeaderBytes {
        // The header is not noted yet if the size of a page was not known.
        if index >= frames.count { note(header.bytes, at: index) }
      } else if index < frames.count {
        // Written over the page that was there; its checksum and those of all after it come later.
        frames.removeLast(frames.count - index)
      }
      header = nil
    }
  }

  /// Whether the page with the frame at `offset` is the one that this connection wrote. False if nobody knows.
  func holds(_ page: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    guard page.count == pageBytes, let index = index(ofHeader: offset - LogFrames.frameHeaderBytes),
      index < frames.count, let frame = frames[index], var sums = frame.before
    else { return false }
    sums.add(page)
    return sums == frame.after
  }

  private func index(ofHeader offset: Int64) -> Int? {
    let frameBytes = pageBytes + LogFrames.frameHeaderBytes
    let distance = offset - LogFrames.logHeaderBytes
    guard pageBytes > 0, distance >= 0, distance % frameBytes == 0 else { return nil }
    return Int(distance / frameBytes)
  }

  private mutating func note(_ header: (UInt64, after: PageChecksum.Sums), at index: Int) {
    guard index < SQLiteLimits.frameSumsMax else { return }
    while frames.count < index { frames.append(nil) }
    var before = index == 0 ? start : frames[index - 1]?.after
    withUnsafeBytes(of: header.0) { before?.add($0) }
    let frame = Frame(before: before, after: header.after)
    if index < frames.count { frames[index] = frame } else { frames.append(frame) }
  }

  private static func sums(in bytes: UnsafeRawBufferPointer, at offset: Int) -> PageChecksum.Sums {
    PageChecksum.Sums(
      first: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)),
      second: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)))
  }
}
