/// Schemas as SQLite.swift had them for Swift 1.2: a foreign key by the other table's own column.
///
/// Always true: each is deprecated, and says what is written today.
extension TableBuilder {
  /// `"user_id" INTEGER NOT NULL REFERENCES "users" ("id")`
  @available(*, deprecated, message: "Write `t.column(user_id, references: users, id)`.")
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil,
    references other: Expression<D.ColumnValue>
  ) where D.ColumnValue.Datatype == Int64 {
    column(name, unique: unique, check: check, references: Table(other.tableName), other.unqualified)
  }

  /// `FOREIGN KEY ("a") REFERENCES "users" ("id") ON DELETE SET NULL`
  @available(*, deprecated, message: "Write `t.foreignKey(user_id, references: users, id)`.")
  public func foreignKey<D: ColumnType>(
    _ column: Expression<D>, on other: Expression<D.ColumnValue>, update: Dependency? = nil, delete: Dependency? = nil
  ) {
    foreignKey(column, references: Table(other.tableName), other.unqualified, update: update, delete: delete)
  }
}

extension Expression {
  /// The table before the column; empty if there is none, which SQLite refuses.
  fileprivate var tableName: String { if case .column(_, let table, _) = node.kind { table } else { "" } }

  fileprivate var unqualified: Expression { Expression(Node.column(node.columnName ?? "")) }
}

/// `fts4("subject", "body")`
@available(*, deprecated, message: "Write `.FTS4(subject, body)`.")
public func fts4(_ columns: any Expressible...) -> Module { .FTS4(columns) }

/// `fts4("subject", "body", tokenize=porter)`
@available(*, deprecated, message: "Write `.FTS4([subject, body], tokenize: .Porter)`.")
public func fts4(_ columns: [any Expressible], tokenize tokenizer: Tokenizer? = nil) -> Module {
  .FTS4(columns, tokenize: tokenizer)
}
