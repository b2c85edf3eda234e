#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard input as a file, for what has to be read twice.
///
/// Always true: the file stands in a folder that only this user can read, and both are gone when the value is.
final class StandardInputFile {
  private let folder: ScratchFolder

  var path: String { folder.file("input") }

  /// Reads standard input to its end.
  init() throws {
    folder = try ScratchFolder()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure.noTemporaryFile
    }
    defer { close(descriptor) }
    while case let piece = try Terminal.readInput(upTo: CommandLimits.filePieceBytes), !piece.isEmpty {
      try StandardOutput.write(piece, to: descriptor, isTemporary: true)
    }
  }
}
