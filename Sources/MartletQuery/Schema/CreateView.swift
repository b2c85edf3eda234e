import MartletAST

/// What `createView` returns: a statement to look at and to execute.
///
/// Always true: the view's columns are those of its type, in their order; the query's own names do not matter.
public struct CreateView<Of: Table>: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: CreateViewParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// `DROP VIEW` of it.
  public func drop(ifExists: Bool = false) -> DropStatement { DropStatement(.view, parts.place, ifExists: ifExists) }
}

extension Table {
  /// `CREATE TEMPORARY VIEW`: seen by this connection only, and gone with it.
  public static func createTemporaryView(
    ifNotExists: Bool = false, as query: some Statement<Self>
  ) -> CreateView<Self> {
    createView(SchemaPlace(Self.self, isTemporary: true), ifNotExists, query)
  }

  /// `CREATE VIEW`: part of the database's schema.
  public static func createView(ifNotExists: Bool = false, as query: some Statement<Self>) -> CreateView<Self> {
    createView(SchemaPlace(Self.self), ifNotExists, query)
  }

  /// Says which rows a view has.
  @_disfavoredOverload
  @available(*, unavailable, message: "Select the view's rows: '.select { View.Columns(…) }'.")
  public static func createTemporaryView<Value>(
    ifNotExists: Bool = false, as query: some Statement<Value>
  ) -> CreateView<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says which rows a view has.
  @_disfavoredOverload
  @available(*, unavailable, message: "Select the view's rows: '.select { View.Columns(…) }'.")
  public static func createView<Value>(
    ifNotExists: Bool = false, as query: some Statement<Value>
  ) -> CreateView<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  private static func createView(
    _ place: SchemaPlace, _ ifNotExists: Bool, _ query: some Statement<Self>
  ) -> CreateView<Self> {
    let columns = TableColumns.allColumns
    return CreateView(
      parts: CreateViewParts(
        place: place, ifNotExists: ifNotExists, columns: columns.map(\.name),
        query: query.statementFragment.withReals(in: columns)))
  }
}

struct CreateViewParts: SchemaTree {
  var place: SchemaPlace
  var ifNotExists: Bool
  var columns: [String]
  var query: StatementFragment

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    var view = ASTCreateView()
    view.temporary = place.isTemporary
    view.ifNotExists = ifNotExists
    view.schema = place.schema
    view.name = place.name
    view.columns = columns
    view.query = writer.inlining { $0.tree(of: query) }
    var statement = ASTStatement()
    statement.createView = view
    return statement
  }
}
