/// SQL functions that need care if a client may see only some tables or rows.
///
/// Always true: names are in lower case.
public enum RuledFunctions {
  /// Table-valued functions that read nothing but their arguments.
  static let open: Set<String> = ["json_each", "json_tree", "generate_series"]

  /// Functions that tell more than their arguments: `rtreecheck` whether a table of a name is there, the others how
  /// many rows somebody has changed on the connection before.
  public static let closed: Set<String> = ["rtreecheck", "changes", "total_changes"]

  /// Functions of a full-text index. FTS5 takes the value of their first argument for the number of any index that is
  /// being read on the connection, and returns any column of that index's current row.
  static let ofIndexes: Set<String> = ["highlight", "snippet", "bm25", "fts5_get_locale"]

  /// The names that SQLite has for a row's rowid, unless a column of the table has that name.
  public static let rowNumbers: Set<String> = ["rowid", "oid", "_rowid_"]
}
