import MartletAST

/// What the methods that begin with `drop` return: a statement to look at and to execute.
///
/// Always true: what is temporary is dropped from the connection's own schema, so that a table, view or trigger of the
/// database under the same name stays.
public struct DropStatement: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: DropParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  init(_ kind: ASTDrop.Kind, _ place: SchemaPlace, ifExists: Bool) {
    parts = DropParts(kind: kind, place: place, ifExists: ifExists)
  }
}

struct DropParts: SchemaTree {
  var kind: ASTDrop.Kind
  var place: SchemaPlace
  var ifExists: Bool

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    var drop = ASTDrop()
    drop.kind = kind
    drop.ifExists = ifExists
    drop.schema = place.isTemporary ? "temp" : place.schema
    drop.name = place.name
    var statement = ASTStatement()
    statement.drop = drop
    return statement
  }
}

extension Table {
  /// `DROP TABLE "reminders"`, with its indexes and triggers.
  public static func dropTable(ifExists: Bool = false) -> DropStatement {
    DropStatement(.table, SchemaPlace(Self.self), ifExists: ifExists)
  }

  /// `DROP TABLE "temp"."reminders"`: the connection's own table.
  public static func dropTemporaryTable(ifExists: Bool = false) -> DropStatement {
    DropStatement(.table, SchemaPlace(Self.self, isTemporary: true), ifExists: ifExists)
  }

  /// `DROP VIEW "reminders"`.
  public static func dropView(ifExists: Bool = false) -> DropStatement {
    DropStatement(.view, SchemaPlace(Self.self), ifExists: ifExists)
  }

  /// `DROP VIEW "temp"."reminders"`: the connection's own view.
  public static func dropTemporaryView(ifExists: Bool = false) -> DropStatement {
    DropStatement(.view, SchemaPlace(Self.self, isTemporary: true), ifExists: ifExists)
  }

  /// `DROP INDEX "name"`. Names of indexes are the schema's, not the table's.
  public static func dropIndex(_ name: String, ifExists: Bool = false) -> DropStatement {
    DropStatement(.index, SchemaPlace(Self.self, name: name), ifExists: ifExists)
  }

  /// `DROP TRIGGER "name"`. Names of triggers are the schema's, not the table's.
  public static func dropTrigger(_ name: String, ifExists: Bool = false) -> DropStatement {
    DropStatement(.trigger, SchemaPlace(Self.self, name: name), ifExists: ifExists)
  }

  /// `DROP TRIGGER "temp"."name"`: the connection's own trigger.
  public static func dropTemporaryTrigger(_ name: String, ifExists: Bool = false) -> DropStatement {
    DropStatement(.trigger, SchemaPlace(Self.self, isTemporary: true, name: name), ifExists: ifExists)
  }
}
