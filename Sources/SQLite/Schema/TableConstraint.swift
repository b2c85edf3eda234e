internal import MartletAST
internal import MartletValues

/// What happens to rows whose foreign key points to a row that is changed or deleted.
public enum ForeignKeyAction: String, Sendable {
  case noAction = "NO ACTION"
  case restrict = "RESTRICT"
  case setNull = "SET NULL"
  case setDefault = "SET DEFAULT"
  case cascade = "CASCADE"

  var tree: ASTForeignKey.Action {
    switch self {
    case .noAction: .noAction
    case .restrict: .restrict
    case .setNull: .setNull
    case .setDefault: .setDefault
    case .cascade: .cascade
    }
  }
}

/// A constraint of a table, beside its columns.
enum TableConstraint: Sendable {
  case primaryKey([Node])
  case unique([Node])
  case check(Node)
  case foreignKey(
    [Node], table: QuerySource, references: [Node], update: ForeignKeyAction?, delete: ForeignKeyAction?)

  func print(to printer: inout SQLPrinter) {
    switch self {
    case .primaryKey(let columns): printer.clause("PRIMARY KEY", columns)
    case .unique(let columns): printer.clause("UNIQUE", columns)
    case .check(let condition): printer.clause("CHECK", [condition])
    case .foreignKey(let columns, let table, let references, let update, let delete):
      printer.clause("FOREIGN KEY", columns)
      printer.write(" REFERENCES ")
      printer.name(table.name)
      printer.clause("", references)
      if let update { printer.write(" ON UPDATE \(update.rawValue)") }
      if let delete { printer.write(" ON DELETE \(delete.rawValue)") }
    }
  }

  func tree(_ values: inout TreeValues) -> ASTTableConstraint {
    var constraint = ASTTableConstraint()
    switch self {
    case .primaryKey(let columns): constraint.primaryKey.columns = columns.map { $0.indexedColumn(&values) }
    case .unique(let columns): constraint.unique.columns = columns.map { $0.indexedColumn(&values) }
    case .check(let condition): constraint.check = condition.tree(&values)
    case .foreignKey(let columns, let table, let references, let update, let delete):
      constraint.foreignKey.columns = columns.compactMap(\.columnName)
      constraint.foreignKey.references.table = table.name
      constraint.foreignKey.references.columns = references.compactMap(\.columnName)
      if let update { constraint.foreignKey.references.onUpdate = update.tree }
      if let delete { constraint.foreignKey.references.onDelete = delete.tree }
    }
    return constraint
  }
}

extension SQLPrinter {
  fileprivate mutating func clause(_ words: String, _ nodes: [Node]) {
    write("\(words) ")
    wrapped { $0.list(nodes) }
  }
}
