/// Schema statements written by hand.
///
/// Always true: nothing is checked here; validation says what is wrong with a tree, and where.
extension ASTStatement {
  /// `CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL)`
  public static func createTable(
    _ name: String, _ columns: [ASTColumnDefinition], _ change: (inout ASTCreateTable) -> Void = { _ in }
  ) -> ASTStatement {
    var node = ASTStatement()
    node.createTable.name = name
    node.createTable.columns = columns
    change(&node.createTable)
    return node
  }

  /// `CREATE INDEX "name" ON "items" ("title" COLLATE "NOCASE")`
  public static func createIndex(
    _ name: String, on table: String, _ columns: [ASTIndexedColumn],
    _ change: (inout ASTCreateIndex) -> Void = { _ in }
  ) -> ASTStatement {
    var node = ASTStatement()
    node.createIndex.name = name
    node.createIndex.table = table
    node.createIndex.columns = columns
    change(&node.createIndex)
    return node
  }

  /// `CREATE VIEW "name" AS SELECT …`
  public static func createView(
    _ name: String, _ query: ASTStatement, _ change: (inout ASTCreateView) -> Void = { _ in }
  ) -> ASTStatement {
    var node = ASTStatement()
    node.createView.name = name
    node.createView.query = query
    change(&node.createView)
    return node
  }

  /// `CREATE TRIGGER "name" AFTER UPDATE ON "items" FOR EACH ROW BEGIN …; END`
  public static func createTrigger(
    _ name: String, _ timing: ASTCreateTrigger.Timing, _ event: ASTCreateTrigger.Event, on table: String,
    _ body: [ASTStatement], _ change: (inout ASTCreateTrigger) -> Void = { _ in }
  ) -> ASTStatement {
    var node = ASTStatement()
    node.createTrigger.name = name
    node.createTrigger.timing = timing
    node.createTrigger.event = event
    node.createTrigger.table = table
    node.createTrigger.body = body
    change(&node.createTrigger)
    return node
  }

  /// `CREATE VIRTUAL TABLE "name" USING fts5("title", tokenize = 'porter')`
  public static func createVirtualTable(
    _ name: String, using module: String, _ arguments: [ASTModuleArgument]
  ) -> ASTStatement {
    var node = ASTStatement()
    node.createVirtualTable.name = name
    node.createVirtualTable.module = module
    node.createVirtualTable.arguments = arguments
    return node
  }

  /// `ALTER TABLE "items" …`, with the change set in the closure.
  public static func alterTable(_ name: String, _ change: (inout ASTAlterTable) -> Void) -> ASTStatement {
    var node = ASTStatement()
    node.alterTable.name = name
    change(&node.alterTable)
    return node
  }

  /// `DROP TABLE IF EXISTS "items"`
  public static func drop(_ kind: ASTDrop.Kind, _ name: String, ifExists: Bool = false) -> ASTStatement {
    var node = ASTStatement()
    node.drop.kind = kind
    node.drop.name = name
    node.drop.ifExists = ifExists
    return node
  }
}

extension ASTColumnDefinition {
  /// `"title" TEXT NOT NULL`
  public static func column(
    _ name: String, _ type: String = "", _ constraints: ASTColumnConstraint...
  ) -> ASTColumnDefinition {
    var node = ASTColumnDefinition()
    node.name = name
    node.type = type
    node.constraints = constraints
    return node
  }
}

extension ASTColumnConstraint {
  /// `PRIMARY KEY`, `PRIMARY KEY AUTOINCREMENT`
  public static func primaryKey(autoincrement: Bool = false) -> ASTColumnConstraint {
    make { $0.primaryKey.autoincrement = autoincrement }
  }

  /// `NOT NULL`
  public static var notNull: ASTColumnConstraint { make { $0.notNull = .init() } }

  /// `UNIQUE`
  public static var unique: ASTColumnConstraint { make { $0.unique = .init() } }

  /// `CHECK (…)`
  public static func check(_ condition: ASTExpression) -> ASTColumnConstraint {
    make { $0.check = condition }
  }

  /// `DEFAULT 0`, `DEFAULT (uuid())`
  public static func `default`(_ value: ASTExpression) -> ASTColumnConstraint {
    make { $0.default = value }
  }

  /// `COLLATE "NOCASE"`
  public static func collation(_ name: String) -> ASTColumnConstraint {
    make { $0.collation = name }
  }

  /// `GENERATED ALWAYS AS (…) VIRTUAL`
  public static func generated(_ expression: ASTExpression, stored: Bool = false) -> ASTColumnConstraint {
    make {
      $0.generated.expression = expression
      $0.generated.stored = stored
    }
  }

  /// `REFERENCES "lists"("id") ON DELETE CASCADE`
  public static func references(
    _ table: String, _ columns: [String] = [], onDelete: ASTForeignKey.Action = .unspecified
  ) -> ASTColumnConstraint {
    make {
      $0.references.table = table
      $0.references.columns = columns
      $0.references.onDelete = onDelete
    }
  }

  private static func make(_ change: (inout ASTColumnConstraint) -> Void) -> ASTColumnConstraint {
    var node = ASTColumnConstraint()
    change(&node)
    return node
  }
}

extension ASTModuleArgument {
  /// `"title" UNINDEXED`
  public static func column(_ name: String, _ attributes: String...) -> ASTModuleArgument {
    var node = ASTModuleArgument()
    node.column.name = name
    node.column.attributes = attributes
    return node
  }

  /// `tokenize = 'porter'`, or with arguments `tokenize='unicode61' "tokenchars=."`
  public static func option(_ name: String, _ value: String, _ arguments: [String] = []) -> ASTModuleArgument {
    var node = ASTModuleArgument()
    node.option.name = name
    node.option.value = value
    node.option.arguments = arguments
    return node
  }
}
