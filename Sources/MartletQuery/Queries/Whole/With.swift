import MartletAST

/// `WITH "a" AS (...) SELECT ...`: common tables, and a statement that reads them.
///
/// Always true: a common table is named after the type of its rows, a table or a selection. One that reads itself is
/// recursive: SQLite does not ask for the word.
public struct With<QueryValue>: Statement, Sendable, CustomStringConvertible {
  var parts: WithParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// Common tables one after the other, each named after the type of its rows, and the query that reads them: `With {
  /// Item.where { ... } } query: { Item.order(by: \.price) }`.
  ///
  /// If no table can have a row, because each was made of `none` or the closure returned none, a body that writes does
  /// nothing.
  public init(
    @CommonTablesBuilder _ tables: () -> [CommonTable], query: () -> some Statement<QueryValue>
  ) {
    parts = WithParts(tables: tables(), body: query().statementFragment)
  }
}

/// One common table: its name, its columns and its query.
public struct CommonTable: Sendable {
  var name: String
  var columns: [String]
  var materialization = ASTCommonTable.Materialization.unspecified
  var query: StatementFragment
  /// It was made of `none`, or grows from such rows.
  var isNone: Bool

  init<Row: Table>(_ query: some Statement<Row>, name: String = Row.tableName) {
    self.name = name
    columns = Row.TableColumns.allColumns.map(\.name)
    self.query = query.statementFragment.withReals(in: Row.TableColumns.allColumns)
    isNone = self.query.tree.isNone
  }
}

extension Statement where QueryValue: Table {
  /// As a common table that SQLite computes once (`MATERIALIZED`), or merges into the query (`NOT MATERIALIZED`).
  public func materialized(_ isMaterialized: Bool = true) -> CommonTable {
    var table = CommonTable(self)
    table.materialization = isMaterialized ? .materialized : .notMaterialized
    return table
  }
}

/// Common tables: queries, rows of plain values, and what `materialized()` returns.
@resultBuilder
public enum CommonTablesBuilder {
  public static func buildExpression<Row: Table>(_ query: some Statement<Row>) -> [CommonTable] { [CommonTable(query)] }
  public static func buildExpression(_ table: CommonTable) -> [CommonTable] { [table] }
  /// Says what rows a common table has.
  @_disfavoredOverload
  @available(*, unavailable, message: "Select rows of a '@Selection': '.select { Row.Columns(…) }'.")
  public static func buildExpression<Value>(_ query: some Statement<Value>) -> [CommonTable] {
    fatalError("because it is unavailable, nothing calls this")
  }
  /// A row of plain values.
  public static func buildExpression<Row: Table>(_ row: Row) -> [CommonTable] { [CommonTable(row.statement)] }
  public static func buildBlock(_ parts: [CommonTable]...) -> [CommonTable] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [CommonTable]?) -> [CommonTable] { part ?? [] }
  public static func buildEither(first: [CommonTable]) -> [CommonTable] { first }
  public static func buildEither(second: [CommonTable]) -> [CommonTable] { second }
}
