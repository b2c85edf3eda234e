import MartletAST

/// The row before the change.
public typealias OldColumns<On: Table> = AliasColumns<On, OldRow>
/// The row after the change.
public typealias NewColumns<On: Table> = AliasColumns<On, NewRow>

/// What a trigger waits for, on which rows, and what it does then.
///
/// Always true: `old` and `new` are the row before and after the change, and not the table.
public struct TriggerOperation<On: Table>: Sendable {
  var event: ASTCreateTrigger.Event
  var columns: [String] = []
  var body: [StatementFragment]
  var condition: [QueryFragment]

  var eventName: String {
    switch event {
    case .insert: "insert"
    case .update: "update"
    default: "delete"
    }
  }

  /// For each row that is inserted.
  public static func insert(
    @TriggerBodyBuilder forEachRow body: (NewColumns<On>) -> [StatementFragment],
    @PredicateBuilder when condition: (NewColumns<On>) -> [QueryFragment] = { _ in [] }
  ) -> TriggerOperation {
    let new = NewColumns<On>()
    return TriggerOperation(event: .insert, body: body(new), condition: condition(new))
  }

  /// For each row that is updated.
  public static func update(
    @TriggerBodyBuilder forEachRow body: (OldColumns<On>, NewColumns<On>) -> [StatementFragment],
    @PredicateBuilder when condition: (OldColumns<On>, NewColumns<On>) -> [QueryFragment] = { _, _ in [] }
  ) -> TriggerOperation {
    updating([], body, condition)
  }

  /// For each row of which one of these columns is set, even to what it was.
  public static func update(
    @ColumnsBuilder of columns: (On.TableColumns) -> [QueryFragment],
    @TriggerBodyBuilder forEachRow body: (OldColumns<On>, NewColumns<On>) -> [StatementFragment],
    @PredicateBuilder when condition: (OldColumns<On>, NewColumns<On>) -> [QueryFragment] = { _, _ in [] }
  ) -> TriggerOperation {
    updating(ofSome: columns(On.columns), body, condition)
  }

  /// For each row of which this column is set, even to what it was.
  public static func update<E: QueryExpression>(
    of column: KeyPath<On.TableColumns, E>,
    @TriggerBodyBuilder forEachRow body: (OldColumns<On>, NewColumns<On>) -> [StatementFragment],
    @PredicateBuilder when condition: (OldColumns<On>, NewColumns<On>) -> [QueryFragment] = { _, _ in [] }
  ) -> TriggerOperation {
    updating(ofSome: On.columns[keyPath: column].columnFragments, body, condition)
  }

  /// For each row that is deleted.
  public static func delete(
    @TriggerBodyBuilder forEachRow body: (OldColumns<On>) -> [StatementFragment],
    @PredicateBuilder when condition: (OldColumns<On>) -> [QueryFragment] = { _ in [] }
  ) -> TriggerOperation {
    let old = OldColumns<On>()
    return TriggerOperation(event: .delete, body: body(old), condition: condition(old))
  }

  private static func updating(
    _ columns: [QueryFragment], _ body: (OldColumns<On>, NewColumns<On>) -> [StatementFragment],
    _ condition: (OldColumns<On>, NewColumns<On>) -> [QueryFragment]
  ) -> TriggerOperation {
    let old = OldColumns<On>()
    let new = NewColumns<On>()
    return TriggerOperation(
      event: .update, columns: columns.compactMap { $0.writtenColumn?.columnName }, body: body(old, new),
      condition: condition(old, new))
  }

  /// Refuses a choice of no columns, which is not a choice of all, and expressions that are computed from columns.
  private static func updating(
    ofSome columns: [QueryFragment], _ body: (OldColumns<On>, NewColumns<On>) -> [StatementFragment],
    _ condition: (OldColumns<On>, NewColumns<On>) -> [QueryFragment]
  ) -> TriggerOperation {
    var operation = updating(columns, body, condition)
    let reason: String? =
      if columns.isEmpty {
        "A trigger for updates of no column would be one for every update. Name a column, or leave out 'of'."
      } else if operation.columns.count < columns.count {
        "A trigger is for updates of columns. Name those that the expression is made of, and compare it in 'when'."
      } else {
        nil
      }
    if let reason { operation.condition = [.bind(.invalid(QueryBindingFailure(reason)))] }
    return operation
  }
}

/// The statements of a trigger, one after the other, with `if`, `switch` and `for` among them.
@resultBuilder
public enum TriggerBodyBuilder {
  public static func buildExpression(_ statement: some Statement) -> [StatementFragment] {
    [statement.statementFragment]
  }

  public static func buildBlock(_ parts: [StatementFragment]...) -> [StatementFragment] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [StatementFragment]?) -> [StatementFragment] { part ?? [] }
  public static func buildEither(first: [StatementFragment]) -> [StatementFragment] { first }
  public static func buildEither(second: [StatementFragment]) -> [StatementFragment] { second }
  public static func buildArray(_ parts: [[StatementFragment]]) -> [StatementFragment] { parts.flatMap { $0 } }
}
