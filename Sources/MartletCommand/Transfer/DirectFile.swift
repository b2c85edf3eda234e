#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Something that is there and takes bytes as they come: a named pipe, a device, or a file that this process has open.
///
/// Always true: nothing of its name is made, replaced or taken away.
final class DirectFile {
  let descriptor: Int32
  private let isOwn: Bool

  private init(_ descriptor: Int32, isOwn: Bool) {
    self.descriptor = descriptor
    self.isOwn = isOwn
  }

  deinit { if isOwn { close(descriptor) } }

  /// Whether the path stands for something of this kind; what else is there is a file that is not overwritten.
  static func isOne(_ path: String) -> Bool {
    if number(of: path) != nil { return true }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Waits until somebody reads a pipe. Nil if the path stands for nothing of this kind.
  static func open(_ path: String) async throws -> DirectFile? {
    if let number = number(of: path) { return DirectFile(number, isOwn: false) }
    guard isOne(path) else { return nil }
    while true {
      // A pipe that nobody reads yet would hold up the whole thread, and Control-C with it.
      let descriptor = openAtOnce(path)
      if descriptor >= 0 { return DirectFile(descriptor, isOwn: true) }
      guard errno == ENXIO || errno == EINTR else { throw CommandFailure.fileUnwritable(path) }
      try await Task.sleep(for: .milliseconds(CommandLimits.readerLookMs))
    }
  }

  private static func openAtOnce(_ path: String) -> Int32 {
    #if canImport(Glibc)
      let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    #else
      let descriptor = Darwin.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    #endif
    // From here on writing waits for the reader.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    return descriptor
  }

  /// The open file that a path of the system stands for. Opening that anew would begin at its start.
  private static func number(of path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }
}
