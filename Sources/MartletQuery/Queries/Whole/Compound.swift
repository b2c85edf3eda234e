import MartletAST

/// Queries of equal columns that are one: their union, or what both have, or what one lacks.
///
/// Always true: terms are combined from left to right; ORDER BY and LIMIT are the whole compound's.
public struct Compound<QueryValue>: Statement, Sendable, CustomStringConvertible {
  var parts: CompoundParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }
}

extension Statement {
  /// Rows of both; each once, unless `all`.
  public func union(all: Bool = false, _ other: some Statement<QueryValue>) -> Compound<QueryValue> {
    combined(all ? .unionAll : .union, other)
  }

  /// Rows that both have.
  public func intersect(_ other: some Statement<QueryValue>) -> Compound<QueryValue> { combined(.intersect, other) }

  /// Rows that the other does not have.
  public func except(_ other: some Statement<QueryValue>) -> Compound<QueryValue> { combined(.except, other) }

  private func combined(_ symbol: ASTCompound.Operator, _ other: some Statement) -> Compound<QueryValue> {
    if var parts = (self as? Compound<QueryValue>)?.parts, parts.order.isEmpty, parts.limit == nil,
      parts.offset == nil
    {
      parts.append(symbol, other.statementFragment)
      return Compound(parts: parts)
    }
    return Compound(parts: CompoundParts(first: statementFragment, terms: [(symbol, other.statementFragment)]))
  }
}

extension Compound {
  /// By columns of the first query, by their names.
  public func order(@OrderBuilder by terms: () -> [OrderingTerm]) -> Compound {
    var result = self
    result.parts.order += terms().map { term in
      var term = term
      term.fragment = term.fragment.unqualified
      return term
    }
    return result
  }

  /// By the n-th column, counted from 1.
  @_disfavoredOverload
  public func order(byColumn index: Int, descending: Bool = false) -> Compound {
    let value = QueryValue.self as? any QueryRepresentable.Type
    return ordered(byColumn: index, descending, value?.orderFailure(ofColumn: index &- 1))
  }

  /// By the n-th column of several values, counted from 1.
  public func order<V1: QueryRepresentable, V2: QueryRepresentable, each V: QueryRepresentable>(
    byColumn index: Int, descending: Bool = false
  ) -> Compound where QueryValue == (V1, V2, repeat each V) {
    var types: [any QueryRepresentable.Type] = [V1.self, V2.self]
    for type in repeat (each V).self { types.append(type) }
    var rest = index &- 1
    for type in types {
      if rest < type.columnWidth { return ordered(byColumn: index, descending, type.orderFailure(ofColumn: rest)) }
      rest -= type.columnWidth
    }
    return ordered(byColumn: index, descending, nil)
  }

  private func ordered(byColumn index: Int, _ descending: Bool, _ failure: QueryBindingFailure?) -> Compound {
    var result = self
    result.parts.order.append(
      OrderingTerm(.literal(integer: Int64(index)), descending ? .descending : .unspecified, failure: failure))
    return result
  }

  /// `LIMIT count OFFSET offset` of the whole compound.
  public func limit(_ count: Int, offset: Int? = nil) -> Compound {
    var result = self
    result.parts.limit = count.queryFragment
    if let offset { result.parts.offset = offset.queryFragment }
    return result
  }

  /// `OFFSET count` of the whole compound.
  public func offset(_ count: Int) -> Compound {
    var result = self
    result.parts.offset = count.queryFragment
    return result
  }
}

extension QueryFragment {
  /// A column by its name alone, as a compound's ORDER BY takes it.
  var unqualified: QueryFragment {
    if case .column(_, _, let name, _) = node { .column(name, table: "") } else { self }
  }
}
