/// New columns made of the current ones: `.select { ($0.a, $0.b) }.map { a, b in a + b }`.
///
/// Always true: names of the current columns are dropped; the expressions stay.
extension SelectStatement {
  /// What the closure makes of the current column: one, or several in parentheses.
  public func map<Value: QueryRepresentable, E: QueryExpression>(
    @ChosenColumnsBuilder _ transform: (SQLQueryExpression<Value>) -> E
  ) -> Select<E.QueryValue, Sources> where QueryValue == Value {
    let current = asSelect().currentColumns
    return asSelect().retyped(
      ColumnPlace.open { place in
        var columns = CurrentColumns(current, of: Value.self, in: place)
        return transform(columns.next(Value.self)).columnFragments
      })
  }

  /// What the closure makes of the current columns: `.select { ($0.a, $0.b) }.map { a, b in a + b }`.
  public func map<each Value: QueryRepresentable, E: QueryExpression>(
    @ChosenColumnsBuilder _ transform: (repeat SQLQueryExpression<each Value>) -> E
  ) -> Select<E.QueryValue, Sources> where QueryValue == (repeat each Value) {
    let current = asSelect().currentColumns
    return asSelect().retyped(
      ColumnPlace.open { place in
        var columns = CurrentColumns(current, of: repeat (each Value).self, in: place)
        return transform(repeat columns.next((each Value).self)).columnFragments
      })
  }

  /// Several columns that the closure makes of the current ones, behind other statements or of types that depend on
  /// what the query is handed to.
  @_disfavoredOverload
  public func map<
    each Value: QueryRepresentable, First: QueryExpression, Second: QueryExpression, each Other: QueryExpression
  >(
    _ transform: ((repeat SQLQueryExpression<each Value>) -> (First, Second, repeat each Other))?
  ) -> Select<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue), Sources>
  where QueryValue == (repeat each Value) {
    asSelect().retyped(CurrentColumns.mapped(asSelect().currentColumns, transform))
  }

  /// What the closure makes of the current columns, whose type depends on what the query is handed to.
  @_disfavoredOverload
  public func map<each Value: QueryRepresentable, E: QueryExpression>(
    _ transform: ((repeat SQLQueryExpression<each Value>) -> E)?
  ) -> Select<E.QueryValue, Sources> where QueryValue == (repeat each Value) {
    asSelect().retyped(CurrentColumns.mapped(asSelect().currentColumns, transform))
  }
}

/// The columns of a query, taken as the expressions that they were made of.
private struct CurrentColumns {
  private var rest: ArraySlice<QueryFragment>
  /// Each value has as many of them as its type has columns. Raw SQL is one, however many columns it selects.
  private let areOfTypes: Bool

  /// - Parameter place: the closure that they are handed to.
  init<each Value: QueryRepresentable>(
    _ columns: [QueryFragment], of types: repeat (each Value).Type, in place: ColumnPlace
  ) {
    rest = columns.map { $0.placed(in: place) }[...]
    var (count, width) = (0, 0)
    for type in repeat each types {
      count += 1
      width += type.columnWidth
    }
    areOfTypes = columns.count == width || (count == 1 && columns.count == 1)
  }

  /// What the closure makes of all of them.
  static func mapped<each Value: QueryRepresentable, each E: QueryExpression>(
    _ columns: [QueryFragment], _ transform: ((repeat SQLQueryExpression<each Value>) -> (repeat each E))?
  ) -> [QueryFragment] {
    guard let transform else { return [.noChoice] }
    return ColumnPlace.open { place in
      var columns = CurrentColumns(columns, of: repeat (each Value).self, in: place)
      var fragments: [QueryFragment] = []
      for expression in repeat each transform(repeat columns.next((each Value).self)) {
        fragments += expression.columnFragments
      }
      return fragments
    }
  }

  mutating func next<Value: QueryRepresentable>(_ type: Value.Type) -> SQLQueryExpression<Value> {
    guard areOfTypes else { return SQLQueryExpression(columns: QueryFragment.refusedColumns(Value.columnWidth)) }
    let columns = rest.prefix(Value.columnWidth)
    rest = rest.dropFirst(columns.count)
    return SQLQueryExpression(columns: columns.map(\.unnamed))
  }
}

extension QueryFragment {
  /// Without the name that it has as a column of a result.
  var unnamed: QueryFragment {
    if case .aliased(let inner, _) = node { inner } else { self }
  }
}
