import Foundation
import MartletEngine
import MartletThreads

/// Lines of the log on their way to standard error, which a thread of its own writes.
///
/// Always true: `write` waits for nobody, so a pipe that nobody reads, or a disk that stalls, holds up no request. At
/// most `bytesMax` bytes wait behind those that are being written; lines beyond them are left out, counted, and the log
/// says how many once the others have been written. Lines are whole and in order.
final class LogOutput: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    /// Lines that were left out since the log was last told.
    var leftOut = 0
    var isWriting = false
    /// What was left out is being told, which has its place beyond the others.
    var isTelling = false
    var hasThread = false
  }

  /// What the thread does next.
  private enum Work {
    case write([UInt8])
    case tell(leftOut: Int)
  }

  private let state = Monitor(State())
  private let descriptor: Int32
  private let bytesMax: Int
  private let tell: @Sendable (_ leftOut: Int) -> Void

  /// `tell` makes the line that says how many lines were left out, and writes it here; it is called on the thread that
  /// writes.
  init(
    descriptor: Int32, bytesMax: Int = CommandLimits.logBytesMax, tell: @escaping @Sendable (_ leftOut: Int) -> Void
  ) {
    self.descriptor = descriptor
    self.bytesMax = bytesMax
    self.tell = tell
  }

  /// From any thread. Returns at once.
  func write(_ line: some Collection<UInt8>) {
    let startsThread = state.change { state -> Bool in
      if state.waiting.count + line.count <= bytesMax || state.isTelling {
        state.waiting += line
      } else {
        state.leftOut += 1
      }
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if startsThread { ThreadStarter.shared.start(named: "martlet-log") { [self] in work() } }
  }

  /// Waits until all lines have been written, but no longer than that.
  func flush(withinMs ms: Int) {
    // The system may not have had the thread.
    ThreadStarter.shared.tryAgain()
    let deadline = DispatchTime.now().uptimeNanoseconds &+ UInt64(max(0, ms)) &* 1_000_000
    state.wait { state -> Monitor<State>.Look<Void> in
      if state.waiting.isEmpty, state.leftOut == 0, !state.isWriting { return .found(()) }
      let now = DispatchTime.now().uptimeNanoseconds
      return now >= deadline ? .found(()) : .wait(nanoseconds: deadline - now)
    }
  }

  private func work() {
    while true {
      switch next() {
      // Lines that cannot be written have nowhere else to go; the next ones may find a reader, or room.
      case .write(let lines): try? StandardOutput.write(lines, to: descriptor)
      case .tell(let leftOut): tell(leftOut)
      }
      state.change { state in
        state.isWriting = false
        state.isTelling = false
      }
    }
  }

  private func next() -> Work {
    state.wait { state -> Monitor<State>.Look<Work> in
      if !state.waiting.isEmpty {
        defer { state.waiting = [] }
        state.isWriting = true
        return .found(.write(state.waiting))
      }
      guard state.leftOut > 0 else { return .wait(nanoseconds: nil) }
      defer { state.leftOut = 0 }
      state.isWriting = true
      state.isTelling = true
      return .found(.tell(leftOut: state.leftOut))
    }
  }
}

extension LogOutput {
  /// A log's lines as a stream of text.
  struct Stream: TextOutputStream, Sendable {
    let output: LogOutput

    func write(_ string: String) { output.write(string.utf8) }
  }
}
