import NIOConcurrencyHelpers
import NIOCore

/// Which connections the listener of metrics has.
///
/// Always true: they are few, and those that ask nothing keep nobody out: the oldest of them gives way to a new one.
final class MetricsConnections: Sendable {
  private struct Held {
    /// Those that have not asked yet, from the oldest.
    var waiting: [any Channel] = []
    /// Those that are answered.
    var asked: Set<ObjectIdentifier> = []
  }

  private let held = NIOLockedValueBox(Held())

  /// False if there is no room: all others are being answered.
  func opened(_ channel: any Channel) -> Bool {
    let (hasRoom, oldest) = held.withLockedValue { held -> (Bool, (any Channel)?) in
      let isFull = held.waiting.count + held.asked.count >= CommandLimits.metricsConnectionsMax
      if isFull, held.waiting.isEmpty { return (false, nil) }
      let oldest = isFull ? held.waiting.removeFirst() : nil
      held.waiting.append(channel)
      return (true, oldest)
    }
    oldest?.close(promise: nil)
    return hasRoom
  }

  func asked(_ channel: any Channel) {
    held.withLockedValue { held in
      held.waiting.removeAll { $0 === channel }
      held.asked.insert(ObjectIdentifier(channel))
    }
  }

  func closed(_ channel: any Channel) {
    held.withLockedValue { held in
      held.waiting.removeAll { $0 === channel }
      held.asked.remove(ObjectIdentifier(channel))
    }
  }

  func hasAsked(_ channel: any Channel) -> Bool {
    held.withLockedValue { $0.asked.contains(ObjectIdentifier(channel)) }
  }
}
