/// A column of a result, as SQLite or a server describes it.
struct ResultColumn: Sendable, Equatable {
  /// The column's name in the result.
  var name: String
  /// The table that the column comes from, as the database calls it; empty for what is computed.
  var table = ""
}
