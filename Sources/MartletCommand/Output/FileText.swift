#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that a person named on the command line.
///
/// Always true: a file is read in pieces; what goes wrong is a sentence with the file's name.
enum FileText {
  static func read(_ path: String) throws -> String {
    var bytes: [UInt8] = []
    try forEachPiece(of: path) { bytes.append(contentsOf: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func forEachPiece(of path: String, _ body: ([UInt8]) throws -> Void) throws {
    var pieces = try FilePieces(path)
    while let piece = try pieces.next() { try body(piece) }
  }

  /// The file's size; throws if there is no such regular file.
  static func byteCount(of path: String) throws -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw CommandFailure.isFolder(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure.notAFile(path) }
    return Int(status.st_size)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  fileprivate static func failure(_ path: String) -> CommandFailure {
    CommandFailure.fileUnreadable(path)
  }
}

/// A file's bytes, piece by piece, for who has to wait between them.
struct FilePieces: ~Copyable {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileText.failure(path) }
  }

  deinit { close(descriptor) }

  /// Nil at the end.
  mutating func next() throws -> [UInt8]? {
    let piece = try [UInt8](unsafeUninitializedCapacity: CommandLimits.filePieceBytes) { buffer, initialized in
      var count: Int
      repeat {
        #if canImport(Glibc)
          count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
      } while count < 0 && errno == EINTR
      guard count >= 0 else { throw FileText.failure(path) }
      initialized = count
    }
    return piece.isEmpty ? nil : piece
  }
}
