import MartletAST

/// CASE, in both forms: comparing one value, and trying conditions.
///
/// Always true: without an `else` the result may be NULL, and its type says so.
public struct Case<Base> {
  let base: QueryFragment?

  /// `CASE base WHEN value THEN ...`.
  public init(_ base: some QueryExpression<Base>) { self.base = base.queryFragment }
}

extension Case where Base == Bool {
  /// `CASE WHEN condition THEN ...`.
  public init() { base = nil }
}

extension Case {
  /// `WHEN condition THEN result`; of a CASE with a base, the condition is what it is compared with.
  public func when<Result: QueryExpression>(
    _ condition: some QueryExpression<Base>, then result: Result
  ) -> CaseBranches<Base, Result.QueryValue> {
    CaseBranches(base: base, branches: [(condition.queryFragment, result.queryFragment)])
  }

  /// A value to compare with, in the base's representation: `.when(.incomplete, then: ...)`. Nil is `IS NULL`.
  @_disfavoredOverload
  public func when<Result: QueryExpression>(
    _ value: Base.QueryOutput, then result: Result
  ) -> CaseBranches<Base, Result.QueryValue> where Base: QueryRepresentable {
    CaseBranches(base: base, branches: [(Base.fragment(of: value), result.queryFragment)])
  }

  /// Both in the base's representation: `.when(.incomplete, then: .completed)`.
  @_disfavoredOverload
  public func when(
    _ value: Base.QueryOutput, then result: Base.QueryOutput
  ) -> CaseBranches<Base, Base> where Base: QueryRepresentable {
    CaseBranches(base: base, branches: [(Base.fragment(of: value), Base.fragment(of: result))])
  }
}

/// A CASE with branches: NULL if none is taken.
public struct CaseBranches<Base, Result>: ComputedExpression, Sendable {
  public typealias QueryValue = Result?

  var base: QueryFragment?
  var branches: [(when: QueryFragment, then: QueryFragment)]

  public var queryFragment: QueryFragment {
    .choice(of: base, branches, otherwise: nil)
  }

  public var columnFragments: [QueryFragment] { queryFragment.chosenColumns ?? [queryFragment] }

  /// One more `WHEN condition THEN result`. The first that holds is taken.
  public func when(
    _ condition: some QueryExpression<Base>, then result: some QueryExpression<Result>
  ) -> CaseBranches {
    adding(condition.queryFragment, result.queryFragment)
  }

  /// One more `WHEN value THEN result`, with a plain value to compare with.
  @_disfavoredOverload
  public func when(_ value: Base.QueryOutput, then result: some QueryExpression<Result>) -> CaseBranches
  where Base: QueryRepresentable {
    adding(Base.fragment(of: value), result.queryFragment)
  }

  /// One more `WHEN value THEN result` of two plain values.
  @_disfavoredOverload
  public func when(_ value: Base.QueryOutput, then result: Result.QueryOutput) -> CaseBranches
  where Base: QueryRepresentable, Result: QueryRepresentable {
    adding(Base.fragment(of: value), Result.fragment(of: result))
  }

  /// `ELSE result END`: the value if no branch is taken.
  public func `else`(_ result: some QueryExpression<Result>) -> SQLQueryExpression<Result> {
    SQLQueryExpression(.choice(of: base, branches, otherwise: result.queryFragment))
  }

  /// `ELSE result END` of a plain value.
  @_disfavoredOverload
  public func `else`(_ result: Result.QueryOutput) -> SQLQueryExpression<Result> where Result: QueryRepresentable {
    SQLQueryExpression(.choice(of: base, branches, otherwise: Result.fragment(of: result)))
  }

  private func adding(_ when: QueryFragment, _ then: QueryFragment) -> CaseBranches {
    CaseBranches(base: base, branches: branches + [(when, then)])
  }
}

extension QueryFragment {
  /// A CASE, whose branch for NULL is taken if the base is NULL: SQL's `CASE base WHEN NULL` never is. With such a
  /// branch each condition says what it compares.
  fileprivate static func choice(
    of base: QueryFragment?, _ branches: [(when: QueryFragment, then: QueryFragment)], otherwise: QueryFragment?
  ) -> QueryFragment {
    func isNull(_ value: QueryFragment) -> Bool { if case .null? = value.binding { true } else { false } }
    guard let base, branches.contains(where: { isNull($0.when) }) else {
      return QueryFragment(.choice(base: base, branches: branches, otherwise: otherwise))
    }
    let conditions = branches.map { branch in
      isNull(branch.when)
        ? (when: QueryFragment.operation(.is, base, .null), then: branch.then)
        : (when: .operation(.equal, base, branch.when), then: branch.then)
    }
    return QueryFragment(.choice(base: nil, branches: conditions, otherwise: otherwise))
  }
}
