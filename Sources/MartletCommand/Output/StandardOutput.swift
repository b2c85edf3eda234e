import ArgumentParser

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bytes to standard output or standard error, in large pieces.
///
/// Always true: nothing is kept beyond `flush`; a reader that went away ends the program without a word and
/// with the exit code 141, as in any pipe.
struct StandardOutput {
  /// Printers append here.
  var buffer: [UInt8] = []
  private let descriptor: Int32
  /// What is written holds what others have written, which must not steer a terminal.
  private let isOfOthers: Bool
  private let isTemporary: Bool

  /// `steersTerminal`: what is written is this program's own. `isTemporary`: it goes into a scratch file.
  init(descriptor: Int32 = STDOUT_FILENO, steersTerminal: Bool = false, isTemporary: Bool = false) {
    self.descriptor = descriptor
    isOfOthers = !steersTerminal
    self.isTemporary = isTemporary
  }

  /// What the program ends with if nobody reads its output any more, as the signal would end it.
  static let readerLeft = ExitCode(128 + SIGPIPE)

  mutating func write(_ text: some StringProtocol) { buffer.append(contentsOf: text.utf8) }

  mutating func flushIfLarge() throws {
    if buffer.count >= CommandLimits.outputPieceBytes { try flush() }
  }

  mutating func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    let isShown = isOfOthers && isatty(descriptor) == 1
    try Self.write(isShown ? ShownText.onTerminal(buffer) : buffer, to: descriptor, isTemporary: isTemporary)
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, isTemporary: Bool = false) throws {
    var offset = 0
    try bytes.withUnsafeBytes { bytes in
      while offset < bytes.count {
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        #else
          let count = Darwin.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        #endif
        if count > 0 {
          offset += count
        } else if errno == EAGAIN {
          // Whoever made the pipe may have made it so that it waits for nobody.
          var pipe = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&pipe, 1, -1)
        } else if errno != EINTR {
          if errno == EPIPE { throw readerLeft }
          throw isTemporary ? CommandFailure.temporaryFileUnwritable : CommandFailure.outputUnwritable
        }
      }
    }
  }

  /// A message for people, beside the output. One that cannot be written has nowhere else to go.
  static func complain(_ text: String) {
    try? write(Array(text.utf8), to: STDERR_FILENO)
  }

  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
