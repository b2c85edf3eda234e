import MartletAST
import MartletQuery
import MartletValues

/// What a schema holds: a table, an index, a view or a trigger, with the SQL that made it.
///
/// Always true: SQLite's own tables, the shadows of virtual ones, and the record of migrations are left out.
struct SchemaObject: Hashable, Sendable {
  var type: String
  var name: String
  var sql: String

  var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }

  /// Everything that a statement made, the record of migrations and shadows too.
  private static func made(_ db: Database) throws -> [SchemaObject] {
    let query = ASTStatement.select(["type", "name", "sql"], from: .table("sqlite_master"))
    return try db.fetch(TupleRow<String, String, String?>.self, SerializedStatement(query)).compactMap {
      type, name, sql in
      guard let sql, !name.hasPrefix("sqlite_") else { return nil }
      return SchemaObject(type: type, name: name, sql: sql)
    }
  }

  /// All objects of the schema.
  static func all(_ db: Database) throws -> Set<SchemaObject> {
    let leftOut = try shadows(db).union(MigrationRecord.names)
    return Set(try made(db).filter { !leftOut.contains($0.name) })
  }

  /// The tables in which virtual ones keep their rows. Their names do not tell: of `notes_data` and `notes_archive` the
  /// second may be the program's own.
  private static func shadows(_ db: Database) throws -> Set<String> {
    let query = ASTStatement.select(
      ["name"], from: .function("pragma_table_list", []),
      where: .call(
        .and, .call(.equal, .column("schema"), .literal("main")), .call(.equal, .column("type"), .literal("shadow"))))
    return Set(try db.fetch(SingleRow<String>.self, SerializedStatement(query)))
  }

  /// What is to be dropped next: what reads others before those. Indexes go with their tables, and the tables in which
  /// a virtual one keeps its rows with that.
  static func last(_ db: Database) throws -> SchemaObject? {
    func place(_ object: SchemaObject) -> Int {
      switch object.type {
      case "trigger": 0
      case "view": 1
      default: object.isVirtual ? 2 : 3
      }
    }
    return try made(db).filter { $0.type != "index" }.min { place($0) < place($1) }
  }

  var drop: ASTStatement {
    switch type {
    case "trigger": .drop(.trigger, name)
    case "view": .drop(.view, name)
    default: .drop(.table, name)
    }
  }
}

/// A database of this process, which can be made anew.
protocol LocalDatabase: DatabaseWriter {
  /// An empty database in memory that is prepared like this one.
  func emptyTwin() throws -> any DatabaseWriter
}

extension DatabaseWriter {
  /// Deletes every table, view and trigger of a database of this process, and all that they hold.
  ///
  /// Throws `RequestError` for a database at a server: there a program drops its tables itself.
  public func erase() throws {
    guard self is any LocalDatabase else {
      throw RequestError.erasedWhereItIsServed
    }
    try writeWithoutTransaction { db in
      try db.openHome().inMigration {
        while let object = try SchemaObject.last(db) { try db.run(SerializedStatement(object.drop)) }
      }
    }
  }
}
