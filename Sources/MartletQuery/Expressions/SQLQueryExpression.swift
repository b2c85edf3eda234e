import MartletAST

/// An expression of a fragment and the type of its value. Of raw SQL, it is a statement too.
///
/// Always true: one concrete type for all of them keeps the type checker fast.
public struct SQLQueryExpression<QueryValue>: ComputedExpression, Sendable {
  public let queryFragment: QueryFragment
  let severalColumns: [QueryFragment]

  /// The fragment as an expression. That its value has the type is the caller's promise.
  public init(_ fragment: QueryFragment, as type: QueryValue.Type = QueryValue.self) {
    queryFragment = fragment
    severalColumns = []
  }

  init(columns: [QueryFragment]) {
    queryFragment = .row(columns)
    severalColumns = columns.count == 1 ? [] : columns
  }

  /// Another expression with its type erased. A literal of text is SQL, and not this.
  @_disfavoredOverload
  public init(_ expression: some QueryExpression<QueryValue>) { self.init(columns: expression.columnFragments) }

  public var columnFragments: [QueryFragment] {
    severalColumns.isEmpty ? queryFragment.chosenColumns ?? [queryFragment] : severalColumns
  }
}

extension SQLQueryExpression {
  static func operation(_ symbol: ASTOperator, _ operands: QueryFragment...) -> Self {
    Self(QueryFragment(.operation(symbol, operands)))
  }

  static func function(_ name: String, _ arguments: QueryFragment...) -> Self {
    Self(.function(name, arguments))
  }

  static func aggregate(
    _ name: String, _ arguments: [QueryFragment], _ distinct: Bool, _ order: some QueryExpression,
    _ filter: some QueryExpression
  ) -> Self {
    if arguments.contains(where: \.isOfSeveralRows) { return Self(.aggregateOfQuery) }
    var call = FunctionCall(name: name, arguments: arguments, distinct: distinct)
    call.isAggregate = true
    if !(order is Unordered) { call.order = OrderingTerm.terms(of: order).flatMap(\.written) }
    if !(filter is Unfiltered) { call.filter = filter.queryFragment }
    return Self(QueryFragment(.function(call)))
  }
}

/// An aggregate without a filter.
public struct Unfiltered: QueryExpression, Sendable {
  public typealias QueryValue = Bool
  /// What the aggregates' parameter `filter` has as its default.
  public init() {}
  public var queryFragment: QueryFragment { .literal(integer: 1) }
}

/// An aggregate in no order.
public struct Unordered: QueryExpression, Sendable {
  public typealias QueryValue = Never
  /// What the aggregates' parameter `order` has as its default.
  public init() {}
  public var queryFragment: QueryFragment { .null }
  public var columnFragments: [QueryFragment] { [] }
}

/// A value that the statement binds, in a representation of choice: what `#bind` stands for.
public struct BindQueryExpression<QueryValue: QueryBindable>: ComputedExpression {
  public let queryFragment: QueryFragment

  /// The value as a parameter of the statement, `?1`.
  public init(_ value: QueryValue.QueryOutput, as type: QueryValue.Type = QueryValue.self) {
    queryFragment = QueryValue.fragment(of: value)
  }
}
