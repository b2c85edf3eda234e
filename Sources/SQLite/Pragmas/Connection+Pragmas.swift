/// Settings and numbers of a database file.
///
/// Always true: a setter that SQLite or a server refuses changes nothing, and the getter shows it; `set` throws why.
extension Connection {
  /// The version that the program gives to its schema, from 0; nil where it cannot be read. For migrations.
  public var userVersion: Int32? {
    get { number(of: .userVersion) }
    set { try? set(.userVersion, newValue ?? 0) }
  }

  /// The number that says which program a file belongs to.
  public var applicationId: Int32? {
    get { number(of: .applicationID) }
    set { try? set(.applicationID, newValue ?? 0) }
  }

  /// Whether rows may point only to rows that are there. A server always sees to it.
  public var foreignKeys: Bool {
    get { number(of: .foreignKeys) == 1 }
    set { try? set(.foreignKeys, newValue ? 1 : 0) }
  }

  /// Whether foreign keys are checked when the transaction that is open commits, and not before.
  public var deferForeignKeys: Bool {
    get { number(of: .deferForeignKeys) == 1 }
    set { try? set(.deferForeignKeys, newValue ? 1 : 0) }
  }

  private func number(of pragma: Pragma) -> Int32? {
    ((try? scalar(pragma.text)) as? Int64).flatMap { Int32(exactly: $0) }
  }

  private func set(_ pragma: Pragma, _ value: Int32) throws { try execute(pragma.text(setting: value)) }

  /// What SQLite finds wrong with the file; empty where nothing is. It reads all of it.
  public func integrityCheck() throws -> [String] {
    let lines = try prepare(Pragma.integrityCheck.text).map { $0.first as? String ?? "" }
    return lines == ["ok"] ? [] : lines
  }

  /// Opens another file beside this one: its tables are `Table("users", database: schemaName)`. Throws `Result` inside
  /// of a transaction, and at a server, whose databases are apart.
  public func attach(_ location: Location, as schemaName: String) throws {
    guard !isRemote, !location.isRemote else {
      throw Result.misuse("A server's databases are apart from each other and from files. Open a connection to each.")
    }
    try run(Pragma.attach, location.description, schemaName)
  }

  /// Closes a file that was attached. Throws `Result` inside of a transaction.
  public func detach(_ schemaName: String) throws { try run(Pragma.detach, schemaName) }

  /// Writes the file anew without its free pages. Throws `Result` inside of a transaction.
  public func vacuum() throws { try run(Pragma.vacuum) }
}
