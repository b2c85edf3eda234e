import MartletAST

/// Hints to SQLite's planner about the index of a table: INDEXED BY and NOT INDEXED.
///
/// Always true: a hint never changes the rows of a query. SQLite refuses a statement whose index is not there or cannot
/// serve it, so a plan that a program relies on cannot change unseen.
enum IndexHint: Sendable {
  case indexed(by: String)
  case notIndexed

  var tree: ASTTable.OneOf_Hint {
    switch self {
    case .indexed(let name): .indexedBy(name)
    case .notIndexed: .notIndexed(true)
    }
  }
}

extension Where {
  /// `FROM "reminders" INDEXED BY "name"`: the statement uses this index, or SQLite refuses to prepare it.
  public func indexed(by name: String) -> Where { hinted(.indexed(by: name)) }

  /// `FROM "reminders" NOT INDEXED`: the statement uses no index but the rowid.
  public func notIndexed() -> Where { hinted(.notIndexed) }

  private func hinted(_ hint: IndexHint) -> Where {
    var result = self
    result.hint = hint
    return result
  }
}

extension Table {
  /// `FROM "reminders" INDEXED BY "name"`: the statement uses this index, or SQLite refuses to prepare it.
  public static func indexed(by name: String) -> Where<Self> { Where().indexed(by: name) }

  /// `FROM "reminders" NOT INDEXED`: the statement uses no index but the rowid.
  public static func notIndexed() -> Where<Self> { Where().notIndexed() }
}
