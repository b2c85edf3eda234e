internal import MartletAST
internal import MartletValues

/// `CREATE TABLE "a" (…)`, or `AS SELECT …`.
struct CreateTableTree: PrintedStatement {
  var table: QuerySource
  var isTemporary: Bool
  var ifNotExists: Bool
  var isWithoutRowid = false
  var columns: [ColumnClause] = []
  var constraints: [TableConstraint] = []
  var query: QueryClauses?

  func print(to printer: inout SQLPrinter) {
    printer.create(isTemporary ? "TEMPORARY TABLE" : "TABLE", ifNotExists, table)
    if let query {
      printer.write(" AS ")
      return query.print(to: &printer)
    }
    printer.write(" ")
    printer.wrapped {
      var isFirst = true
      for column in columns {
        if !isFirst { $0.write(", ") }
        isFirst = false
        column.print(to: &$0)
      }
      for constraint in constraints {
        if !isFirst { $0.write(", ") }
        isFirst = false
        constraint.print(to: &$0)
      }
    }
    if isWithoutRowid { printer.write(" WITHOUT ROWID") }
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    values.areInlined = true
    return .createTable(table.name, columns.map { $0.tree(&values) }) { create in
      create.schema = table.database ?? ""
      create.temporary = isTemporary
      create.ifNotExists = ifNotExists
      create.withoutRowid = isWithoutRowid
      create.constraints = constraints.map { $0.tree(&values) }
      if let query { create.as = query.tree(&values) }
    }
  }
}

/// `CREATE VIEW "a" AS SELECT …`
struct CreateViewTree: PrintedStatement {
  var view: QuerySource
  var isTemporary: Bool
  var ifNotExists: Bool
  var query: QueryClauses

  func print(to printer: inout SQLPrinter) {
    printer.create(isTemporary ? "TEMPORARY VIEW" : "VIEW", ifNotExists, view)
    printer.write(" AS ")
    query.print(to: &printer)
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    values.areInlined = true
    return .createView(view.name, query.tree(&values)) { create in
      create.schema = view.database ?? ""
      create.temporary = isTemporary
      create.ifNotExists = ifNotExists
    }
  }
}

/// `CREATE INDEX "index_a_on_b" ON "a" ("b")`
struct CreateIndexTree: PrintedStatement {
  var table: QuerySource
  var name: String
  var columns: [Node]
  var isUnique: Bool
  var ifNotExists: Bool
  var filter: Node?

  func print(to printer: inout SQLPrinter) {
    printer.create(
      isUnique ? "UNIQUE INDEX" : "INDEX", ifNotExists, QuerySource(name: name, database: table.database))
    printer.write(" ON ")
    printer.name(table.name)
    printer.write(" ")
    printer.wrapped { $0.list(columns) }
    guard let filter else { return }
    printer.write(" WHERE ")
    filter.print(to: &printer)
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    values.areInlined = true
    return .createIndex(name, on: table.name, columns.map { $0.indexedColumn(&values) }) { create in
      create.schema = table.database ?? ""
      create.unique = isUnique
      create.ifNotExists = ifNotExists
      if let filter { create.where = filter.tree(&values) }
    }
  }
}

/// `ALTER TABLE "a" …`
struct AlterTableTree: PrintedStatement {
  enum Change: Sendable {
    case rename(String)
    case add(ColumnClause)
    case renameColumn(String, String)
    case dropColumn(String)
  }

  var table: QuerySource
  var change: Change

  func print(to printer: inout SQLPrinter) {
    printer.write("ALTER TABLE ")
    QuerySource(name: table.name, database: table.database).print(to: &printer)
    switch change {
    case .rename(let name):
      printer.write(" RENAME TO ")
      printer.name(name)
    case .add(let column):
      printer.write(" ADD COLUMN ")
      column.print(to: &printer)
    case .renameColumn(let old, let new):
      printer.write(" RENAME COLUMN \(old.quoted()) TO \(new.quoted())")
    case .dropColumn(let name):
      printer.write(" DROP COLUMN ")
      printer.name(name)
    }
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    values.areInlined = true
    return .alterTable(table.name) { alter in
      alter.schema = table.database ?? ""
      switch change {
      case .rename(let name): alter.renameTo = name
      case .add(let column): alter.addColumn = column.tree(&values)
      case .renameColumn(let old, let new):
        alter.renameColumn.from = old
        alter.renameColumn.to = new
      case .dropColumn(let name): alter.dropColumn = name
      }
    }
  }
}

/// `DROP TABLE IF EXISTS "a"`
struct DropTree: PrintedStatement {
  enum Kind: String, Sendable {
    case table = "TABLE"
    case view = "VIEW"
    case index = "INDEX"
  }

  var kind: Kind
  var object: QuerySource
  var ifExists: Bool

  func print(to printer: inout SQLPrinter) {
    printer.write("DROP \(kind.rawValue) ")
    if ifExists { printer.write("IF EXISTS ") }
    QuerySource(name: object.name, database: object.database).print(to: &printer)
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    var statement = ASTStatement.drop(dropped, object.name, ifExists: ifExists)
    statement.drop.schema = object.database ?? ""
    return statement
  }

  private var dropped: ASTDrop.Kind {
    switch kind {
    case .table: .table
    case .view: .view
    case .index: .index
    }
  }
}

extension SQLPrinter {
  mutating func create(_ words: String, _ ifNotExists: Bool, _ object: QuerySource) {
    write("CREATE \(words) ")
    if ifNotExists { write("IF NOT EXISTS ") }
    QuerySource(name: object.name, database: object.database).print(to: &self)
  }
}
