import MartletAST

/// Terms of ORDER BY, made of expressions.
///
/// Always true: an expression alone is ascending, as SQLite has it.
extension OrderingTerm: QueryExpression {
  public typealias QueryValue = Never

  /// The term with its direction, for raw SQL.
  public var queryFragment: QueryFragment { columnFragments.joined(separator: ", ") }

  /// Each column with the direction. ORDER BY itself takes the terms.
  public var columnFragments: [QueryFragment] { columns.map(\.directed) }

  /// The expression with what stands behind it in ORDER BY.
  private var directed: QueryFragment {
    let expression = failure.map { QueryFragment.bind(.invalid($0)) } ?? fragment
    let words = Directions.all.first { ($0.direction, $0.nulls) == (direction, nulls) }?.words
    return QueryFragment(.raw([.expression(expression)])) + QueryFragment(words ?? "")
  }

  /// An expression's columns as terms.
  static func terms(of expression: some QueryExpression) -> [OrderingTerm] {
    if let term = expression as? OrderingTerm { return term.columns }
    return terms(ofColumns: expression)
  }

  private static func terms<E: QueryExpression>(ofColumns expression: E) -> [OrderingTerm] {
    let failure = E.orderFailure
    return expression.columnFragments.map { OrderingTerm($0, failure: failure) }
  }

  /// The terms that raw SQL holds, if it is made of terms and nothing else: an aggregate before SQLite 3.44 has no
  /// ORDER BY, and the tree says what is sorted instead.
  var written: [OrderingTerm] {
    guard case .raw(let parts) = fragment.node, direction == .unspecified, nulls == .unspecified else { return [self] }
    var terms: [OrderingTerm] = []
    for (index, part) in parts.enumerated() {
      switch (part, index % 3) {
      case (.expression(let expression), 0): terms.append(OrderingTerm(expression, failure: failure))
      case (.sql(let sql), 1):
        guard let words = Directions.all.first(where: { $0.words == sql }) else { return [self] }
        (terms[terms.count - 1].direction, terms[terms.count - 1].nulls) = (words.direction, words.nulls)
      case (.sql(", "), 2): break
      default: return [self]
      }
    }
    return parts.count % 3 == 2 ? terms : [self]
  }
}

/// What stands behind an expression in ORDER BY.
private struct Directions {
  var words: String
  var direction: ASTOrderingTerm.Direction
  var nulls: ASTOrderingTerm.Nulls

  static let all = [
    Directions(words: " ASC", direction: .ascending, nulls: .unspecified),
    Directions(words: " ASC NULLS FIRST", direction: .ascending, nulls: .first),
    Directions(words: " ASC NULLS LAST", direction: .ascending, nulls: .last),
    Directions(words: " DESC", direction: .descending, nulls: .unspecified),
    Directions(words: " DESC NULLS FIRST", direction: .descending, nulls: .first),
    Directions(words: " DESC NULLS LAST", direction: .descending, nulls: .last),
  ]
}

extension QueryExpression {
  /// Its columns where SQL takes no direction.
  var undirectedColumns: [QueryFragment] {
    guard Self.self == OrderingTerm.self else { return columnFragments }
    let reason = "A direction belongs to 'order'. Leave out 'asc' and 'desc' here."
    return [.bind(.invalid(QueryBindingFailure(reason)))]
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

// Of its own, because those of every expression take the term for an expression, with its direction within it.
extension OrderingTerm {
  /// `ASC` instead of the direction that it has.
  public func asc(nulls: Nulls? = nil) -> OrderingTerm {
    OrderingTerm(fragment, .ascending, nulls: nulls, failure: failure)
  }

  /// `DESC` instead of the direction that it has.
  public func desc(nulls: Nulls? = nil) -> OrderingTerm {
    OrderingTerm(fragment, .descending, nulls: nulls, failure: failure)
  }
}
