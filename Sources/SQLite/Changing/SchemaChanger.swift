public import Foundation
internal import MartletAST

/// Makes and changes tables: what SQLite's ALTER TABLE does, and what it does not, by making the table anew.
///
/// ```swift
/// let changer = SchemaChanger(connection: db)
/// try changer.alter(table: "users") { table in
///   table.add(column: ColumnDefinition(name: "nick", type: .TEXT, unique: true))
///   table.rename(column: "mail", to: "email")
///   table.drop(column: "fax")
/// }
/// ```
///
/// Always true: the changes of one call are made all or not at all, in one transaction or, inside of one, a savepoint.
public final class SchemaChanger: Sendable {
  /// Why a table cannot be changed.
  public enum Error: LocalizedError, Equatable {
    /// The column cannot be what it is to be; the text says why, and what to do.
    case invalidColumnDefinition(String)
    /// The table cannot be made anew; the text says why, and what to do.
    case unchangeableTable(String)
    /// These rows would point to rows that are not there. Nothing was changed.
    case foreignKeyError([ForeignKeyError])

    public var errorDescription: String? {
      switch self {
      case .invalidColumnDefinition(let reason), .unchangeableTable(let reason): reason
      case .foreignKeyError(let errors):
        "The change was undone: " + errors.prefix(10).map(\.description).joined(separator: ", ") + "."
      }
    }
  }

  public typealias AlterTableDefinitionBlock = (AlterTableDefinition) -> Void
  public typealias CreateTableDefinitionBlock = (CreateTableDefinition) -> Void

  let connection: Connection

  public init(connection: Connection) { self.connection = connection }

  /// `CREATE TABLE`, and the indexes that the closure adds. Throws `Result`, and `Error` if there is no column.
  public func create(table: String, ifNotExists: Bool = false, block: CreateTableDefinitionBlock) throws {
    let definition = CreateTableDefinition(name: table)
    block(definition)
    guard !definition.columns.isEmpty else {
      throw Error.invalidColumnDefinition("The table \(table) has no column. Add one in the closure.")
    }
    try connection.savepoint {
      try connection.run(
        Self.creation(of: table, definition.columns) { create in create.ifNotExists = ifNotExists })
      for (index, indexIfNotExists) in definition.indexes {
        try connection.run(index.tree(ifNotExists: indexIfNotExists))
      }
    }
  }

  /// Makes the changes that the closure adds, in their order. Throws `Result` and `Error`; nothing was changed then.
  public func alter(table: String, block: AlterTableDefinitionBlock) throws {
    let definition = AlterTableDefinition(name: table)
    block(definition)
    try connection.exclusively {
      let rebuilds = try TableRebuild.isNeeded(for: definition.changes, of: table, connection)
      try withForeignKeys(off: rebuilds) {
        guard rebuilds else { return try makeChanges() }
        // What pointed nowhere before is not the change's fault. If the file cannot be checked yet, all counts.
        let before = (try? connection.foreignKeyCheck()) ?? []
        try makeChanges()
        let errors = ForeignKeyError.new(in: try connection.foreignKeyCheck(), since: before)
        guard errors.isEmpty else { throw Error.foreignKeyError(errors) }
      }
      func makeChanges() throws { for change in definition.changes { try apply(change, to: table) } }
    }
  }

  /// `DROP TABLE`. Throws `Result`.
  public func drop(table: String, ifExists: Bool = true) throws {
    try connection.run(ASTStatement.drop(.table, table, ifExists: ifExists))
  }

  /// `ALTER TABLE … RENAME TO …`. Throws `Result`.
  public func rename(table: String, to: String) throws {
    try connection.run(ASTStatement.alterTable(table) { $0.renameTo = to })
  }

  /// SQL of the program, for what the other calls cannot say. Throws `Result`.
  public func run(_ sql: String, _ bindings: (any Binding)?...) throws { try connection.run(sql, bindings) }

  // MARK: - Changes

  private func apply(_ change: SchemaChange, to table: String) throws {
    switch change {
    case .addColumn(let column):
      try check(column, table)
      if TableRebuild.isNeeded(toAdd: column) {
        try TableRebuild(of: table, on: connection).run { $0.append(column) }
      } else {
        try connection.run(ASTStatement.alterTable(table) { $0.addColumn = column.tree() })
      }
    case .dropColumn(let name): try drop(name, of: table)
    case .renameColumn(let old, let new):
      try connection.run(
        ASTStatement.alterTable(table) {
          $0.renameColumn.from = old
          $0.renameColumn.to = new
        })
    case .addIndex(let index, let ifNotExists): try connection.run(index.tree(ifNotExists: ifNotExists))
    case .dropIndex(let name, let ifExists):
      try connection.run(ASTStatement.drop(.index, name, ifExists: ifExists))
    }
  }

  private func check(_ column: ColumnDefinition, _ table: String) throws {
    if column.primaryKey != nil {
      throw Error.invalidColumnDefinition(
        "The column \(column.name) cannot be added as the key of \(table): a table's key is made with it.")
    }
    if !column.nullable, column.defaultValue == .NULL {
      throw Error.invalidColumnDefinition(
        "The column \(column.name) cannot be added to \(table): it is not nullable, so the rows that are there need a "
          + "default value. Give it one.")
    }
  }

  private func drop(_ name: String, of table: String) throws {
    let indexes = try connection.schema.indexDefinitions(table: table).filter { $0.origin == .createIndex }
    for index in indexes where index.columns == [name] && index.where == nil && index.sql == nil {
      try connection.run(ASTStatement.drop(.index, index.name))
    }
    if try TableRebuild.isNeeded(toDrop: name, of: table, connection) {
      try TableRebuild(of: table, on: connection).run { $0.removeAll { $0.name.lowercased() == name.lowercased() } }
      try checkSchema()
    } else {
      try connection.run(ASTStatement.alterTable(table) { $0.dropColumn = name })
    }
  }

  /// Throws if a trigger or a view names what is not there, as ALTER TABLE does when it has dropped a column: SQLite
  /// looks at the whole schema then, whichever table was altered, so an empty one is.
  private func checkSchema() throws {
    let probe = try connection.schema.freeName("checked")
    let columns = ["kept", "dropped"].map { ColumnDefinition(name: $0, type: .BLOB) }
    try connection.run(Self.creation(of: probe, columns) { _ in })
    try connection.run(ASTStatement.alterTable(probe) { $0.dropColumn = columns[1].name })
    try connection.run(ASTStatement.drop(.table, probe))
  }

  /// Foreign keys are off while a table is made anew: dropping the old one would delete what points to its rows.
  private func withForeignKeys(off: Bool, _ body: () throws -> Void) throws {
    let wereOn = off && !connection.isRemote && !connection.isInTransaction && connection.foreignKeys
    if wereOn { connection.foreignKeys = false }
    defer { if wereOn { connection.foreignKeys = true } }
    try connection.savepoint(block: body)
  }

  static func creation(
    of table: String, _ columns: [ColumnDefinition], _ change: (inout ASTCreateTable) -> Void
  ) -> ASTStatement {
    let key = columns.filter { $0.primaryKey != nil }
    return .createTable(table, columns.map { $0.tree(isPartOfKey: key.count > 1) }) { create in
      if key.count > 1 {
        var constraint = ASTTableConstraint()
        constraint.primaryKey.columns = key.map { column in
          var indexed = ASTIndexedColumn()
          indexed.expression = .column(column.name)
          return indexed
        }
        if let onConflict = key[0].primaryKey?.onConflict { constraint.primaryKey.onConflict = onConflict.tree }
        create.constraints = [constraint]
      }
      change(&create)
    }
  }
}

extension SchemaChanger: CustomStringConvertible {
  public var description: String { "a schema changer of \(connection)" }
}
