/// Writes to the log that are on their way to its file: what lies end to end goes there as one write.
///
/// Always true: what waits is one piece without holes, of at most `SQLiteLimits.frameBufferBytesMax` bytes. After a
/// write that failed nothing that lies behind it is taken any more, because SQLite believes that it is there; that ends
/// when SQLite has rolled back, and appends a frame at or before the place.
struct FrameBuffer {
  private var start: Int64 = 0
  private var bytes: [UInt8] = []
  /// Where a write failed, and how.
  private var failure: (offset: Int64, code: Int32)?

  /// Before anything is written at `offset`: the code with which it must fail; nil if it may go on. `isAppended`: it
  /// begins a frame or the log. A write over the page of an existing frame does not mean that SQLite rolled back.
  mutating func refusal(at offset: Int64, isAppended: Bool) -> Int32? {
    guard let failure else { return nil }
    if offset > failure.offset { return failure.code }
    if isAppended { self.failure = nil }
    return nil
  }

  /// False if the bytes do not follow what waits, or there is no room: what waits has to be written first.
  mutating func take(_ new: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    if bytes.isEmpty { start = offset }
    guard offset == start + Int64(bytes.count), bytes.count + new.count <= SQLiteLimits.frameBufferBytesMax else {
      return false
    }
    bytes.append(contentsOf: new)
    return true
  }

  /// Hands what waits to `write`, which returns SQLite's code.
  mutating func empty(into write: (UnsafeRawBufferPointer, _ offset: Int64) -> Int32) -> Int32 {
    if bytes.isEmpty { return 0 }
    let code = bytes.withUnsafeBytes { write($0, start) }
    if code != 0 { failure = (start, code) }
    bytes.removeAll(keepingCapacity: bytes.capacity <= SQLiteLimits.keptFrameBytesMax)
    return code
  }
}
