import MartletSQLite

/// One observer of a database: fetches a value, and knows when it has to be fetched again.
///
/// Always true: what it fetched is current until `isDue`. It is forgotten by the database when it is released, and
/// holds the database until then.
package final class DatabaseObserver: Sendable {
  private let reader: any DatabaseReader
  private let observers: CommitObservers
  private let id: CommitObservers.ID

  /// Observes from now on. A database of another kind than this library's tells of nothing: its observer is due once.
  package init(_ reader: any DatabaseReader) {
    self.reader = reader
    observers = (reader as? any ObservableDatabase)?.observers ?? CommitObservers()
    id = observers.add()
  }

  deinit { observers.remove(id) }

  /// Whether fetching on the calling thread needs no round trip.
  package var isEmbedded: Bool { (reader as? any ObservableDatabase)?.isEmbedded ?? false }

  /// Whether something was written since the last fetch that concerns what it read; true before the first.
  package var isDue: Bool { observers.isDue(id) }

  /// Suspends until the observer is due; false if the task was cancelled.
  package func change() async -> Bool {
    await observers.change(for: id)
    return !Task.isCancelled
  }

  /// Fetches on the calling thread, and remembers which tables were read.
  package func fetch<T>(_ body: (Database) throws -> T) throws -> T {
    var region = TableSet.everything
    observers.fetchBegan(id)
    defer { observers.fetchEnded(id, region: region) }
    let result = try reader.read { db in try db.openHome().recordingReads { try body(db) } }
    region = result.reads
    return result.value
  }

  /// Fetches on a thread that may block.
  package func fetch<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
    var region = TableSet.everything
    observers.fetchBegan(id)
    defer { observers.fetchEnded(id, region: region) }
    let result = try await reader.read { db in try db.openHome().recordingReads { try body(db) } }
    region = result.reads
    return result.value
  }
}
