/// The built `martlet` at a terminal of a test's own: keys in, the screen's bytes out.
///
/// Always true: a wait ends within a minute and fails then; the program is killed when the value goes.
import Foundation
import MartletTestSupport
import Synchronization
import Testing

final class PseudoTerminal {
  /// What the program wrote; the thread that reads keeps it and not the terminal, which can go meanwhile.
  private final class Screen: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  private let process = Process()
  private let main: Int32
  private let screen = Screen()
  /// Where the next wait begins to look.
  private var position = 0

  init(_ arguments: [String], columns: UInt16 = 80, environment: [String: String] = [:]) throws {
    var (main, other): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&main, &other, nil, nil, &size) == 0)
    self.main = main
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let handle = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    try handle.close()
    let descriptor = main
    let thread = Thread { [screen] in
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        screen.bytes.withLock { $0.append(contentsOf: buffer[..<count]) }
      }
    }
    thread.start()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(main)
  }

  func type(_ keys: String) {
    var bytes = Array(keys.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(main, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// It does nothing until `resume`, as on a machine that has other things to do.
  func pause() { kill(process.processIdentifier, SIGSTOP) }

  func resume() { kill(process.processIdentifier, SIGCONT) }

  func interrupt() { signal(SIGINT) }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// What came since the last wait, up to and with `text`.
  @discardableResult
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let wanted = Array(text.utf8)
    var found = ""
    do {
      try waitUntil {
        let bytes = screen.bytes.withLock { Array($0[position...]) }
        guard let range = bytes.firstRange(of: wanted) else { return false }
        position += range.upperBound
        found = String(decoding: bytes[..<range.upperBound], as: UTF8.self)
        return true
      }
    } catch is NeverMet {
      // There may be megabytes of it.
      let rest = screen.bytes.withLock { String(decoding: $0[position...].suffix(2_000), as: UTF8.self) }
      Issue.record(
        "\(text.debugDescription) did not come; the last that came: \(rest.debugDescription)",
        sourceLocation: sourceLocation)
      throw CancellationError()
    }
    return found
  }

  /// The exit status. One that does not end within a minute is killed, and has that status.
  func end() -> Int32 {
    let watchdog = DispatchWorkItem { [process] in kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
    process.waitUntilExit()
    watchdog.cancel()
    return process.terminationStatus
  }
}
