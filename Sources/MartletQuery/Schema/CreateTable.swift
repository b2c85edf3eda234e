import MartletAST

/// What `createTable` returns: a statement to look at and to execute.
///
/// Always true: columns have the SQL types of their Swift types, and are NOT NULL unless they are optional.
public struct CreateTable<Of: Table>: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: CreateTableParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// `DROP TABLE` of it.
  public func drop(ifExists: Bool = false) -> DropStatement {
    DropStatement(.table, parts.place, ifExists: ifExists)
  }
}

extension Table {
  /// `CREATE TABLE "reminders" (…) STRICT` with the columns of the type, and what the closure adds to them beyond
  /// their types: `{ t in t.title.default("").unique() }`.
  ///
  /// - Parameters:
  ///   - temporary: of the connection, and gone with it.
  ///   - strict: every value has its column's type, or is refused.
  ///   - withoutRowID: rows are kept under their key, which the table must have.
  public static func createTable(
    temporary: Bool = false, ifNotExists: Bool = false, strict: Bool = true, withoutRowID: Bool = false,
    @TableBuilder _ elements: (TableDeclaration<Self>) -> [TableElement] = { _ in [] }
  ) -> CreateTable<Self> {
    CreateTable(
      parts: CreateTableParts(
        place: SchemaPlace(Self.self, isTemporary: temporary), ifNotExists: ifNotExists, isStrict: strict,
        isWithoutRowID: withoutRowID, columns: TableColumns.allColumns,
        elements: elements(TableDeclaration<Self>())))
  }

  /// `CREATE TABLE "archive" AS SELECT …`: a table of the query's rows as they are now, without any constraint.
  public static func createTable(
    temporary: Bool = false, ifNotExists: Bool = false, as query: some Statement<Self>
  ) -> CreateTable<Self> {
    CreateTable(
      parts: CreateTableParts(
        place: SchemaPlace(Self.self, isTemporary: temporary), ifNotExists: ifNotExists,
        columns: TableColumns.allColumns, query: query.statementFragment))
  }
}

/// Where a table, a view, a trigger or an index is.
struct SchemaPlace: Sendable {
  var isTemporary = false
  var schema: String
  var name: String

  init<Of: Table>(_ table: Of.Type, isTemporary: Bool = false, name: String? = nil) {
    self.isTemporary = isTemporary
    schema = isTemporary ? "" : Of.schemaName ?? ""
    self.name = name ?? Of.tableName
  }
}

struct CreateTableParts: SchemaTree {
  var place: SchemaPlace
  var ifNotExists: Bool
  var isStrict = false
  var isWithoutRowID = false
  var columns: [ColumnDescription]
  var elements: [TableElement] = []
  var query: StatementFragment?

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    var table = ASTCreateTable()
    table.temporary = place.isTemporary
    table.ifNotExists = ifNotExists
    table.schema = place.schema
    table.name = place.name
    if let query {
      table.as = writer.tree(of: query)
      table.as.name(columns: columns.map(\.name))
    } else {
      table.withoutRowid = isWithoutRowID
      table.strict = isStrict
      define(&table, in: &writer)
    }
    var statement = ASTStatement()
    statement.createTable = table
    return statement
  }

  private func define(_ table: inout ASTCreateTable, in writer: inout TreeWriter) {
    var constraints: [TableConstraintPart] = []
    for element in elements {
      if case .constraint(let constraint) = element.kind { constraints.append(constraint) }
    }
    let declaresKey = constraints.contains { if case .primaryKey = $0.kind { true } else { false } }
    let key = columns.filter(\.isPrimaryKey).map { OrderingTerm(.column($0.name, table: "")) }
    if key.count > 1, !declaresKey {
      constraints.insert(TableConstraintPart(kind: .primaryKey(key, nil)), at: 0)
    }
    table.columns = columns.map { column in
      ColumnPart(
        column, isKey: column.isPrimaryKey && key.count == 1 && !declaresKey, changes: changes(of: column.name)
      )
      .tree(in: &writer)
    }
    table.constraints = constraints.map { $0.tree(in: &writer) }
  }

  private func changes(of name: String) -> [ColumnChange] {
    elements.flatMap { element in
      if case .column(name, let changes) = element.kind { return changes }
      return []
    }
  }
}

/// A column's definition: by its type, and by what was declared.
struct ColumnPart {
  var name: String
  var type: String
  var constraints: [(ColumnConstraintPart, name: String?)] = []
  private var isGenerated: Bool
  private var isStored: Bool

  init(_ column: ColumnDescription, isKey: Bool, changes: [ColumnChange]) {
    name = column.name
    type = column.valueType.sqlType
    isGenerated = column.isGenerated
    isStored = column.isStored
    if isKey { constraints.append((.primaryKey(autoincrement: false, descending: false, nil), nil)) }
    // A rowid is never NULL; SQLite chooses one if it is left out.
    if !column.isOptional, !(isKey && type == "INTEGER") { constraints.append((.notNull(nil), nil)) }
    if let value = column.defaultValue { constraints.append((.default(value), nil)) }
    for change in changes { apply(change) }
  }

  private mutating func apply(_ change: ColumnChange) {
    switch change {
    case .type(let type): self.type = type
    case .withoutDefault: constraints.removeAll { if case .default = $0.0 { true } else { false } }
    case .constraint(let constraint, let name):
      let index = constraints.firstIndex { $0.0.kind != nil && $0.0.kind == constraint.kind }
      if let index { constraints[index] = (constraint, name) } else { constraints.append((constraint, name)) }
    }
  }

  func tree(in writer: inout TreeWriter) -> ASTColumnDefinition {
    var tree = ASTColumnDefinition()
    tree.name = name
    tree.type = type
    var isComputed = false
    for (constraint, name) in constraints {
      var constraint = constraint
      if case .generated(let expression, let stored) = constraint {
        isComputed = true
        constraint = .generated(expression, stored: stored ?? isStored)
      }
      tree.constraints.append(constraint.tree(named: name, in: &writer))
    }
    if isGenerated, !isComputed {
      writer.values.fail(
        QueryBindingFailure("The column \(name) is generated, and nothing says how. Declare it with `generated { … }`.")
      )
      tree.constraints.append(ColumnConstraintPart.generated(nil, stored: isStored).tree(named: nil, in: &writer))
    }
    return tree
  }
}

extension ASTStatement {
  /// Names the columns of a query's rows, if there are as many as names.
  mutating func name(columns: [String]) {
    switch kind {
    case .select:
      guard select.columns.count == columns.count else { return }
      for (index, name) in columns.enumerated() where select.columns[index].alias.isEmpty {
        if select.columns[index].expression.column.name != name { select.columns[index].alias = name }
      }
    case .compound: compound.first.name(columns: columns)
    case .with: with.body.name(columns: columns)
    default: break
    }
  }
}
