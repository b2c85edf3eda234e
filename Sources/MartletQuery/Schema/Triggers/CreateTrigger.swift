import MartletAST

/// What `createTrigger` returns: a statement to look at and to execute.
///
/// Always true: values in a trigger are literals; a trigger without a name of its own is called after what it waits for
/// and where in the program it was written.
public struct CreateTrigger<On: Table>: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: CreateTriggerParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// `DROP TRIGGER` of it.
  public func drop(ifExists: Bool = false) -> DropStatement {
    DropStatement(.trigger, parts.place, ifExists: ifExists)
  }

  init(
    _ name: String?, _ ifNotExists: Bool, _ timing: ASTCreateTrigger.Timing, _ operation: TriggerOperation<On>,
    isTemporary: Bool, _ location: SourceLocation
  ) {
    let words: String? =
      switch timing {
      case .before: "before"
      case .after: "after"
      case .insteadOf: "instead_of"
      default: nil
      }
    let name = name ?? "\(words ?? "")_\(operation.eventName)_on_\(On.tableName)@\(location)"
    parts = CreateTriggerParts(
      place: SchemaPlace(On.self, isTemporary: isTemporary, name: name), ifNotExists: ifNotExists, timing: timing,
      event: operation.event, columns: operation.columns, table: On.tableName, when: operation.condition,
      body: operation.body)
  }
}

/// Where in a program something was written.
struct SourceLocation: CustomStringConvertible {
  var fileID: StaticString
  var line: UInt
  var column: UInt

  var description: String { "\(fileID):\(line):\(column)" }
}

extension Table {
  /// `CREATE TEMPORARY TRIGGER … AFTER …`: for changes of this connection only, and gone with it.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, after operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> CreateTrigger<Self> {
    let location = SourceLocation(fileID: fileID, line: line, column: column)
    return CreateTrigger(name, ifNotExists, .after, operation, isTemporary: true, location)
  }

  /// `CREATE TEMPORARY TRIGGER … BEFORE …`
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, before operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> CreateTrigger<Self> {
    let location = SourceLocation(fileID: fileID, line: line, column: column)
    return CreateTrigger(name, ifNotExists, .before, operation, isTemporary: true, location)
  }

  /// `CREATE TEMPORARY TRIGGER … INSTEAD OF …`: what a change of a view does.
  public static func createTemporaryTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, insteadOf operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> CreateTrigger<Self> {
    let location = SourceLocation(fileID: fileID, line: line, column: column)
    return CreateTrigger(name, ifNotExists, .insteadOf, operation, isTemporary: true, location)
  }

  /// `CREATE TRIGGER … AFTER …`: part of the database's schema, for changes by anyone.
  public static func createTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, after operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> CreateTrigger<Self> {
    let location = SourceLocation(fileID: fileID, line: line, column: column)
    return CreateTrigger(name, ifNotExists, .after, operation, isTemporary: false, location)
  }

  /// `CREATE TRIGGER … BEFORE …`
  public static func createTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, before operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> CreateTrigger<Self> {
    let location = SourceLocation(fileID: fileID, line: line, column: column)
    return CreateTrigger(name, ifNotExists, .before, operation, isTemporary: false, location)
  }

  /// `CREATE TRIGGER … INSTEAD OF …`: what a change of a view does.
  public static func createTrigger(
    _ name: String? = nil, ifNotExists: Bool = false, insteadOf operation: TriggerOperation<Self>,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> CreateTrigger<Self> {
    let location = SourceLocation(fileID: fileID, line: line, column: column)
    return CreateTrigger(name, ifNotExists, .insteadOf, operation, isTemporary: false, location)
  }
}

struct CreateTriggerParts: SchemaTree {
  var place: SchemaPlace
  var ifNotExists: Bool
  var timing: ASTCreateTrigger.Timing
  var event: ASTCreateTrigger.Event
  var columns: [String]
  var table: String
  var when: [QueryFragment]
  var body: [StatementFragment]

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    var trigger = ASTCreateTrigger()
    trigger.temporary = place.isTemporary
    trigger.ifNotExists = ifNotExists
    trigger.schema = place.schema
    trigger.name = place.name
    trigger.timing = timing
    trigger.event = event
    trigger.updateColumns = columns
    trigger.table = table
    writer.inlining { writer in
      if let condition = QueryFragment.all(of: when) { trigger.when = writer.tree(of: condition) }
      trigger.body = body.map { writer.tree(of: $0).insideTrigger }
    }
    var statement = ASTStatement()
    statement.createTrigger = trigger
    return statement
  }
}

extension ASTStatement {
  /// SQLite allows no schema before the table that a trigger's statement writes to; it is always the trigger's own.
  fileprivate var insideTrigger: ASTStatement {
    var result = self
    switch kind {
    case .insert: result.insert.into.schema = ""
    case .update: result.update.table.schema = ""
    case .delete: result.delete.from.schema = ""
    default: break
    }
    return result
  }
}
