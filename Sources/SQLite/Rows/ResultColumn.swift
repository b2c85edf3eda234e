/// A column of a result, as SQLite or a server describes it.
struct ResultColumn: Sendable, Equatable {
  /// What the result calls it.
  var name: String
  /// The table that it comes from, as the database calls it; empty for what is computed.
  var table = ""
}
