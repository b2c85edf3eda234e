/// Joins of a table itself with a query that chose its columns: `Reminder.join(List.select(\.title)) { … }`.
///
/// Always true: a table chose no column, so the columns of the result are those of the joined query. What is joined is
/// a protocol's to the compiler, so that its sentence about a mistake in the closure is about the closure, and so that
/// it tries none of these for a table's rows.
extension Table {
  /// `FROM self JOIN other ON condition`, with the column that the joined query chose.
  @_disfavoredOverload
  public static func join<B: Table, Query: ChosenStatement, On: QueryExpression>(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<Query.QueryValue, Tables2<Self, B>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().join(other.asSelect(), on: condition)
  }

  /// `FROM self JOIN other ON condition`, with the columns that the joined query chose.
  @_disfavoredOverload
  public static func join<
    B: Table, Query: ChosenStatement, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(R1, R2, repeat each R), Tables2<Self, B>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue == (R1, R2, repeat each R), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().join(other.asSelect(), on: condition)
  }

  /// `FROM self LEFT JOIN other ON condition`, with the column that the joined query chose, which is optional.
  @_disfavoredOverload
  public static func leftJoin<B: Table, Query: ChosenStatement, On: QueryExpression>(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<Query.QueryValue.QueryOptional, Tables2<Self, B.QueryOptional>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().leftJoin(other.asSelect(), on: condition)
  }

  /// `FROM self LEFT JOIN other ON condition`, with the columns that the joined query chose, which are optional.
  @_disfavoredOverload
  public static func leftJoin<
    B: Table, Query: ChosenStatement, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional), Tables2<Self, B.QueryOptional>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue == (R1, R2, repeat each R), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().leftJoin(other.asSelect(), on: condition)
  }

  /// `FROM self RIGHT JOIN other ON condition`, with the column that the joined query chose.
  @_disfavoredOverload
  public static func rightJoin<B: Table, Query: ChosenStatement, On: QueryExpression>(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<Query.QueryValue, Tables2<Self.QueryOptional, B>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().rightJoin(other.asSelect(), on: condition)
  }

  /// `FROM self RIGHT JOIN other ON condition`, with the columns that the joined query chose.
  @_disfavoredOverload
  public static func rightJoin<
    B: Table, Query: ChosenStatement, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(R1, R2, repeat each R), Tables2<Self.QueryOptional, B>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue == (R1, R2, repeat each R), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().rightJoin(other.asSelect(), on: condition)
  }

  /// `FROM self FULL JOIN other ON condition`, with the column that the joined query chose, which is optional.
  @_disfavoredOverload
  public static func fullJoin<B: Table, Query: ChosenStatement, On: QueryExpression>(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<Query.QueryValue.QueryOptional, Tables2<Self.QueryOptional, B.QueryOptional>>
  where
    Query.Sources == Tables1<B>, Query.QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().fullJoin(other.asSelect(), on: condition)
  }

  /// `FROM self FULL JOIN other ON condition`, with the columns that the joined query chose, which are optional.
  @_disfavoredOverload
  public static func fullJoin<
    B: Table, Query: ChosenStatement, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Query, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<
    (R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional), Tables2<Self.QueryOptional, B.QueryOptional>
  >
  where
    Query.Sources == Tables1<B>, Query.QueryValue == (R1, R2, repeat each R), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    Where<Self>().fullJoin(other.asSelect(), on: condition)
  }
}

/// A query that may have chosen its columns, as a `Select` may; a `Where` has chosen none.
public protocol ChosenStatement<QueryValue>: SelectStatement {}

extension Select: ChosenStatement {}
