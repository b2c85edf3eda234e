#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard input as a file, for what has to be read twice.
///
/// Always true: the file stands in a folder that only this user can read, and both are gone when the value is.
final class StandardInputFile {
  private let folder: String

  var path: String { folder + "/input" }

  /// Reads standard input to its end.
  init() throws {
    var template = Array(((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/martlet-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandFailure("No temporary directory could be made: \(String(cString: strerror(errno))).")
    }
    folder = String(cString: made)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure("No temporary file could be made: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    while case let piece = Terminal.read(upTo: 256 << 10), !piece.isEmpty {
      try StandardOutput.write(piece, to: descriptor)
    }
  }

  deinit {
    unlink(path)
    rmdir(folder)
  }
}
