/// A table that FTS5 keeps, as a source of the rows that match.
///
/// Always true: it filters this table alone.
extension FTS5 {
  /// `FROM "articles"(pattern)`: the rows that match a pattern in any column, as a source of their own.
  ///
  /// It filters this table alone, while a `where` filters the whole query. So use it to search the side that a join may
  /// leave out:
  ///
  ///     Reminder.leftJoin(ReminderText.matching("milk")) { $0.id.eq($1.rowid) }
  public static func matching(_ text: String) -> SelectOf<Self> { matching(pattern(text)) }

  /// The same with a pattern in FTS5's own syntax.
  public static func matching(_ pattern: some QueryExpression<String>) -> SelectOf<Self> {
    var select = Where<Self>().asSelect()
    select.parts.source?.arguments = [pattern.queryFragment]
    return select
  }
}
