#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A terminal's second screen, on which pages replace each other.
///
/// Always true: after `close` the terminal shows what it showed before, with its cursor and its modes.
// Not Sendable: one task shows pages and waits for keys.
final class StatusScreen {
  private var original = termios()
  private var isOpen = false

  /// Keys come at once and are not shown; Control-C is a key.
  func open() throws {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return }
    var raw = original
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    isOpen = true
    try StandardOutput.write(Array("\u{1B}[?1049h\u{1B}[?25l".utf8), to: STDOUT_FILENO)
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    try? StandardOutput.write(Array("\u{1B}[?25h\u{1B}[?1049l".utf8), to: STDOUT_FILENO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original)
  }

  /// Each line replaces the one that was there, so that nothing flickers.
  func show(_ lines: [String]) {
    var page = "\u{1B}[H"
    for (index, line) in lines.enumerated() { page += (index > 0 ? "\r\n" : "") + line + "\u{1B}[K" }
    try? StandardOutput.write(Array((page + "\u{1B}[J").utf8), to: STDOUT_FILENO)
  }

  /// Waits for `seconds`; true if the person wants no more: q, Control-C, Control-D or Escape.
  func isDone(after seconds: Double) -> Bool {
    var left = ContinuousClock.now + .seconds(seconds)
    while true {
      let ms = max(0, Int32(((left - ContinuousClock.now) / .milliseconds(1)).rounded(.up)))
      var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wanted, 1, ms)
      if ready == 0 { return false }
      // A window that changed its size interrupts the wait: the next page fits it.
      guard ready > 0 else { return false }
      let keys = Terminal.read(upTo: 16)
      if keys.isEmpty || keys.contains(where: { [3, 4, 27, UInt8(ascii: "q"), UInt8(ascii: "Q")].contains($0) }) {
        return true
      }
      // Any other key asks for a page now.
      left = ContinuousClock.now
    }
  }
}
