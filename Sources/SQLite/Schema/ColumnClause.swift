internal import MartletAST
internal import MartletValues

/// How a row's key is numbered.
public enum PrimaryKey: Sendable {
  /// `PRIMARY KEY`: SQLite gives a number that no row has.
  case `default`
  /// `PRIMARY KEY AUTOINCREMENT`: SQLite gives a number that no row ever had.
  case autoincrement
}

/// A column as a table is made or altered with it.
struct ColumnClause: Sendable {
  var column: Node
  var type: String
  var isOptional: Bool
  var primaryKey: PrimaryKey?
  var isUnique = false
  var check: Node?
  var defaultValue: Node?
  var references: (table: QuerySource, column: Node?)?
  var collation: Collation?

  init<D: ColumnType>(_ column: Expression<D>) {
    self.column = column.node
    type = D.ColumnValue.declaredDatatype
    isOptional = D.self is any _OptionalType.Type
  }

  func print(to printer: inout SQLPrinter) {
    column.print(to: &printer)
    printer.write(" \(type)")
    switch primaryKey {
    case .default: printer.write(" PRIMARY KEY")
    case .autoincrement: printer.write(" PRIMARY KEY AUTOINCREMENT")
    case nil: break
    }
    if !isOptional { printer.write(" NOT NULL") }
    if isUnique { printer.write(" UNIQUE") }
    if let check {
      printer.write(" CHECK ")
      printer.wrapped(!check.isWrapped) { check.print(to: &$0) }
    }
    if let defaultValue {
      printer.write(" DEFAULT ")
      printer.wrapped { defaultValue.print(to: &$0) }
    }
    if let references {
      printer.write(" REFERENCES ")
      // A key points to a table of its own database, so SQLite takes no schema here.
      printer.name(references.table.name)
      if let column = references.column {
        printer.write(" ")
        printer.wrapped { column.print(to: &$0) }
      }
    }
    if let collation { printer.write(" COLLATE \(collation)") }
  }

  func tree(_ values: inout TreeValues) -> ASTColumnDefinition {
    var definition = ASTColumnDefinition()
    definition.name = column.columnName ?? ""
    definition.type = type
    if let primaryKey { definition.constraints.append(.primaryKey(autoincrement: primaryKey == .autoincrement)) }
    if !isOptional { definition.constraints.append(.notNull) }
    if isUnique { definition.constraints.append(.unique) }
    if let check { definition.constraints.append(.check(check.tree(&values))) }
    if let defaultValue { definition.constraints.append(.default(defaultValue.tree(&values))) }
    if let references {
      definition.constraints.append(
        .references(references.table.name, [references.column?.columnName].compactMap { $0 }))
    }
    if let collation { definition.constraints.append(.collation(collation.name)) }
    return definition
  }
}

extension Node {
  /// The node's text stands in parentheses already.
  var isWrapped: Bool {
    switch kind {
    case .infix(_, _, _, let isWrapped): isWrapped
    case .chain, .like, .contains, .containsQuery, .collate, .subquery: true
    default: false
    }
  }
}
