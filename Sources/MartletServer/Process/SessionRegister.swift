internal import MartletValues
internal import Synchronization

/// The sessions of one loop that have said hello, for whoever wants to know who is connected.
///
/// Always true: written when a session opens and when it goes, so requests take no lock here.
final class SessionRegister: Sendable {
  private let notes = Mutex<[UInt64: SessionNote]>([:])

  func opened(_ note: SessionNote) { notes.withLock { $0[note.id] = note } }

  func closed(_ id: UInt64) { notes.withLock { $0[id] = nil } }

  func all(now: MonotonicTime) -> [SessionInfo] { notes.withLock { Array($0.values) }.map { $0.info(now: now) } }

  /// How many sessions have each database open.
  func addCounts(to counts: inout [String: Int]) {
    for note in notes.withLock({ Array($0.values) }) { counts[note.database, default: 0] += 1 }
  }
}

/// What is known of one session. Its count is written by its loop alone.
final class SessionNote: Sendable {
  let id: UInt64
  let peer: String
  let client: String
  let database: String
  let since: MonotonicTime
  let requests = ServerCounters.Counter()

  init(id: UInt64, peer: String, client: String, database: String, since: MonotonicTime) {
    self.id = id
    self.peer = peer
    self.client = PrintableText.of(client, lengthMax: ServerLimits.shownNameCharactersMax)
    self.database = database
    self.since = since
  }

  func info(now: MonotonicTime) -> SessionInfo {
    SessionInfo(
      id: id, peer: peer, client: client, database: database, ageMs: UInt64(clamping: now.milliseconds(since: since)),
      requests: UInt64(clamping: requests.total))
  }
}
