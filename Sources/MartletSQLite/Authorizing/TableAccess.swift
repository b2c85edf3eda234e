import CSQLite

/// The tables that a statement reads and writes.
///
/// Always true: what triggers, views and foreign keys add is in it, because SQLite compiles them into the statement. A
/// statement that only reads has no `writes`.
package struct TableAccess: Sendable, Equatable {
  package internal(set) var reads = TableSet()
  package internal(set) var writes = TableSet()

  /// Tables of SQLite's own in which it puts rows, or changes some.
  package private(set) var fills: Set<InternalTable> = []

  /// The statement is a ROLLBACK of the program's own.
  package private(set) var undoes = false

  /// The statement begins or ends a transaction, and writes nothing by itself.
  private var isControl = false

  init() {}

  /// The access of a statement that was not watched while it was compiled.
  static let unknown: TableAccess = {
    var access = TableAccess()
    access.reads = .everything
    access.writes = .everything
    access.fills = Set(InternalTable.allCases)
    return access
  }()

  /// What settings are kept under, because a pragma may write to any of them.
  private static let settings = TableName(schema: "pragma", "settings")

  /// SQLite asks whether the statement may do this.
  mutating func note(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?
  ) {
    switch action {
    case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_SAVEPOINT: break
    case SQLITE_READ: noteRead(Self.table(first, schema))
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      writes.insert(Self.table(first, schema))
      if action != SQLITE_DELETE, let table = first.flatMap(InternalTable.named) { fills.insert(table) }
    case SQLITE_PRAGMA: notePragma(first.map { String(cString: $0) } ?? "")
    case SQLITE_TRANSACTION:
      isControl = true
      if let first, String(cString: first) == TransactionSQL.rollBack { undoes = true }
    case SQLITE_ANALYZE, SQLITE_ATTACH, SQLITE_DETACH: break
    default:
      // The schema changes, and with it what every name means.
      writes = .everything
    }
  }

  private static func table(_ name: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?) -> TableName {
    // A table of which no column is read (`count(*)`) comes without its schema.
    TableName(schema: schema.map { String(cString: $0) } ?? "", name.map { String(cString: $0) } ?? "")
  }

  private mutating func noteRead(_ table: TableName) {
    // The content of these tables changes although no statement writes to them, so they count as reading everything.
    let showsMore = table.name.hasPrefix("pragma_") || Self.unwritten.contains(table.name)
    reads.formUnion(showsMore ? .everything : TableSet([table]))
  }

  private static let unwritten: Set<String> = ["dbstat", "sqlite_sequence"]

  private mutating func notePragma(_ name: String) {
    // FTS5 asks for this pragma by itself, to learn whether another connection wrote.
    if name.lowercased() == "data_version" { return }
    reads = .everything
    writes.insert(Self.settings)
  }

  /// The statement has been compiled.
  func completed(isReadOnly: Bool) -> TableAccess {
    var access = self
    if isReadOnly || isControl {
      access.writes = TableSet()
    } else if writes.isEmpty {
      // The statement writes, and SQLite did not say where.
      access.writes = .everything
    }
    return access
  }

  mutating func formUnion(_ other: TableAccess) {
    reads.formUnion(other.reads)
    writes.formUnion(other.writes)
    fills.formUnion(other.fills)
  }
}
