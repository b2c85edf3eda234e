internal import Synchronization

/// Connections that were turned away before they could say who they are, until the audit log is told of them.
///
/// Always true: however many they are, the log gets one line for each cause whenever it is told.
final class RefusedConnections: Sendable {
  enum Cause: String, Sendable, CaseIterable {
    /// There are as many as `connections-max` allows.
    case connections
    /// The process has no descriptor left.
    case descriptors
    /// Too many handshakes run, or one address begins too many.
    case handshakes
  }

  /// How many, and the address of the last one.
  struct Count: Sendable, Equatable {
    var count = 0
    var from = ""
  }

  private let counts = Mutex<[Cause: Count]>([:])

  func note(_ cause: Cause, from: String) {
    counts.withLock { counts in
      counts[cause, default: Count()].count += 1
      counts[cause]?.from = from
    }
  }

  /// Takes the counts of connections that nobody has been told of.
  func take() -> [(cause: Cause, count: Count)] {
    let taken = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    return Cause.allCases.compactMap { cause in taken[cause].map { (cause, $0) } }
  }
}

extension AuditLog {
  /// Notes the connections that were refused since the last time.
  func note(_ connections: RefusedConnections) {
    for (cause, refused) in connections.take() {
      var event = AuditEvent(.connectionsRefused, AuditParty(from: refused.from))
      event.kind = cause.rawValue
      event.count = refused.count
      event.outcome = "OVERLOADED"
      note(event)
    }
  }
}
