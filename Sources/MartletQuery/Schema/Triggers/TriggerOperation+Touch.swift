import MartletAST

/// Triggers that write to the row that was just inserted or updated, such as the moment of its last change.
///
/// Always true: they write to that row only, whatever the table's default scope is.
extension TriggerOperation {
  // Disfavoured because the compiler calls both forms ambiguous, and says nothing else, if there is another mistake.
  /// Sets columns of each row that is inserted. After the insert; before it, there is no row yet.
  @_disfavoredOverload
  public static func insert(@TouchBuilder touch updates: (inout Updates<On>) -> Void) -> TriggerOperation {
    touching(.insert, updates)
  }

  /// Sets a column of each row that is inserted to the moment.
  public static func insert<D: DateExpressible>(
    touch path: KeyPath<On.TableColumns, TableColumn<On, D>>
  ) -> TriggerOperation {
    touching(.insert) { $0.set(On.columns[keyPath: path].name, D.dateStorage.now) }
  }

  /// Sets a column of each row that is inserted to a date of choice.
  public static func insert<D: QueryRepresentable>(
    touch path: KeyPath<On.TableColumns, TableColumn<On, D>>, date: SQLQueryExpression<D>
  ) -> TriggerOperation { touching(.insert) { $0.set(On.columns[keyPath: path].name, date.queryFragment) } }

  /// Sets a column of each row that is inserted to a date of choice, of a type with another representation.
  public static func insert<D: QueryRepresentable, E: QueryExpression>(
    touch path: KeyPath<On.TableColumns, TableColumn<On, D>>, date: E
  ) -> TriggerOperation where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == D.QueryUnwrapped {
    touching(.insert) { $0.set(On.columns[keyPath: path].name, date.queryFragment) }
  }

  /// Sets columns of each row that is updated.
  public static func update(@TouchBuilder touch updates: (inout Updates<On>) -> Void) -> TriggerOperation {
    touching(.update, updates)
  }

  /// Sets a column of each row that is updated to the moment.
  public static func update<D: DateExpressible>(
    touch path: KeyPath<On.TableColumns, TableColumn<On, D>>
  ) -> TriggerOperation {
    touching(.update) { $0.set(On.columns[keyPath: path].name, D.dateStorage.now) }
  }

  /// Sets a column of each row that is updated to a date of choice.
  public static func update<D: QueryRepresentable>(
    touch path: KeyPath<On.TableColumns, TableColumn<On, D>>, date: SQLQueryExpression<D>
  ) -> TriggerOperation { touching(.update) { $0.set(On.columns[keyPath: path].name, date.queryFragment) } }

  /// Sets a column of each row that is updated to a date of choice, of a type with another representation.
  public static func update<D: QueryRepresentable, E: QueryExpression>(
    touch path: KeyPath<On.TableColumns, TableColumn<On, D>>, date: E
  ) -> TriggerOperation where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == D.QueryUnwrapped {
    touching(.update) { $0.set(On.columns[keyPath: path].name, date.queryFragment) }
  }

  private static func touching(
    _ event: ASTCreateTrigger.Event, _ change: (inout Updates<On>) -> Void
  ) -> TriggerOperation {
    var updates = Updates<On>()
    change(&updates)
    let keys = On.rowKeyNames
    var row = Where<On>(isScoped: false)
    row.predicates = [
      .operation(
        .equal, .row(keys.map { .column($0, of: On.self) }),
        .row(keys.map { .column($0, table: NewRow.aliasName) }))
    ]
    return TriggerOperation(
      event: event, body: [row.updating(updates.assignments, or: nil).statementFragment], condition: [])
  }
}

/// The assignments of a touch, which are no statements: a closure of statements is a trigger's body and nothing else,
/// however many they are.
@resultBuilder
public enum TouchBuilder {
  public static func buildExpression(_ assignment: Void) {}
  @_disfavoredOverload
  @available(*, unavailable, message: "A touch sets columns of the row: $0.updatedAt = .now. Statements need no label.")
  public static func buildExpression(_ statement: some Statement) {}
  public static func buildBlock(_ assignments: Void...) {}
  public static func buildOptional(_ assignments: Void?) {}
  public static func buildEither(first: Void) {}
  public static func buildEither(second: Void) {}
  public static func buildArray(_ assignments: [Void]) {}
}

// MARK: - What the compiler says of others

extension TriggerOperation {
  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "A touch sets a date. Say what else it sets: '{ $0.n += 1 }'.")
  public static func insert<Value>(touch path: KeyPath<On.TableColumns, TableColumn<On, Value>>) -> TriggerOperation {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "A touch sets a date. Say what else it sets: '{ $0.n += 1 }'.")
  public static func update<Value>(touch path: KeyPath<On.TableColumns, TableColumn<On, Value>>) -> TriggerOperation {
    fatalError("because it is unavailable, nothing calls this")
  }
}
