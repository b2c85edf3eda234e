/// A query to which no clauses of a SELECT are added: a compound, rows of values, or what reads common tables.
public protocol WholeQuery<QueryValue>: Statement {}

extension Compound: WholeQuery {}
extension Values: WholeQuery {}
extension With: WholeQuery {}
extension RowCount: WholeQuery {}

/// `SELECT count(*) FROM (...)`: how many rows a query has, as a query of one row.
///
/// Always true: it counts the rows that the query returns, while a column's `count()` counts the rows around it.
public struct RowCount: Statement, Sendable {
  public typealias QueryValue = Int

  var parts: SelectParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }
}

extension WholeQuery {
  /// `SELECT count(*) FROM (...)`: of the rows that the query returns.
  ///
  /// A statement that changes rows, with common tables before it, is refused when it runs.
  public func count() -> RowCount { RowCount(parts: .count(of: statementFragment)) }
}

extension Statement {
  /// `SELECT count(*) FROM (...)`: how many rows the query has.
  package var countOfRows: SerializedStatement {
    SerializedStatement(SelectParts.count(of: statementFragment), inliningValues: false)
  }
}

extension SelectParts {
  /// `SELECT count(*) FROM (...)`.
  static func count(of query: StatementFragment) -> SelectParts {
    var parts = SelectParts()
    parts.columns = [QueryFragment(.function(FunctionCall(name: "count", star: true)))]
    parts.source = SourceFragment(name: "", subquery: query.bounded)
    if query.tree.writes {
      let reason =
        "Rows that a statement changes are not there to be counted. Run it with 'returning', and count those."
      parts.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
    }
    return parts
  }
}
