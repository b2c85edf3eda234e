import MartletSQLite
import Synchronization

/// What one connection holds of the process's memory, on whichever thread.
///
/// Always true: the process hears of it in whole steps, so that a connection with small requests never touches what all
/// share; a closed account holds nothing, and what is still given back to it is ignored.
package final class MemoryAccount: Sendable {
  /// What a closed account is set to: so far below 0 that it stays there, whatever is still given back.
  private static let closed = Int.min / 2

  private let used = Atomic<Int>(0)

  package init() {}

  deinit { close() }

  package var usedBytes: Int { max(0, used.load(ordering: .relaxed)) }

  /// Whether the holder may have `bytes` more. Nothing is taken.
  package func hasRoom(forBytes bytes: Int) -> Bool { usedBytes &+ bytes <= MemoryBudget.allowanceBytes }

  /// Counts `bytes` more, or fewer if the number is below 0, that are held whatever the budget says.
  package func add(_ bytes: Int) {
    guard bytes != 0 else { return }
    let (before, after) = used.add(bytes, ordering: .relaxed)
    // A closed account has given everything back already.
    guard before >= 0 else { return }
    let steps = max(0, after) / EngineLimits.memoryStepBytes - before / EngineLimits.memoryStepBytes
    if steps != 0 { ProcessMemory.hold(steps * EngineLimits.memoryStepBytes) }
  }

  /// Counts `bytes` more if there is room for them; otherwise false.
  package func take(_ bytes: Int) -> Bool {
    guard hasRoom(forBytes: bytes) else { return false }
    add(bytes)
    return true
  }

  /// The connection is gone, and everything that it held.
  package func close() {
    let before = used.exchange(Self.closed, ordering: .relaxed)
    if before > 0 { ProcessMemory.hold(-(before / EngineLimits.memoryStepBytes) * EngineLimits.memoryStepBytes) }
  }
}

/// A part of an account that a result holds until the last of its rows has left.
///
/// Always true: used by one thread at a time; given back once, when the result goes.
final class MemoryHold: @unchecked Sendable {  // unchecked because a result is handed over and never shared
  private let account: MemoryAccount
  private var bytes = 0

  init(_ account: MemoryAccount) { self.account = account }

  deinit { account.add(-bytes) }

  /// Holds `total` bytes from now on; false if there is no room for what is more than before.
  func grow(toBytes total: Int) -> Bool {
    let more = total - bytes
    guard more > 0 else { return true }
    guard account.take(more) else { return false }
    bytes = total
    return true
  }

  /// One hold for all of them.
  static func joining(_ holds: [MemoryHold]) -> MemoryHold? {
    guard let first = holds.first else { return nil }
    for other in holds.dropFirst() {
      first.bytes += other.bytes
      other.bytes = 0
    }
    return first
  }

  /// Holds `less` bytes less.
  func shrink(byBytes less: Int) {
    let less = min(max(0, less), bytes)
    bytes -= less
    account.add(-less)
  }
}
