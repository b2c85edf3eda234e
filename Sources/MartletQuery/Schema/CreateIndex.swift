import MartletAST

/// What `createIndex` returns: a statement to look at and to execute.
///
/// Always true: an index without a name of its own is called after its table and its columns.
public struct CreateIndex<Of: Table>: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: CreateIndexParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// `DROP INDEX` of it.
  public func drop(ifExists: Bool = false) -> DropStatement {
    DropStatement(.index, parts.place, ifExists: ifExists)
  }
}

extension Table {
  /// `CREATE INDEX "name" ON "reminders" ("title" COLLATE "NOCASE", lower("note") DESC) WHERE …`
  ///
  /// - Parameters:
  ///   - name: `index_reminders_on_title_and_position` if it is left out.
  ///   - columns: columns and expressions: `{ ($0.title.collate(.nocase), $0.position.desc()) }`.
  ///   - predicate: the rows that the index has; all if it is left out.
  public static func createIndex(
    _ name: String? = nil, @OrderBuilder on columns: (TableColumns) -> [OrderingTerm], unique: Bool = false,
    ifNotExists: Bool = false,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> CreateIndex<Self> {
    createIndex(name, columns(Self.columns), unique, ifNotExists, predicate(Self.columns))
  }

  /// An index on one column: `createIndex(on: \.remindersListID)`.
  public static func createIndex<E: QueryExpression>(
    _ name: String? = nil, on path: KeyPath<TableColumns, E>, unique: Bool = false, ifNotExists: Bool = false,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> CreateIndex<Self> {
    let terms = OrderingTerm.terms(of: Self.columns[keyPath: path])
    return createIndex(name, terms, unique, ifNotExists, predicate(Self.columns))
  }

  private static func createIndex(
    _ name: String?, _ terms: [OrderingTerm], _ isUnique: Bool, _ ifNotExists: Bool, _ predicates: [QueryFragment]
  ) -> CreateIndex<Self> {
    let name = name ?? "index_\(tableName)_on_" + terms.columnNames.joined(separator: "_and_")
    return CreateIndex(
      parts: CreateIndexParts(
        place: SchemaPlace(Self.self, name: name), table: tableName, isUnique: isUnique, ifNotExists: ifNotExists,
        columns: terms, predicates: predicates))
  }
}

struct CreateIndexParts: SchemaTree {
  var place: SchemaPlace
  var table: String
  var isUnique: Bool
  var ifNotExists: Bool
  var columns: [OrderingTerm]
  var predicates: [QueryFragment]

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    var index = ASTCreateIndex()
    index.unique = isUnique
    index.ifNotExists = ifNotExists
    index.schema = place.schema
    index.name = place.name
    index.table = table
    index.columns = writer.indexedColumns(columns)
    if let condition = writer.declaredCondition(predicates) { index.where = condition }
    var statement = ASTStatement()
    statement.createIndex = index
    return statement
  }
}
