/// A query: a table, or what the calls below make of it.
///
/// ```swift
/// let users = Table("users")
/// users.select(id, email).filter(name != nil).order(email.desc).limit(5, offset: 1)
/// ```
///
/// Always true: each call returns another query; nothing runs before a connection is given it.
public protocol QueryType: Expressible, Sendable {
  /// The clauses of the query.
  var clauses: QueryClauses { get set }

  /// The table of this name, of an attached database if one is named.
  init(_ name: String, database: String?)
}

extension QueryType {
  /// The SELECT.
  public var expression: Expression<Void> { Expression(Node(.statement(clauses))) }

  func changed(_ change: (inout QueryClauses) -> Void) -> Self {
    var query = self
    change(&query.clauses)
    return query
  }

  func scalar<V>(_ columns: [Node], distinct: Bool = false) -> ScalarQuery<V> {
    var query = ScalarQuery<V>(clauses: clauses)
    query.clauses.columns = columns
    query.clauses.isDistinct = distinct
    return query
  }

  // MARK: - SELECT

  /// `SELECT "a", "b" FROM …`
  public func select(_ column1: any Expressible, _ more: any Expressible...) -> Self { select([column1] + more) }

  /// `SELECT DISTINCT "a", "b" FROM …`
  public func select(distinct column1: any Expressible, _ more: any Expressible...) -> Self {
    select(distinct: [column1] + more)
  }

  /// `SELECT "a", "b" FROM …`; every column if the array is empty.
  public func select(_ all: [any Expressible]) -> Self { selecting(all, distinct: false) }

  /// `SELECT DISTINCT "a", "b" FROM …`
  public func select(distinct columns: [any Expressible]) -> Self { selecting(columns, distinct: true) }

  /// `SELECT * FROM …`
  public func select(_ star: Star) -> Self { select([star(nil, nil)]) }

  /// `SELECT DISTINCT * FROM …`
  public func select(distinct star: Star) -> Self { select(distinct: [star(nil, nil)]) }

  private func selecting(_ columns: [any Expressible], distinct: Bool) -> Self {
    changed {
      $0.columns = columns.isEmpty ? [.star] : columns.map(\.node)
      $0.isDistinct = distinct
    }
  }

  /// `SELECT "a" FROM …`: one value of each row.
  public func select<V: Value>(_ column: Expression<V>) -> ScalarQuery<V> { scalar([column.node]) }

  /// `SELECT "a" FROM …`: one value of each row, or NULL.
  public func select<V: Value>(_ column: Expression<V?>) -> ScalarQuery<V?> { scalar([column.node]) }

  /// `SELECT DISTINCT "a" FROM …`
  public func select<V: Value>(distinct column: Expression<V>) -> ScalarQuery<V> {
    scalar([column.node], distinct: true)
  }

  /// `SELECT DISTINCT "a" FROM …`
  public func select<V: Value>(distinct column: Expression<V?>) -> ScalarQuery<V?> {
    scalar([column.node], distinct: true)
  }

  /// `SELECT count(*) FROM …`: how many rows it has; `SELECT count(*) FROM (SELECT …)` if clauses decide which rows
  /// these are that count would not see: a limit, groups, a union, DISTINCT.
  public var count: ScalarQuery<Int> {
    let columns = [Node(.function(FunctionNode(name: "count", isStar: true)))]
    guard clauses.choosesRows else { return scalar(columns) }
    var query = ScalarQuery<Int>(clauses: QueryClauses(rowsOf: clauses))
    query.clauses.columns = columns
    return query
  }

  /// `SELECT EXISTS (SELECT …)`: whether it has a row.
  public var exists: Select<Bool> { Select(Node(.statement(ExistsTree(query: clauses)))) }

  // MARK: - WHERE, GROUP BY, ORDER BY, LIMIT

  /// `WHERE …`: rows for which the condition is true, and those before it are.
  public func filter(_ predicate: Expression<Bool>) -> Self { filtered(predicate.node) }

  /// The same for a condition that may be NULL, which is not true.
  public func filter(_ predicate: Expression<Bool?>) -> Self { filtered(predicate.node) }

  /// `filter`, by SQL's own word.
  public func `where`(_ predicate: Expression<Bool>) -> Self { filter(predicate) }

  /// `filter`, by SQL's own word.
  public func `where`(_ predicate: Expression<Bool?>) -> Self { filter(predicate) }

  private func filtered(_ predicate: Node) -> Self {
    changed { $0.filter = $0.filter.map { .infix(.and, $0, predicate) } ?? predicate }
  }

  /// `GROUP BY "a", "b"`
  public func group(_ by: any Expressible...) -> Self { group(by) }

  /// `GROUP BY "a", "b"`; no grouping if the array is empty.
  public func group(_ by: [any Expressible]) -> Self { grouped(by, nil) }

  /// `GROUP BY "a" HAVING …`
  public func group(_ by: any Expressible, having: Expression<Bool>) -> Self { grouped([by], having.node) }

  /// `GROUP BY "a" HAVING …`
  public func group(_ by: any Expressible, having: Expression<Bool?>) -> Self { grouped([by], having.node) }

  /// `GROUP BY "a", "b" HAVING …`
  public func group(_ by: [any Expressible], having: Expression<Bool>) -> Self { grouped(by, having.node) }

  /// `GROUP BY "a", "b" HAVING …`
  public func group(_ by: [any Expressible], having: Expression<Bool?>) -> Self { grouped(by, having.node) }

  private func grouped(_ by: [any Expressible], _ having: Node?) -> Self {
    changed {
      $0.group = by.map(\.node)
      $0.having = having
    }
  }

  /// `ORDER BY "a" DESC, "b"`, instead of an order before it.
  public func order(_ by: any Expressible...) -> Self { order(by) }

  /// `ORDER BY "a" DESC, "b"`, instead of an order before it; no order if the array is empty.
  public func order(_ by: [any Expressible]) -> Self { changed { $0.order = by.map(\.node) } }

  /// `LIMIT 5`: at most `length` rows; all of them if it is nil.
  public func limit(_ length: Int?) -> Self {
    changed {
      $0.limit = length
      $0.offset = nil
    }
  }

  /// `LIMIT 5 OFFSET 1`: at most `length` rows, after the first `offset`.
  public func limit(_ length: Int, offset: Int) -> Self {
    changed {
      $0.limit = length
      $0.offset = offset
    }
  }
}
