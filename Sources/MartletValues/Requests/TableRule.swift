/// What a role may do with one table.
public struct TableRule: Sendable, Hashable {
  /// What may be done with the table, of `select`, `insert`, `update` and `delete`.
  public var permissions: Permissions
  /// The columns that may be read, in the order in which `*` gives them; nil: all.
  public var readColumns: [String]?
  /// The columns that may be set; nil: all.
  public var writeColumns: [String]?
  /// The rows that are there for it; nil: all.
  public var rows: RowRule?
  /// The rows that may be changed and deleted, of those that are there; nil: all.
  public var changedRows: RowRule?
  /// What rows that were inserted or changed have to fulfil; nil: anything.
  public var newRows: RowRule?

  public init(
    permissions: Permissions = .rows, readColumns: [String]? = nil, writeColumns: [String]? = nil, rows: RowRule? = nil,
    changedRows: RowRule? = nil, newRows: RowRule? = nil
  ) {
    self.permissions = permissions
    self.readColumns = readColumns
    self.writeColumns = writeColumns
    self.rows = rows
    self.changedRows = changedRows
    self.newRows = newRows
  }

  /// Whether the table is read through something that has fewer columns or rows.
  public var isPartial: Bool { readColumns != nil || rows != nil }

  /// Whether there may be rows that it may not change.
  public var limitsChanges: Bool { rows != nil || changedRows != nil }

  public func mayRead(_ column: String) -> Bool { Self.has(column, readColumns) }
  public func mayWrite(_ column: String) -> Bool { Self.has(column, writeColumns) }

  /// Whether both say the same of columns and rows.
  public func isEqual(to other: TableRule) -> Bool { allowing(.rows) == other.allowing(.rows) }

  public func allowing(_ more: Permissions) -> TableRule {
    var rule = self
    rule.permissions.formUnion(more)
    return rule
  }

  /// All conditions of the rule.
  public var conditions: [RowRule] { [rows, changedRows, newRows].compactMap { $0 } }

  /// Different for different rules.
  var description: String {
    let columns = [readColumns, writeColumns].map { $0?.debugDescription ?? "all" }
    let rows = [rows, changedRows, newRows].map { $0?.text.debugDescription ?? "all" }
    return "\(permissions.rawValue) \(columns) \(rows)"
  }

  private static func has(_ column: String, _ list: [String]?) -> Bool {
    guard let list else { return true }
    let name = column.lowercasedASCII
    return list.contains { $0.lowercasedASCII == name }
  }
}
