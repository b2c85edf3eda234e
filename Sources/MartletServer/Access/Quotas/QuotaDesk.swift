internal import MartletValues
internal import Synchronization

/// The ledger of all loops, behind a lock that is held for a few additions.
///
/// Always true: only sessions whose role has such a quota come here.
final class QuotaDesk: Sendable {
  private let ledger = Mutex(QuotaLedger())

  func enter(_ place: QuotaPlace, now: MonotonicTime) -> RequestError? {
    ledger.withLock { $0.entered(place, now: now) }
  }

  func leave(_ place: QuotaPlace, inFlight: Int, now: MonotonicTime) {
    ledger.withLock { $0.left(place, inFlight: inFlight, now: now) }
  }

  func move(
    from old: QuotaPlace?, inFlight was: Int, to new: QuotaPlace?, inFlight: Int, now: MonotonicTime
  ) {
    ledger.withLock { $0.moved(from: old, inFlight: was, to: new, inFlight: inFlight, now: now) }
  }

  func arrive(
    _ place: QuotaPlace, tokens: Int, inFlight: Int, mustPass: Bool, now: MonotonicTime
  ) -> RequestError? {
    ledger.withLock { $0.arrived(place, tokens: tokens, inFlight: inFlight, mustPass: mustPass, now: now) }
  }

  func changeInFlight(_ place: QuotaPlace, by difference: Int) {
    ledger.withLock { $0.inFlightChanged(place, by: difference) }
  }

  /// The connections and requests of everybody that are counted now.
  var total: (connections: Int, inFlight: Int) { ledger.withLock { $0.total } }

  // MARK: - For tests

  var subjectCount: Int { ledger.withLock { $0.subjectCount } }
}
