/// Who gets which reader connection next: the rules, without connections.
///
/// Always true: connections are numbered from 0 and each is idle or leased to one holder; holders that wait are
/// served in the order in which they came; a holder waits only while no connection is idle.
struct LeaseQueue {
  enum Grant: Equatable {
    case leased(Int)
    case waiting
    /// Too many wait already.
    case refused
  }

  private let connectionsMax: Int
  private let waitingMax: Int
  private var idle: [Int] = []
  private var known = 0
  private var waiting: [UInt64] = []

  init(connectionsMax: Int, waitingMax: Int) {
    self.connectionsMax = max(1, connectionsMax)
    self.waitingMax = max(0, waitingMax)
  }

  /// Connections that nobody has.
  var idleNumbers: [Int] { idle }

  var leasedCount: Int { known - idle.count }
  var waitingCount: Int { waiting.count }

  /// A holder, known by its ticket, wants a connection. The one used last is given first, because its cache is warm.
  mutating func arrived(_ ticket: UInt64) -> Grant {
    if let connection = idle.popLast() { return .leased(connection) }
    if known < connectionsMax {
      known += 1
      return .leased(known - 1)
    }
    guard waiting.count < waitingMax else { return .refused }
    waiting.append(ticket)
    return .waiting
  }

  /// A holder is done with a connection; gives the ticket of the one that has it now.
  mutating func returned(_ connection: Int) -> UInt64? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    idle.append(connection)
    return nil
  }

  /// A holder no longer waits; false where it did not, because its connection is on the way.
  mutating func withdrew(_ ticket: UInt64) -> Bool {
    guard let index = waiting.firstIndex(of: ticket) else { return false }
    waiting.remove(at: index)
    return true
  }
}
