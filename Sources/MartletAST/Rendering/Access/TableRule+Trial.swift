public import MartletValues

/// Whether conditions fit their table is for SQLite to say.
extension TableRule {
  /// A query that SQLite compiles if the conditions fit the table, with NULL for claims; nil if there are none.
  public func trial(of table: String) -> String? {
    guard !conditions.isEmpty else { return nil }
    let name = table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    let wheres = conditions.map { condition in
      condition.parts.map { if case .sql(let sql) = $0 { sql } else { "NULL" } }.joined()
    }
    return "SELECT 1 FROM \"main\".\"\(name)\" WHERE (" + wheres.joined(separator: ") AND (") + ")"
  }
}
