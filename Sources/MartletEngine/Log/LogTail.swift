import Foundation

/// How large a database is with what stands in its write-ahead log only, as the last commit there says it.
///
/// Always true: the log is only read, and no lock of SQLite's is touched, since it locks no log; whatever the bytes
/// are, the reading ends after a bounded number of looks.
enum LogTail {
  // Where SQLite's format of a log has what: its header, and what stands before each page.
  private static let header = 32
  private static let frameHeader = 24
  private static let pageSizeOffset = 8
  private static let saltOffset = 16

  /// Nil if the log holds no commit, or cannot be read.
  static func databaseBytes(logAt path: String) -> Int64? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let status = FileStatus.of(descriptor: descriptor), status.kind == .file else { return nil }
    return databaseBytes(logBytes: status.bytes) { offset, count in
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }
  }

  /// `read` gives so many bytes from an offset on; nil if they are not there.
  static func databaseBytes(logBytes: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]?) -> Int64? {
    guard let top = read(0, header) else { return nil }
    let pageBytes = number(top[pageSizeOffset...])
    guard (512...65_536).contains(pageBytes) else { return nil }
    let frameBytes = Int64(frameHeader) + pageBytes
    let salts = top[saltOffset..<saltOffset + 8]
    // The database's pages after the commit whose last frame it is, and 0 for any other frame. Nil: it is left over
    // from the log that this one overwrites.
    func pages(ofFrame index: Int64) -> Int64? {
      guard let bytes = read(Int64(header) + index * frameBytes, 16), bytes[8...].elementsEqual(salts) else {
        return nil
      }
      return number(bytes[4...])
    }
    var (first, end) = (Int64(0), max(0, (logBytes - Int64(header)) / frameBytes))
    while first < end {
      let middle = first + (end - first) / 2
      if pages(ofFrame: middle) == nil { end = middle } else { first = middle + 1 }
    }
    // Behind the last commit there may be frames of one that is under way.
    for index in stride(from: end - 1, through: max(0, end - EngineLimits.logTailFramesMax), by: -1) {
      if let pages = pages(ofFrame: index), pages > 0 { return pages * pageBytes }
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.prefix(4).reduce(0) { $0 << 8 | Int64($1) } }
}
