import MartletAST
public import MartletQuery
import MartletValues

/// A column of a table that is made: `t.column("name", .text).notNull().unique()`.
///
/// Always true: each method adds a constraint and returns the column. Names and values become parts of a tree; only
/// what is called `sql` is SQL, and the program's own.
public final class NewColumn {
  /// The type that a column is declared with.
  public enum ColumnType: String, Sendable {
    /// `TEXT`
    case text = "TEXT"
    /// `INTEGER`
    case integer = "INTEGER"
    /// `DOUBLE`
    case double = "DOUBLE"
    /// `REAL`
    case real = "REAL"
    /// `NUMERIC`
    case numeric = "NUMERIC"
    /// `BOOLEAN`
    case boolean = "BOOLEAN"
    /// `BLOB`
    case blob = "BLOB"
    /// `DATE`
    case date = "DATE"
    /// `DATETIME`
    case datetime = "DATETIME"
    /// `ANY`
    case any = "ANY"
  }

  /// Where the values of a generated column are.
  public enum Storage: Sendable {
    /// Computed whenever they are read.
    case virtual
    /// Computed when the row is written, and kept.
    case stored
  }

  private(set) var definition: ASTColumnDefinition
  private(set) var isIndexed = false
  private(set) var isPrimaryKey = false
  private var failure: (any Error)?

  init(_ name: String, _ type: String) { definition = .column(name, type) }

  /// Throws if a value of it cannot be bound.
  func checkValues() throws {
    if let failure { throw failure }
  }

  /// Declares it with the type of the column that it points to.
  func declare(as type: String) { definition.type = type }

  private func adding(_ constraint: ASTColumnConstraint) -> NewColumn {
    definition.constraints.append(constraint)
    return self
  }

  /// `PRIMARY KEY`, with `AUTOINCREMENT` if no key may ever be used again.
  @discardableResult
  public func primaryKey(autoincrement: Bool = false) -> NewColumn {
    isPrimaryKey = true
    return adding(.primaryKey(autoincrement: autoincrement))
  }

  /// `NOT NULL`
  @discardableResult
  public func notNull() -> NewColumn { adding(.notNull) }

  /// `UNIQUE`
  @discardableResult
  public func unique() -> NewColumn { adding(.unique) }

  /// Makes an index of the column, called after table and column.
  @discardableResult
  public func indexed() -> NewColumn {
    isIndexed = true
    return self
  }

  /// `CHECK (sql)`
  @discardableResult
  public func check(sql: String) -> NewColumn { adding(.check(.sql(sql))) }

  /// `DEFAULT value`. If the value cannot be bound, what makes the column throws `QueryBindingFailure`.
  @discardableResult
  public func defaults(to value: some QueryBindable) -> NewColumn {
    do {
      return adding(.default(.of(try value.queryBinding.bound())))
    } catch {
      failure = failure ?? error
      return self
    }
  }

  /// `DEFAULT (sql)`
  @discardableResult
  public func defaults(sql: String) -> NewColumn { adding(.default(.sql(sql))) }

  /// `COLLATE name`
  @discardableResult
  public func collate(_ collation: Collation) -> NewColumn { adding(.collation(collation.rawValue)) }

  /// `GENERATED ALWAYS AS (sql)`
  @discardableResult
  public func generatedAs(sql: String, _ storage: Storage = .virtual) -> NewColumn {
    adding(.generated(.sql(sql), stored: storage == .stored))
  }

  /// `REFERENCES table (column)`: of the table's key, if no column is named.
  @discardableResult
  public func references(
    _ table: String, column: String? = nil, onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil,
    deferred: Bool = false
  ) -> NewColumn {
    var constraint = ASTColumnConstraint()
    constraint.references = .key(table, column.map { [$0] } ?? [], onDelete, onUpdate, deferred)
    return adding(constraint)
  }
}

extension ASTExpression {
  /// SQL of the program's own.
  static func sql(_ sql: String) -> ASTExpression {
    var part = ASTRaw.Part()
    part.sql = sql
    return .raw(part)
  }

  /// A value as SQL has it in a schema.
  static func of(_ value: Value) -> ASTExpression {
    switch value {
    case .integer(let integer): .literal(integer)
    case .real(let real): .literal(real)
    case .text(let text): .literal(text)
    case .blob(let blob): .literal(blob)
    case .null, .rows: .keyword(.null)
    }
  }
}

extension ASTForeignKey {
  static func key(
    _ table: String, _ columns: [String], _ onDelete: ForeignKeyAction?, _ onUpdate: ForeignKeyAction?, _ deferred: Bool
  ) -> ASTForeignKey {
    var key = ASTForeignKey()
    key.table = table
    key.columns = columns
    key.onDelete = onDelete.map(Action.init) ?? .unspecified
    key.onUpdate = onUpdate.map(Action.init) ?? .unspecified
    key.deferral = deferred ? .initiallyDeferred : .unspecified
    return key
  }
}

extension ASTForeignKey.Action {
  fileprivate init(_ action: ForeignKeyAction) {
    switch action {
    case .noAction: self = .noAction
    case .restrict: self = .restrict
    case .setNull: self = .setNull
    case .setDefault: self = .setDefault
    case .cascade: self = .cascade
    }
  }
}
