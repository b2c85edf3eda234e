import Synchronization

/// How long the copy of the log into the database's file takes, as the copies before it took.
///
/// It rises quickly and falls slowly, because what is owed is better said too high than too low.
///
/// Always true: between `EngineLimits.copyPicosecondsMin` and `copyPicosecondsMax` for a byte, so that one copy that
/// was held up, or that only met memory, does not decide.
final class CopyPace: Sendable {
  private let picosecondsPerByte = Atomic<UInt64>(EngineLimits.copyPicosecondsFirst)

  /// The log was copied. What is copied in a moment tells nothing.
  func copied(bytes: Int, nanoseconds: UInt64) {
    guard bytes >= EngineLimits.copyBytesTold else { return }
    let (picoseconds, overflow) = nanoseconds.multipliedReportingOverflow(by: 1_000)
    let seen = overflow ? EngineLimits.copyPicosecondsMax : picoseconds / UInt64(bytes)
    let bounded = min(max(seen, EngineLimits.copyPicosecondsMin), EngineLimits.copyPicosecondsMax)
    let before = picosecondsPerByte.load(ordering: .relaxed)
    // Small copies that only met memory come often, and large ones that met the disk seldom.
    let next = bounded > before ? before + (bounded - before) / 2 : before - (before - bounded) / 16
    picosecondsPerByte.store(next, ordering: .relaxed)
  }

  /// How long others will wait after a transaction that has written so much: its commit brings it to the disk, and then
  /// it is copied.
  func nanoseconds(owedFor bytes: Int) -> UInt64 {
    let pace = picosecondsPerByte.load(ordering: .relaxed)
    let (picoseconds, overflow) = UInt64(max(0, bytes)).multipliedReportingOverflow(by: 2 &* pace)
    return overflow ? .max : picoseconds / 1_000
  }
}
