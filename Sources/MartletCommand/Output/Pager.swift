import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a person reads page by page: a result that is longer than the screen goes to `less`.
///
/// Always true: what fits the screen is printed as it is; nothing is started before there is more, and no more than a
/// screen is held. When the person leaves the pager, the rest of the result is not wanted.
// Not Sendable: one result is written by one task.
final class Pager {
  /// The person has left.
  struct Closed: Error {}

  private let command: String
  private let linesMax: Int
  private let columns: Int
  private var held: [UInt8] = []
  private var lines = 0
  private var stream: UnsafeMutablePointer<FILE>?
  /// How long the pager kept the writer waiting.
  private(set) var waited = Duration.zero

  /// What the environment asks for: `MARTLET_PAGER`, `PAGER`, or less, if it is installed.
  static func command(_ environment: (String) -> String?) -> String? {
    for name in ["MARTLET_PAGER", "PAGER"] {
      if let command = environment(name) { return command.isEmpty || command == "cat" ? nil : command }
    }
    let folders = (environment("PATH") ?? "").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }

  /// Whether the program that a command begins with is there. What is more than a word, such as `(less)`, is left to
  /// the shell that runs it.
  static func isThere(_ command: String, _ environment: (String) -> String?) -> Bool {
    let words = command.split(whereSeparator: \.isWhitespace)
    // Variables for the program may stand before it.
    guard let program = words.first(where: { !$0.contains("=") }), !["exec", "command", "eval"].contains(program),
      program.utf8.allSatisfy({ SQLTokens.isWordByte($0) || "./+-".utf8.contains($0) })
    else { return true }
    if program.contains("/") { return access(String(program), X_OK) == 0 }
    let folders = (environment("PATH") ?? "").split(separator: ":")
    return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  init(command: String, lines: Int, columns: Int) {
    self.command = command
    linesMax = max(1, lines - 1)
    self.columns = max(1, columns)
  }

  /// Throws `Closed` if the person has left.
  func write(_ bytes: [UInt8]) throws {
    if stream != nil { return try timed { try send(bytes) } }
    held += bytes
    lines += Self.lines(of: bytes, columns: columns)
    guard lines > linesMax else { return }
    // Whoever leaves the pager ends the writing, and not this program.
    signal(SIGPIPE, SIG_IGN)
    setenv("LESS", "FRX", 0)
    stream = popen(command, "w")
    let first = held
    held = []
    try timed { try stream == nil ? StandardOutput.write(first, to: STDOUT_FILENO) : send(first) }
  }

  private func timed(_ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    defer { waited += ContinuousClock.now - start }
    try body()
  }

  /// Prints what was held, or waits until the person has left.
  func finish() throws {
    if let stream {
      self.stream = nil
      timed { _ = pclose(stream) }
    } else {
      try StandardOutput.write(held, to: STDOUT_FILENO)
    }
    held = []
  }

  private func send(_ bytes: [UInt8]) throws {
    guard let stream else { return }
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.write(fileno(stream), bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        #else
          Darwin.write(fileno(stream), bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        #endif
      }
      if count > 0 {
        offset += count
      } else if errno != EINTR {
        throw Closed()
      }
    }
  }

  /// Lines of the screen; what is wider than it takes several.
  static func lines(of bytes: [UInt8], columns: Int) -> Int {
    var count = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      // Most lines are shorter in bytes already.
      let width = line.count <= columns ? line.count : DisplayWidth.of(String(decoding: line, as: UTF8.self))
      count += max(1, (width + columns - 1) / columns)
    }
    return count
  }

  deinit { if let stream { pclose(stream) } }
}
