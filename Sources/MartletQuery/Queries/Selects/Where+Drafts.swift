import MartletAST

/// Rows as drafts, by their keys and by the scopes of their table.
///
/// Always true: a draft is read from the columns of its table.
extension TableDraft where PrimaryTable: PrimaryKeyedTable {
  /// The row with the key, as a draft.
  public static func find(_ key: PrimaryTable.PrimaryKey.QueryOutput) -> Where<Self> { Where().find(key) }

  /// The rows with the keys, as drafts.
  public static func find(_ keys: some Sequence<PrimaryTable.PrimaryKey.QueryOutput>) -> Where<Self> {
    Where().find(keys)
  }

  static var primaryKeyFragment: QueryFragment {
    .row(TableColumns.allColumns.filter(\.isPrimaryKey).map { .column($0.name, of: Self.self) })
  }
}

extension Where where From: TableDraft, From.PrimaryTable: PrimaryKeyedTable {
  /// The row with the key, as a draft.
  public func find(_ key: From.PrimaryTable.PrimaryKey.QueryOutput) -> Where {
    var result = self
    let value = From.PrimaryTable.PrimaryKey.fragment(of: key)
    result.predicates.append(From.PrimaryTable.PrimaryKey.isKey(value, From.primaryKeyFragment))
    return result
  }

  /// The rows with the keys, as drafts.
  public func find(_ keys: some Sequence<From.PrimaryTable.PrimaryKey.QueryOutput>) -> Where {
    var result = self
    let values = keys.map { From.PrimaryTable.PrimaryKey.fragment(of: $0) }
    result.predicates.append(From.PrimaryTable.PrimaryKey.membership(.in, From.primaryKeyFragment, values))
    return result
  }
}

extension Where where From: TableDraft {
  /// A scope of the drafts' table: `Reminder.Draft.all.incomplete`.
  public subscript(dynamicMember path: KeyPath<From.PrimaryTable.Type, Where<From.PrimaryTable>>) -> Where {
    let scope = From.PrimaryTable.self[keyPath: path]
    var result = Where(isScoped: scope.isScoped)
    result.predicates = scope.predicates
    result.hint = scope.hint
    result.isNone = scope.isNone
    return result.narrowed(by: self)
  }
}
