import Synchronization

/// A sum of bytes that many take from and give back to.
///
/// Always true: never more is taken than there is.
final class ByteBudget: Sendable {
  private let bytesMax: Int
  private let taken = Atomic<Int>(0)

  init(bytesMax: Int) { self.bytesMax = max(0, bytesMax) }

  /// False if less than that is left.
  func take(_ bytes: Int) -> Bool {
    guard bytes > 0 else { return true }
    let (before, _) = taken.add(bytes, ordering: .relaxed)
    if before <= bytesMax - bytes { return true }
    giveBack(bytes)
    return false
  }

  func giveBack(_ bytes: Int) { if bytes > 0 { taken.subtract(bytes, ordering: .relaxed) } }

  // MARK: - For tests

  var takenBytes: Int { taken.load(ordering: .relaxed) }
}
