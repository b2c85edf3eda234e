internal import MartletEngine

/// A database and readers of it on their way between a loop and a thread that opens or closes them.
///
/// Always true: one of the two has them at a time.
// @unchecked because it is handed over and never shared: what the loop has not taken, the other thread closes later.
final class DatabaseRemains: @unchecked Sendable {
  private(set) var database: Database?
  private var databases: [Database] = []
  private var readers: [InlineReader]

  init(_ database: Database?, _ readers: [InlineReader?]) {
    self.database = database
    self.readers = readers.compactMap { $0 }
  }

  var isEmpty: Bool { database == nil && databases.isEmpty && readers.isEmpty }

  /// Not closed with the rest.
  func takeReader() -> InlineReader? { readers.popLast() }

  func add(_ parts: (Database?, InlineReader?)) {
    if let database = parts.0 { databases.append(database) }
    if let reader = parts.1 { readers.append(reader) }
  }

  /// Blocks while SQLite closes files.
  func close() {
    // Readers first: while one is there, its loop has the database.
    readers = []
    databases = []
    database = nil
  }
}
