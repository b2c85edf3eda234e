internal import MartletEngine

/// One open database as one loop sees it for the sessions of one setup: the engine's handle, and the loop's own reader
/// for cheap reads.
///
/// Always true: touched on its loop only; it goes when its last session on the loop goes.
final class LoopDatabase {
  private(set) var database: Database
  /// Nil where it could not be opened: every read goes to the engine's threads then.
  private(set) var reader: InlineReader?
  var sessions = 0

  /// What a loop knows it by.
  struct Key: Hashable {
    let name: String
    let setup: DatabaseSetup
  }

  var key: Key { Key(name: database.name, setup: database.setup) }

  /// Lets go of the reader, because the database is about to be closed; until `reattach` its reads are refused.
  func detach() { reader = nil }

  /// The database was opened anew: the loop's sessions go on with that.
  func reattach(_ database: Database, reader: InlineReader?) {
    self.database = database
    self.reader = reader
  }

  init(_ database: Database, reader: InlineReader?) {
    self.database = database
    self.reader = reader
  }
}
