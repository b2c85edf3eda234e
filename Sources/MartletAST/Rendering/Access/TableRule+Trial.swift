public import MartletValues

/// Queries by which SQLite says whether conditions fit their table.
extension TableRule {
  /// A query that SQLite compiles if the conditions fit the table, with NULL for claims, and the columns are there; nil
  /// if there are none of either.
  public func trial(of table: String, reading columns: [String] = []) -> String? {
    guard !conditions.isEmpty || !columns.isEmpty else { return nil }
    let wheres = conditions.map { condition in
      condition.parts.map { if case .sql(let sql) = $0 { sql } else { "NULL" } }.joined()
    }
    let read = columns.isEmpty ? "1" : columns.map { $0.quoted() }.joined(separator: ", ")
    let query = "SELECT \(read) FROM \"main\".\(table.quoted())"
    return wheres.isEmpty ? query : query + " WHERE (" + wheres.joined(separator: ") AND (") + ")"
  }

  /// A query that SQLite compiles if the table's rows have a rowid.
  public static func numberTrial(of table: String) -> String { "SELECT rowid FROM \"main\".\(table.quoted())" }
}

extension TableRules {
  /// The table whose rule this is the trial of, with the columns that may be read.
  public func table(ofTrial query: String) -> String? {
    tables.first { $0.value.trial(of: $0.key, reading: $0.value.readColumns ?? []) == query }?.key
  }
}
