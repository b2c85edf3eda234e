import Foundation
import Synchronization

/// Files and folders that go with the program if a signal ends it before they are complete.
///
/// Always true: a signal that would have ended the program ends it all the same, with 128 and its number as the status;
/// one that is ignored (as by `nohup`) or has another use here stays so. The handler itself only writes a byte to a
/// pipe, which is all that a signal handler may do; a thread that waits at the pipe does the rest.
final class UnfinishedFiles: Sendable {
  private static let shared = UnfinishedFiles()
  /// Where the signal handler finds the pipe; a handler can capture nothing.
  private static let writeEnd = Atomic<Int32>(-1)

  private let paths = Mutex<Set<String>>([])
  private let readEnd: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    readEnd = ends[0]
    Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    let thread = Thread { [self] in waitForSignal() }
    thread.name = "signals"
    thread.start()
  }

  /// Something is about to be made at `path`, or is being made there.
  static func began(_ path: String) {
    shared.paths.withLock { _ = $0.insert(path) }
    for number in [SIGINT, SIGTERM, SIGHUP] { listen(to: number) }
  }

  /// It is complete, or gone.
  static func ended(_ path: String) { shared.paths.withLock { _ = $0.remove(path) } }

  private static func listen(to number: Int32) {
    let previous = signal(number) { number in
      let end = UnfinishedFiles.writeEnd.load(ordering: .relaxed)
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(end, &byte, 1)
    }
    // It did not end the program before either.
    if previous != nil { _ = signal(number, previous) }
  }

  private func waitForSignal() {
    var byte: UInt8 = 0
    guard read(readEnd, &byte, 1) == 1 else { return }
    // Nothing more is begun: the lock is kept until the end.
    paths.withLock { paths in
      for path in paths { try? FileManager.default.removeItem(atPath: path) }
      _exit(128 + Int32(byte))
    }
  }
}
