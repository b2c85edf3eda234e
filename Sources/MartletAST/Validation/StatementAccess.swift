/// What a statement may do to the database, as far as its tree tells.
public enum StatementAccess: Sendable, Equatable {
  case read
  /// INSERT, UPDATE, DELETE.
  case write
  /// CREATE, ALTER, DROP.
  case schema
  /// Raw text where a read would stand: only SQLite can tell.
  case raw
}
