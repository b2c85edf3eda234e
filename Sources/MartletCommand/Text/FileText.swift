/// Files that a person named on the command line.
///
/// Always true: a file is read in pieces; what goes wrong is a sentence with the file's name.
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum FileText {
  private static let pieceBytes = 256 << 10

  static func read(_ path: String) throws -> String {
    var bytes: [UInt8] = []
    try forEachPiece(of: path) { bytes.append(contentsOf: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func forEachPiece(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
      #else
        let count = Darwin.read(descriptor, piece.baseAddress, piece.count)
      #endif
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
  }

  /// The file's size; throws where there is no such regular file.
  static func byteCount(of path: String) throws -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure("\(path) is not a file.") }
    return Int(status.st_size)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure("The file \(path) cannot be read: \(String(cString: strerror(errno))).")
  }
}
