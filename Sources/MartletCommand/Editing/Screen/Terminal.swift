import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The terminal that a person types into: raw mode, width, bytes.
///
/// Always true: the terminal is in raw mode only while a line is being read, so that Control-C stops a running
/// statement and whatever ends the program leaves the terminal as it was.
struct Terminal {
  private static let columnsDefault = 80

  /// The terminal's width in cells.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return columnsDefault }
    return Int(size.ws_col)
  }

  /// The terminal's height in lines.
  static var rows: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return rowsDefault }
    return Int(size.ws_row)
  }

  private static let rowsDefault = 24

  /// Runs `body` with the terminal handing over every key at once.
  static func withRawMode<Result>(_ body: () throws -> Result) throws -> Result {
    var original = termios()
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return try body() }
    var raw = original
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &original) }
    return try body()
  }

  /// Control-Z: this program stands still, with all that runs with it, until a person brings it back.
  static func suspend() {
    goesOn.store(false, ordering: .sequentiallyConsistent)
    let previous = signal(SIGCONT) { _ in Terminal.goesOn.store(true, ordering: .relaxed) }
    kill(0, SIGTSTP)
    // Another thread may take the signal, and this one must draw nothing before all of them stand. Nothing stands where
    // nobody could bring it back.
    for _ in 0..<CommandLimits.suspendLooksMax where !goesOn.load(ordering: .relaxed) {
      usleep(CommandLimits.suspendLookMicroseconds)
    }
    _ = signal(SIGCONT, previous)
  }

  /// A handler of signals can capture nothing.
  private static let goesOn = Atomic(false)

  /// Asks the terminal to mark what is pasted, so that it can be told from keys; one that cannot ignores it.
  static var pasteMarksOn: String { isDumb ? "" : "\u{1B}[?2004h" }
  static var pasteMarksOff: String { isDumb ? "" : "\u{1B}[?2004l" }

  /// It knows no escape sequences.
  static var isDumb: Bool { getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true }

  /// Whether something more is typed within this time.
  static func hasInput(withinMs milliseconds: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) != 0
  }

  /// Up to `count` bytes that a person typed; empty at the end, or if the terminal is gone.
  static func read(upTo count: Int) -> [UInt8] { (try? readInput(upTo: count)) ?? [] }

  /// Up to `count` bytes from standard input; empty at its end. Throws if it cannot be read, which is no end.
  static func readInput(upTo count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var result: Int
      repeat {
        #if canImport(Glibc)
          result = Glibc.read(STDIN_FILENO, buffer.baseAddress, count)
        #else
          result = Darwin.read(STDIN_FILENO, buffer.baseAddress, count)
        #endif
      } while result < 0 && errno == EINTR
      guard result >= 0 else {
        throw CommandFailure.standardInputUnreadable
      }
      initialized = result
    }
  }
}
