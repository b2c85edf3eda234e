import Foundation

/// What a database's file is encrypted with: a passphrase, or the key itself.
///
/// A text of the form `x'…'` with 64 hexadecimal digits is the key itself. Anything else is a passphrase, from which
/// each connection derives the key when it opens, which takes it a quarter of a second or so.
///
/// Always true: it holds at least one byte and at most 4,096, and neither its description nor a dump shows them.
public struct DatabaseKey: Sendable, Equatable {
  package let bytes: [UInt8]

  /// The most bytes that a key may have.
  public static let longest = ValueLimits.keyBytesMax

  /// Throws `RequestError` for an empty text and for one of more than 4,096 bytes of UTF-8.
  public init(_ text: String) throws(RequestError) { try self.init(bytes: Array(text.utf8)) }

  /// Throws `RequestError` for no byte and for more than 4,096.
  public init(bytes: [UInt8]) throws(RequestError) {
    guard (1...Self.longest).contains(bytes.count) else {
      throw .keyLength(bytes.count, longest: Self.longest)
    }
    self.bytes = bytes
  }

  /// The first line of a file, without the end of the line. Throws `RequestError` if the file cannot be read, if others
  /// than its owner may read it, and if the line is empty or too long.
  public init(file path: String) throws(RequestError) {
    var status = stat()
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .keyFileUnreadable(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .keyFileUnreadable(path, "It is no regular file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .keyFileOpenToOthers(path)
    }
    var content = [UInt8](repeating: 0, count: Self.longest + 2)
    var length = 0
    while length < content.count {
      let count = content.withUnsafeMutableBytes { bytes in
        read(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[length...]).baseAddress, bytes.count - length)
      }
      guard count >= 0 else { throw .keyFileUnreadable(path, String(cString: strerror(errno))) }
      if count == 0 { break }
      length += count
    }
    var line = content[..<length].prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    try self.init(bytes: Array(line))
  }
}

extension DatabaseKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a key" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
