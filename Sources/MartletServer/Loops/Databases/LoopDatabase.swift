internal import MartletEngine
internal import MartletValues

/// One database as one loop's sessions of one setup have it: the engine's handle, and the loop's own reader for cheap
/// reads. While none of them uses it and others need its place, it sleeps: it has neither.
///
/// Always true: touched on its loop only; it goes when its last session on the loop goes.
final class LoopDatabase {
  /// What a loop knows it by.
  struct Key: Hashable {
    let name: String
    let setup: DatabaseSetup

    /// By which all loops know what is opened. A setup may take longer than another one of the same database.
    var topic: String { setup.isEmpty ? name : "\(name) \(setup.id)" }
  }

  /// A session that waits until the database is awake, and who asks for it.
  struct Waker {
    let subject: Subject
    let asker: Asker
    /// Called with nil if it is awake, or with the reason why the subject may not have it now.
    let woken: (RequestError?) -> Void
  }

  let key: Key
  /// Nil while the database sleeps.
  private(set) var database: Database?
  /// Nil if the reader could not be opened, or others needed its place: every read goes to the engine's threads then.
  private(set) var reader: InlineReader?
  private(set) var nap: DatabaseNap?
  var sessions = 0
  /// Sessions that wait for the database to wake; it is being opened for the first of them.
  var waking: [Waker] = []
  /// Since when the database has no reader, because others needed the place or because it could not be opened. Nil
  /// while one is being opened.
  var lacksReaderSince: MonotonicTime?

  init(_ database: Database, reader: InlineReader?) {
    key = Key(name: database.name, setup: database.setup)
    self.database = database
    self.reader = reader
  }

  /// The engine has closed it, because it takes no writes, and has not opened it anew yet.
  var isClosed: Bool { database?.isClosed == true }

  /// Whether the subject may have it with its setup.
  func isOpen(to subject: Subject) -> Bool { (try? check(subject)) != nil }

  /// The same; throws PERMISSION, which names what is missing.
  func check(_ subject: Subject) throws(RequestError) {
    try database?.check(subject)
    try nap?.check(subject)
  }

  func take(_ reader: InlineReader) { self.reader = reader }

  /// When the loop's reader was of use last.
  var lastRead: MonotonicTime { reader?.endedAt ?? MonotonicTime(nanoseconds: 0) }

  /// It is used again and again, though perhaps not at this very moment.
  func isInSteadyUse(at now: MonotonicTime) -> Bool {
    database?.use.isSteady(at: now) == true || reader?.use.isSteady(at: now) == true
  }

  /// Lets go of the reader, because the database is about to be closed or others need its place. Until it has another,
  /// its reads go to the engine's threads.
  func detach() -> InlineReader? {
    defer { reader = nil }
    reader?.endSnapshot()
    return reader
  }

  /// Lets go of the database and the reader.
  func sleep(_ nap: DatabaseNap) -> (Database?, InlineReader?) {
    defer { database = nil }
    self.nap = nap
    return (database, detach())
  }

  /// The database is open again, or was opened anew: the loop's sessions go on with that.
  func reattach(_ database: Database, reader: InlineReader?) {
    self.database = database
    self.reader = reader
    nap = nil
  }
}
