import MartletAST

/// Joins with the pairs of another join, which stand in parentheses.
extension SelectStatement {
  /// `JOIN (b JOIN c ON …) ON condition`: rows with the pairs for which the condition holds.
  public consuming func joinPairs<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(A, B, C), Tables3<A, B, C>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, NestedJoin(pairs)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// `LEFT JOIN (b JOIN c ON …) ON condition`: every row so far; nil for both tables if no pair matches it.
  public consuming func leftJoinPairs<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(A, B.QueryOptional, C.QueryOptional), Tables3<A, B.QueryOptional, C.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, NestedJoin(pairs)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// `RIGHT JOIN (b JOIN c ON …) ON condition`: every pair; nil if no row so far matches. SQLite 3.39.
  public consuming func rightJoinPairs<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(A.QueryOptional, B, C), Tables3<A.QueryOptional, B, C>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, NestedJoin(pairs)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// `FULL JOIN (b JOIN c ON …) ON condition`: every row and every pair; nil if nothing matches. SQLite
  /// 3.39.
  public consuming func fullJoinPairs<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (A.QueryOptional, B.QueryOptional, C.QueryOptional), Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>
  >
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, NestedJoin(pairs)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }
}

extension Table {
  /// `FROM self JOIN (b JOIN c ON …) ON condition`: rows with the pairs for which the condition holds.
  public static func joinPairs<B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(Self, B, C), Tables3<Self, B, C>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().joinPairs(pairs, on: condition)
  }

  /// `FROM self LEFT JOIN (b JOIN c ON …) ON condition`: every row of this table; nil for both of the others if no
  /// pair is there for it.
  public static func leftJoinPairs<B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(Self, B.QueryOptional, C.QueryOptional), Tables3<Self, B.QueryOptional, C.QueryOptional>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().leftJoinPairs(pairs, on: condition)
  }

  /// `FROM self RIGHT JOIN (b JOIN c ON …) ON condition`: every pair; nil if no row of this table matches. SQLite
  /// 3.39.
  public static func rightJoinPairs<B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(Self.QueryOptional, B, C), Tables3<Self.QueryOptional, B, C>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().rightJoinPairs(pairs, on: condition)
  }

  /// `FROM self FULL JOIN (b JOIN c ON …) ON condition`: every row and every pair; nil if nothing matches.
  /// SQLite 3.39.
  public static func fullJoinPairs<B: Table, C: Table, On: QueryExpression>(
    _ pairs: Select<(B, C), Tables2<B, C>>,
    @ChoiceBuilder on condition: (TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (Self.QueryOptional, B.QueryOptional, C.QueryOptional),
    Tables3<Self.QueryOptional, B.QueryOptional, C.QueryOptional>
  > where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().fullJoinPairs(pairs, on: condition)
  }
}

/// A join on its way into another one, as one source in parentheses.
///
/// Always true: the pairs in the parentheses are made first. So a side that the outer join may leave out is left out
/// with both of its tables, and the conditions of its query filter the whole, as with a single table. These methods
/// have names of their own, because the compiler could not explain mistakes with `join` and the others as well
/// otherwise.
private struct NestedJoin<First: Table, Second: Table>: JoinableStatement {
  typealias Joined = First
  var joinedParts: JoinedQuery

  init(_ pairs: Select<(First, Second), Tables2<First, Second>>) {
    var parts = pairs.parts
    let joins = parts.joins
    parts.source?.joins = joins
    parts.joins = []
    joinedParts = JoinedQuery(parts: parts)
  }
}
