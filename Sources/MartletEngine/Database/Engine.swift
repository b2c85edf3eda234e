/// All databases of one data directory, opened on demand and closed when idle.
///
/// Always true: no other engine, in this process or another, has the same directory open.
public import MartletAST

public final class Engine: Sendable {
  public let configuration: EngineConfiguration

  /// Takes the directory's lock file. Throws where another server holds it, or the directory cannot be used.
  public init(configuration: EngineConfiguration) throws(RequestError) {
    self.configuration = configuration
  }

  /// The open database of that name (`[A-Za-z0-9_-]{1,64}`), opened if need be, made if `create` says so.
  /// Throws UNKNOWN_DATABASE where there is none.
  public func database(named name: String, create: Bool) throws(RequestError) -> Database {
    throw .notBuilt
  }

  /// Closes databases that nobody has used for `limits.databaseIdleMs`. A server calls it from a timer.
  public func closeIdle() {}

  /// Lets the writers finish what they have taken, then closes everything: readers first, the writer last.
  public func shutdown() {}

  /// Named totals since the start, and gauges; the names are stable.
  public func counters() -> [(name: String, value: Int64)] { [] }

  /// The shapes that took the most time, at most `limit`.
  public func shapes(limit: Int) -> [ShapeStatistics] { [] }
}
