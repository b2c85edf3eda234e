/// Items that are mirrored from elsewhere: the table of the examples of upserts in 003 and 001.
///
/// Always true: two rows are the same thing where library and remote key are equal.
import Foundation
import Martlet

enum Library {
  @Table
  nonisolated struct Item: Identifiable, Hashable {
    let id: UUID
    var name = ""
    var notes: String?
    var libraryID = 1
    var remoteID: String?
    var updatedAt: Date
  }

  static let script = """
    CREATE TABLE items (
      id TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), name TEXT NOT NULL, notes TEXT, libraryID INTEGER NOT NULL,
      remoteID TEXT, updatedAt TEXT NOT NULL) STRICT;
    """

  static let uniqueIndex = "CREATE UNIQUE INDEX idx_items_identity ON items (libraryID, remoteID);"

  static let partialIndex = """
    CREATE UNIQUE INDEX idx_items_sync_identity ON items (libraryID, remoteID) WHERE remoteID IS NOT NULL;
    """
}
