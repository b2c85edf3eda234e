import MartletSQLite
import Synchronization

/// How much memory one server of this process may use for what others ask of it.
///
/// Always true: the largest of the claims that there are is the process's `MemoryBudget`; the last one that goes leaves
/// it as it is.
public final class MemoryClaim: Sendable {
  private static let claims = Mutex<[ObjectIdentifier: Int]>([:])

  public init(bytes: Int) { change(toBytes: bytes) }

  deinit { Self.set(nil, for: ObjectIdentifier(self)) }

  /// Holds for what is asked for from now on: what is held already stays, also if it is more.
  public func change(toBytes bytes: Int) { Self.set(bytes, for: ObjectIdentifier(self)) }

  private static func set(_ bytes: Int?, for claim: ObjectIdentifier) {
    claims.withLock { claims in
      claims[claim] = bytes
      if let largest = claims.values.max() { ProcessMemory.setLimit(bytes: largest) }
    }
  }
}
