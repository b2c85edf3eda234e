internal import MartletEngine
internal import MartletValues

/// The connections of one loop whose TLS handshake may not begin yet, because others of the loop need its time.
///
/// Always true: handshakes have no more than their part of the loop's time; addresses have equal parts of that; at most
/// `capacity` wait, and if that many do, the address with the most gives way; nobody waits beyond its deadline.
struct HandshakeQueue<Connection> {
  private let capacity: Int
  private var waiting = FairQueue<Connection>()
  private var time: PartOfTime
  /// What a handshake took lately: it is counted when one begins, because it takes its time later.
  private var typicalNs = ServerLimits.handshakeNsFirst

  init(capacity: Int) {
    self.capacity = capacity
    time = PartOfTime(
      percent: ServerLimits.handshakePercent, savedMicroseconds: ServerLimits.handshakeSavedMicroseconds)
  }

  var count: Int { waiting.count }

  /// Returns the connection that has no place: another one, or this one.
  mutating func arrived(_ connection: Connection, of address: UInt64, deadline: MonotonicTime) -> Connection? {
    let share = SessionShare(subject: address, session: address)
    var displaced: Connection?
    if waiting.count >= capacity {
      displaced = waiting.displaced(by: share)
      guard displaced != nil else { return connection }
    }
    waiting.arrived(connection, of: share, deadline: deadline)
    return displaced
  }

  /// The connection whose handshake may begin; nil if there is none, or no time for it.
  mutating func next(_ now: MonotonicTime) -> Connection? {
    time.isLeft(at: now) ? waiting.next() : nil
  }

  /// A handshake of that address begins now. One that has nobody left to shake hands with costs nothing.
  mutating func began(of address: UInt64, _ now: MonotonicTime) {
    time.spend(typicalNs, until: now)
    waiting.charge(typicalNs, to: SessionShare(subject: address, session: address))
  }

  /// A handshake has taken so much of the loop's time in all.
  mutating func ended(nanoseconds: UInt64) {
    typicalNs = typicalNs - typicalNs / 4 + min(nanoseconds, ServerLimits.handshakeNsFirst &* 16) / 4
  }

  /// The connections that have waited for too long.
  mutating func ticked(_ now: MonotonicTime) -> [Connection] { waiting.ticked(now) }

  /// All that wait.
  mutating func closed() -> [Connection] { waiting.closed() }

  /// How many milliseconds there is something to look at; nil if nobody waits.
  func waitMs(_ now: MonotonicTime) -> Int? {
    guard !waiting.isEmpty else { return nil }
    let due = min(time.freeAt, waiting.earliestDeadline)
    return due > now ? max(1, due.milliseconds(since: now)) : 1
  }
}
