/// Aggregates of queries as SQLite.swift had them for Swift 1.2. There they ran at once; here
/// `Connection.scalar` runs them.
///
/// Always true: each is deprecated, and says what is written today.
extension QueryType {
  /// `SELECT count("a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(id.count))`.")
  public func count<D: ColumnType>(_ column: Expression<D>) -> ScalarQuery<Int> {
    select(column.count)
  }

  /// `SELECT count(DISTINCT "a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(id.distinct.count))`.")
  public func count<D: ColumnType>(distinct column: Expression<D>) -> ScalarQuery<Int> {
    select(column.distinct.count)
  }

  /// `SELECT max("a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(id.max))`.")
  public func max<D: ColumnType>(_ column: Expression<D>) -> ScalarQuery<D.ColumnValue?> {
    select(column.max)
  }

  /// `SELECT min("a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(id.min))`.")
  public func min<D: ColumnType>(_ column: Expression<D>) -> ScalarQuery<D.ColumnValue?> {
    select(column.min)
  }

  /// `SELECT avg("a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(balance.average))`.")
  public func average<D: ColumnType>(_ column: Expression<D>) -> ScalarQuery<Double?>
  where D.ColumnValue.Datatype: Number {
    select(column.average)
  }

  /// `SELECT sum("a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(balance.sum))`.")
  public func sum<D: ColumnType>(_ column: Expression<D>) -> ScalarQuery<D.ColumnValue?>
  where D.ColumnValue.Datatype: Number {
    select(column.sum)
  }

  /// `SELECT total("a") FROM …`
  @available(*, deprecated, message: "Write `try db.scalar(users.select(balance.total))`.")
  public func total<D: ColumnType>(_ column: Expression<D>) -> ScalarQuery<Double>
  where D.ColumnValue.Datatype: Number {
    select(column.total)
  }
}
