/// How long the disk takes to sync a page, so that a test tells a server that is slow from a disk that stalls.
import Foundation
import MartletTestSupport
import Synchronization

final class DiskProbe: Sendable {
  private let isOver = Atomic(false)
  private let longest = Mutex(Duration.zero)

  /// Syncs a page over and over on a thread of its own, from `pause` on.
  init(folder: String, after pause: Duration) {
    let begin = ContinuousClock.now + pause
    Thread.detachNewThread { [self] in
      try? waitUntil { ContinuousClock.now >= begin || isOver.load(ordering: .acquiring) }
      let descriptor = open(folder + "/probe", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      let page = [UInt8](repeating: 1, count: 4_096)
      while descriptor >= 0, !isOver.load(ordering: .acquiring) {
        let before = ContinuousClock.now
        _ = page.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        fdatasync(descriptor)
        longest.withLock { $0 = max($0, ContinuousClock.now - before) }
        // It leaves the disk to the server meanwhile.
        usleep(1_000)
      }
    }
  }

  /// The longest that one took.
  func end() -> Duration {
    isOver.store(true, ordering: .releasing)
    return longest.withLock { $0 }
  }
}
