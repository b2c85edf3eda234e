import MartletAST

/// A row of two, three or four columns, whose methods have a type for each.
///
/// Always true: only `RowValue` is one. Version 6.3 gives the literals of a row that stands against a pack the types
/// `Int`, `Double` and `String`: `(1, 2)` was an error beside a column of `Int64`, and `[(1, 2)]` a failed assertion.
public protocol RowOfColumns: QueryExpression {}

extension RowValue: RowOfColumns {}

extension RowOfColumns {
  /// `(a, b)` of these expressions.
  public init<A: QueryRepresentable, B: QueryRepresentable>(_ a: some QueryExpression<A>, _ b: some QueryExpression<B>)
  where Self == RowValue<A, B> {
    self.init([a.queryFragment, b.queryFragment])
  }
  /// `(a, b) = (?1, ?2)`: never true if a pair has a NULL.
  public func eq<A: QueryRepresentable, B: QueryRepresentable>(_ row: (A.QueryOutput, B.QueryOutput))
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    self.compare(.equal, Self.tuple(row.0, row.1))
  }
  /// `(a, b) <> (?1, ?2)`.
  public func neq<A: QueryRepresentable, B: QueryRepresentable>(_ row: (A.QueryOutput, B.QueryOutput))
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    self.compare(.notEqual, Self.tuple(row.0, row.1))
  }
  /// `(a, b) IS (?1, ?2)`: NULL is NULL.
  public func `is`<A: QueryRepresentable, B: QueryRepresentable>(_ row: (A.QueryOutput, B.QueryOutput))
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    self.compare(.is, Self.tuple(row.0, row.1))
  }
  /// `(a, b) IS NOT (?1, ?2)`.
  public func isNot<A: QueryRepresentable, B: QueryRepresentable>(_ row: (A.QueryOutput, B.QueryOutput))
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    self.compare(.isNot, Self.tuple(row.0, row.1))
  }
  /// `(a, b) < (?1, ?2)`.
  public static func < <A: QueryRepresentable, B: QueryRepresentable>(left: Self, right: (A.QueryOutput, B.QueryOutput))
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    left.compare(.less, Self.tuple(right.0, right.1))
  }
  /// `(a, b) <= (?1, ?2)`.
  public static func <= <A: QueryRepresentable, B: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    left.compare(.lessOrEqual, Self.tuple(right.0, right.1))
  }
  /// `(a, b) > (?1, ?2)`.
  public static func > <A: QueryRepresentable, B: QueryRepresentable>(left: Self, right: (A.QueryOutput, B.QueryOutput))
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    left.compare(.greater, Self.tuple(right.0, right.1))
  }
  /// `(a, b) >= (?1, ?2)`.
  public static func >= <A: QueryRepresentable, B: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    left.compare(.greaterOrEqual, Self.tuple(right.0, right.1))
  }
  /// One of some rows of two values, however many: they are one parameter.
  public func `in`<A: QueryRepresentable, B: QueryRepresentable>(_ rows: [(A.QueryOutput, B.QueryOutput)])
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    self.membership(.in, rows.map { Self.tuple($0.0, $0.1) })
  }
  /// `(a, b) NOT IN (...)`: none of some rows, however many.
  public func notIn<A: QueryRepresentable, B: QueryRepresentable>(_ rows: [(A.QueryOutput, B.QueryOutput)])
    -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B> {
    self.membership(.notIn, rows.map { Self.tuple($0.0, $0.1) })
  }
}

extension RowOfColumns {
  /// `(a, b, c)` of these expressions.
  public init<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ a: some QueryExpression<A>, _ b: some QueryExpression<B>, _ c: some QueryExpression<C>
  )
  where Self == RowValue<A, B, C> {
    self.init([a.queryFragment, b.queryFragment, c.queryFragment])
  }
  /// `(a, b, c) = (?1, ?2, ?3)`: never true if a pair has a NULL.
  public func eq<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    self.compare(.equal, Self.tuple(row.0, row.1, row.2))
  }
  /// `(a, b, c) <> (?1, ?2, ?3)`.
  public func neq<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    self.compare(.notEqual, Self.tuple(row.0, row.1, row.2))
  }
  /// `(a, b, c) IS (?1, ?2, ?3)`: NULL is NULL.
  public func `is`<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    self.compare(.is, Self.tuple(row.0, row.1, row.2))
  }
  /// `(a, b, c) IS NOT (?1, ?2, ?3)`.
  public func isNot<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    self.compare(.isNot, Self.tuple(row.0, row.1, row.2))
  }
  /// `(a, b, c) < (?1, ?2, ?3)`.
  public static func < <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    left.compare(.less, Self.tuple(right.0, right.1, right.2))
  }
  /// `(a, b, c) <= (?1, ?2, ?3)`.
  public static func <= <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    left.compare(.lessOrEqual, Self.tuple(right.0, right.1, right.2))
  }
  /// `(a, b, c) > (?1, ?2, ?3)`.
  public static func > <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    left.compare(.greater, Self.tuple(right.0, right.1, right.2))
  }
  /// `(a, b, c) >= (?1, ?2, ?3)`.
  public static func >= <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    left.compare(.greaterOrEqual, Self.tuple(right.0, right.1, right.2))
  }
  /// One of some rows of three values, however many: they are one parameter.
  public func `in`<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ rows: [(A.QueryOutput, B.QueryOutput, C.QueryOutput)]
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    self.membership(.in, rows.map { Self.tuple($0.0, $0.1, $0.2) })
  }
  /// `(a, b, c) NOT IN (...)`: none of some rows, however many.
  public func notIn<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ rows: [(A.QueryOutput, B.QueryOutput, C.QueryOutput)]
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C> {
    self.membership(.notIn, rows.map { Self.tuple($0.0, $0.1, $0.2) })
  }
}

extension RowOfColumns {
  /// `(a, b, c, d)` of these expressions.
  public init<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ a: some QueryExpression<A>, _ b: some QueryExpression<B>, _ c: some QueryExpression<C>,
    _ d: some QueryExpression<D>
  )
  where Self == RowValue<A, B, C, D> {
    self.init([a.queryFragment, b.queryFragment, c.queryFragment, d.queryFragment])
  }
  /// `(a, b, c, d) = (?1, ?2, ?3, ?4)`: never true if a pair has a NULL.
  public func eq<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    self.compare(.equal, Self.tuple(row.0, row.1, row.2, row.3))
  }
  /// `(a, b, c, d) <> (?1, ?2, ?3, ?4)`.
  public func neq<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    self.compare(.notEqual, Self.tuple(row.0, row.1, row.2, row.3))
  }
  /// `(a, b, c, d) IS (?1, ?2, ?3, ?4)`: NULL is NULL.
  public func `is`<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    self.compare(.is, Self.tuple(row.0, row.1, row.2, row.3))
  }
  /// `(a, b, c, d) IS NOT (?1, ?2, ?3, ?4)`.
  public func isNot<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ row: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    self.compare(.isNot, Self.tuple(row.0, row.1, row.2, row.3))
  }
  /// `(a, b, c, d) < (?1, ?2, ?3, ?4)`.
  public static func < <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    left.compare(.less, Self.tuple(right.0, right.1, right.2, right.3))
  }
  /// `(a, b, c, d) <= (?1, ?2, ?3, ?4)`.
  public static func <= <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    left.compare(.lessOrEqual, Self.tuple(right.0, right.1, right.2, right.3))
  }
  /// `(a, b, c, d) > (?1, ?2, ?3, ?4)`.
  public static func > <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    left.compare(.greater, Self.tuple(right.0, right.1, right.2, right.3))
  }
  /// `(a, b, c, d) >= (?1, ?2, ?3, ?4)`.
  public static func >= <A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    left: Self, right: (A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    left.compare(.greaterOrEqual, Self.tuple(right.0, right.1, right.2, right.3))
  }
  /// One of some rows of four values, however many: they are one parameter.
  public func `in`<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ rows: [(A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)]
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    self.membership(.in, rows.map { Self.tuple($0.0, $0.1, $0.2, $0.3) })
  }
  /// `(a, b, c, d) NOT IN (...)`: none of some rows, however many.
  public func notIn<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable, D: QueryRepresentable>(
    _ rows: [(A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput)]
  ) -> SQLQueryExpression<Bool>
  where Self == RowValue<A, B, C, D> {
    self.membership(.notIn, rows.map { Self.tuple($0.0, $0.1, $0.2, $0.3) })
  }
}

// What fits none of the others; without it, the literals of a wrong row are a failed assertion of version 6.3.

extension RowOfColumns {
  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The rows must have this one's number of values, of its columns' types.")
  public func `in`<Rows>(_ rows: Rows) -> SQLQueryExpression<Bool> { .operation(.in, queryFragment, queryFragment) }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The rows must have this one's number of values, of its columns' types.")
  public func notIn<Rows>(_ rows: Rows) -> SQLQueryExpression<Bool> {
    .operation(.notIn, queryFragment, queryFragment)
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The row must have this one's number of values, of its columns' types.")
  public func eq<Row>(_ row: Row) -> SQLQueryExpression<Bool> { .operation(.equal, queryFragment, queryFragment) }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The row must have this one's number of values, of its columns' types.")
  public func neq<Row>(_ row: Row) -> SQLQueryExpression<Bool> { .operation(.notEqual, queryFragment, queryFragment) }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The row must have this one's number of values, of its columns' types.")
  public func `is`<Row>(_ row: Row) -> SQLQueryExpression<Bool> { .operation(.is, queryFragment, queryFragment) }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The row must have this one's number of values, of its columns' types.")
  public func isNot<Row>(_ row: Row) -> SQLQueryExpression<Bool> {
    .operation(.isNot, queryFragment, queryFragment)
  }
}
