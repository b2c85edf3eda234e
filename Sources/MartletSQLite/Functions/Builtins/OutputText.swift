import CSQLite

/// Bytes of a result as they gather, in memory that SQLite can take over.
///
/// Always true: it never holds more than `bytesMax`; what does not fit, or for which there is no memory, is noted and
/// no byte more is taken.
struct OutputText: ~Copyable {
  enum Failure { case tooBig, noMemory }

  private(set) var failure: Failure?
  private(set) var count = 0
  private var capacity = 0
  private var start: UnsafeMutablePointer<UInt8>?
  private let bytesMax: Int

  init(bytesMax: Int, expected: Int = 0) {
    self.bytesMax = bytesMax
    if expected > 0 { grow(to: min(expected, bytesMax)) }
  }

  deinit { sqlite3_free(start) }

  var last: UInt8? { count > 0 ? start?[count - 1] : nil }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0, reserve(bytes.count), let start, let source = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(_ byte: UInt8) {
    guard reserve(1), let start else { return }
    start[count] = byte
    count += 1
  }

  mutating func append(_ literal: StaticString) {
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// What has gathered, for the time of the call.
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Makes room for `more` bytes; false if there can be none.
  private mutating func reserve(_ more: Int) -> Bool {
    guard failure == nil else { return false }
    let needed = count + more
    if needed <= capacity { return true }
    guard needed <= bytesMax else {
      failure = .tooBig
      return false
    }
    grow(to: min(max(needed, capacity * 2, 64), bytesMax))
    return failure == nil
  }

  private mutating func grow(to wanted: Int) {
    // One more, because a text of no bytes is memory too.
    guard let grown = sqlite3_realloc64(start, UInt64(wanted) + 1) else {
      failure = .noMemory
      return
    }
    // Bytes of this value because nobody else has the memory.
    start = grown.assumingMemoryBound(to: UInt8.self)
    capacity = wanted
  }

  /// The memory, which is the caller's from here on; nil if something did not fit or memory was short.
  consuming func take() -> (UnsafeMutablePointer<CChar>, Int)? {
    if start == nil { grow(to: 1) }
    guard failure == nil, let taken = start else { return nil }
    start = nil
    // Bytes may be read as characters of C because a character of C is one byte too.
    return (UnsafeMutableRawPointer(taken).assumingMemoryBound(to: CChar.self), count)
  }
}
