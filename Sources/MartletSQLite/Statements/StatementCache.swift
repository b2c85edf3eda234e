/// The compiled statements of one connection that are worth keeping, by whatever key their owner knows them.
///
/// Always true: it holds at most `capacity` statements and finalizes those that it drops once nobody uses them. A
/// statement is handed out reset.
public final class StatementCache<Key: Hashable> {
  @usableFromInline var statements: BoundedCache<Key, Statement>

  /// Compilations that a look-up spared, and look-ups that found nothing.
  public private(set) var hits = 0
  public private(set) var misses = 0

  public init(capacity: Int) { statements = BoundedCache(capacity: capacity) }

  public var count: Int { statements.count }

  public func statement(for key: Key) -> Statement? {
    guard let statement = statements.value(for: key) else {
      misses += 1
      return nil
    }
    hits += 1
    return statement
  }

  public func insert(_ statement: Statement, for key: Key) { statements.insert(statement, for: key) }

  /// The cached statement, or a new one compiled from `sql`.
  public func statement(
    for key: Key, on connection: Connection, sql: @autoclosure () -> String, author: Connection.Author = .program
  ) throws(SQLiteError) -> Statement {
    if let statement = statement(for: key) { return statement }
    let statement = try connection.prepare(sql(), for: author)
    insert(statement, for: key)
    return statement
  }

  public func remove(_ key: Key) { statements.remove(key) }
  public func removeAll() { statements.removeAll() }
}
