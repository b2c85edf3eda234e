/// Joins that begin with a table itself: `Reminder.join(RemindersList.all) { ... }`.
///
/// Always true: they begin with the table's default scope, `all`.
extension Table {
  /// `FROM self JOIN other ON condition`: pairs of rows for which the condition holds.
  public static func join<B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(Self, B), Tables2<Self, B>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().join(other, on: condition)
  }

  /// `FROM self LEFT JOIN other ON condition`: every row of this table; nil if no row of the other matches.
  public static func leftJoin<B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(Self, B.QueryOptional), Tables2<Self, B.QueryOptional>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().leftJoin(other, on: condition)
  }

  /// `FROM self RIGHT JOIN other ON condition`: every row of the other table; nil if no row of this one matches. SQLite
  /// 3.39.
  public static func rightJoin<B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(Self.QueryOptional, B), Tables2<Self.QueryOptional, B>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().rightJoin(other, on: condition)
  }

  /// `FROM self FULL JOIN other ON condition`: every row of both; nil if no row of the other matches. SQLite 3.39.
  public static func fullJoin<B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>, @ChoiceBuilder on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(Self.QueryOptional, B.QueryOptional), Tables2<Self.QueryOptional, B.QueryOptional>>
  where On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().fullJoin(other, on: condition)
  }

  /// `FROM self CROSS JOIN other`: each row with each, in this order of the tables.
  public static func crossJoin<B: Table>(_ other: some JoinableStatement<B>) -> Select<(Self, B), Tables2<Self, B>> {
    Where<Self>().crossJoin(other)
  }
}
