import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct DiskGuardTests {
  /// What an engine told its operator, and how much the disk of the test has left.
  private final class Disk: Sendable {
    let free = Atomic<UInt64>(0)
    let looks = Atomic<Int>(0)
    private let notices = Mutex<[EngineNotice]>([])

    var told: [EngineNotice] { notices.withLock { $0 } }

    func tell(_ notice: EngineNotice) { notices.withLock { $0.append(notice) } }

    func guardOf(_ bytesMin: Int) -> DiskGuard {
      DiskGuard(database: "shop", bytesMin: bytesMin, report: tell) {
        self.looks.add(1, ordering: .relaxed)
        return self.free.load(ordering: .relaxed)
      }
    }
  }

  @Test func `writes stop while the disk is almost full and resume by themselves`() {
    let disk = Disk()
    let writes = disk.guardOf(1_000)
    let clock = ManualClock()
    // Free bytes at a look, and whether a write is refused then. It takes an eighth more before writes begin again.
    let course: [(free: UInt64, isRefused: Bool)] = [
      (1_000, false), (999, true), (0, true), (1_000, true), (1_124, true), (1_125, false), (1_000, false),
      (999, true), (.max, false), (0, true),
    ]
    for (free, isRefused) in course {
      clock.advance(milliseconds: EngineLimits.diskLookMs)
      disk.free.store(free, ordering: .relaxed)
      #expect((writes.refusal(at: clock.now) != nil) == isRefused, "with \(free) bytes free")
    }
    #expect(disk.looks.load(ordering: .relaxed) == course.count)
    #expect(disk.told.map(\.level) == [.error, .notice, .error, .notice, .error])
    #expect(disk.told.first?.text.contains("999 bytes are free, and 1000 are kept free") == true)
  }

  @Test func `between two looks each write is refused, and nothing is told again`() {
    let disk = Disk()
    let writes = disk.guardOf(1)
    let clock = ManualClock()
    for _ in 0..<100 { #expect(writes.refusal(at: clock.now)?.isRetryable == true) }
    #expect(disk.looks.load(ordering: .relaxed) == 1)
    #expect(disk.told.count == 1)
  }

  @Test func `nothing is refused if no bytes are to be kept free`() {
    let disk = Disk()
    #expect(disk.guardOf(0).refusal(at: ManualClock().now) == nil)
    #expect(disk.guardOf(-1).refusal(at: ManualClock().now) == nil)
  }
}
