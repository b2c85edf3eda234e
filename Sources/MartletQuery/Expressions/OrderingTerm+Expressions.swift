import MartletAST

/// Terms of ORDER BY, made of expressions.
///
/// Always true: an expression alone is ascending, as SQLite has it.
extension OrderingTerm: QueryExpression {
  public typealias QueryValue = Never

  /// The expression alone; a direction belongs to ORDER BY only.
  public var queryFragment: QueryFragment { fragment }

  /// An expression's columns as terms.
  static func terms(of expression: some QueryExpression) -> [OrderingTerm] {
    if let term = expression as? OrderingTerm { return term.columns }
    return terms(ofColumns: expression)
  }

  private static func terms<E: QueryExpression>(ofColumns expression: E) -> [OrderingTerm] {
    let failure = E.orderFailure
    return expression.columnFragments.map { OrderingTerm($0, failure: failure) }
  }
}

extension QueryExpression {
  /// `self ASC`, with `NULLS FIRST` or `NULLS LAST` if `nulls` says so.
  public func asc(nulls: OrderingTerm.Nulls? = nil) -> OrderingTerm {
    OrderingTerm(queryFragment, .ascending, nulls: nulls, failure: Self.orderFailure)
  }

  /// `self DESC`, with `NULLS FIRST` or `NULLS LAST` if `nulls` says so.
  public func desc(nulls: OrderingTerm.Nulls? = nil) -> OrderingTerm {
    OrderingTerm(queryFragment, .descending, nulls: nulls, failure: Self.orderFailure)
  }
}
