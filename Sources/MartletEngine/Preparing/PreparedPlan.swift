import MartletAST
package import MartletSQLite
package import MartletValues
import Synchronization

/// A plan compiled on one connection, with the columns of its result as of its last compilation.
///
/// Always true: used where its connection is; `columns` follows the schema, since SQLite counts its own recompilations.
package final class PreparedPlan {
  /// The cached plan may be made anew while the statement stays; the counters of the one in the cache count.
  package var plan: Plan
  package let statement: Statement

  /// The columns as of the last `refreshColumns`.
  private(set) var columns: ResultColumns
  private var seenCompilations: Int32
  /// When the execution began, as the connection counts.
  fileprivate var beganAt: UInt64 = 0

  init(plan: Plan, statement: Statement) {
    self.plan = plan
    self.statement = statement
    columns = Self.columns(of: statement)
    seenCompilations = statement.reprepareCount
  }

  /// The tables that it reads and writes, with what triggers, views and foreign keys add; what nobody can tell is
  /// everything. SQLite may compile it anew in its first step, so it is asked after that.
  package var access: TableAccess { statement.access }

  /// What it writes.
  var writes: TableSet {
    // It writes what it thinks fit when it runs.
    plan.maintenance == nil ? statement.access.writes : .everything
  }

  /// After the first step of an execution: looks whether SQLite compiled the statement anew.
  package func refreshColumns() {
    let compilations = statement.reprepareCount
    if compilations != seenCompilations {
      seenCompilations = compilations
      noteRecompilation()
      columns = Self.columns(of: statement)
    }
  }

  /// Ends an execution: the statement lets go of its snapshot and its values.
  package func finish() {
    noteRecompilation()
    statement.reset()
    statement.clearBindings()
  }

  func noteRecompilation() { statement.noteRecompilation(since: beganAt) }

  private static func columns(of statement: Statement) -> ResultColumns {
    ResultColumns(
      columns: statement.columnMetadata().map {
        .init(
          name: $0.name, declaredType: $0.declaredType, database: $0.database, table: $0.table, origin: $0.origin)
      })
  }
}

/// The compiled plans of one connection.
///
/// Always true: bounded; one look-up on the way of a cached plan. Used where its connection is.
package final class PreparedPlans {
  private let connection: Connection
  private let limits: Limits
  private let counters: PlanCacheCounters
  private var cache: BoundedCache<Key, PreparedPlan>
  private var rounds = CacheRounds()

  /// Text that was compiled for a client who may not change the schema does not change it, and will not when SQLite
  /// compiles it again: `DROP TABLE IF EXISTS` does nothing until somebody makes the table. So others do not share it.
  private struct Key: Hashable {
    let shape: ShapeID
    let mayChangeSchema: Bool

    // The shape is a digest already.
    func hash(into hasher: inout Hasher) { hasher.combine(shape.high) }
  }

  package init(connection: Connection, limits: Limits, counters: PlanCacheCounters) {
    self.connection = connection
    self.limits = limits
    self.counters = counters
    cache = BoundedCache(capacity: limits.statementsPerConnectionMax)
  }

  /// The compiled plan, compiled now if need be, for a client with these permissions, who runs it next on the
  /// connection. It is reset and has no bindings. Throws what SQLite says about the SQL.
  package func prepared(for plan: Plan, permissions: Permissions = .all) throws(RequestError) -> PreparedPlan {
    let mayChangeSchema = !plan.holdsRaw || permissions.contains(.schema)
    let key = Key(shape: plan.key, mayChangeSchema: mayChangeSchema)
    connection.allowsSchemaChanges = mayChangeSchema
    connection.openTables = plan.openTables
    if let prepared = cache.value(for: key), !prepared.statement.isBusy, prepared.plan.rules == plan.rules {
      prepared.plan = plan
      prepared.beganAt = connection.forgetAccess()
      return prepared
    }
    counters.prepares.wrappingAdd(1, ordering: .relaxed)
    do throws(SQLiteError) {
      let statement = try connection.prepare(plan.sql)
      try tryRules(of: plan)
      statement.hiddenColumns = plan.checksNewRows ? 1 : 0
      let prepared = PreparedPlan(plan: plan, statement: statement)
      if plan.access == .raw { plan.resolve(isReadOnly: prepared.statement.isQuery) }
      prepared.beganAt = connection.accessMoment
      cache.insert(prepared, for: key)
      return prepared
    } catch {
      let stop = connection.limiter.stop
      throw RequestError(error, plan: plan, limits: limits, stop: stop, isCompiling: true)
    }
  }

  /// A condition that does not fit its table may still compile inside of a statement that has names of its own.
  private func tryRules(of plan: Plan) throws(SQLiteError) {
    for trial in plan.trials {
      do throws(SQLiteError) {
        _ = try connection.prepare(trial)
      } catch {
        guard error.code == SQLiteCode.error else { throw error }
        throw SQLiteError(
          extendedCode: SQLiteCode.authorization,
          message: "The server's rules for a table do not fit it (\(error.message)): its operator has to correct them")
      }
    }
  }

  var count: Int { cache.count }

  /// Finalizes statements that nobody has used for a while. Called from time to time, where nothing runs.
  func tick(now: MonotonicTime) {
    if rounds.isOver(now, limits) { cache.endRound(keeping: limits.idleStatementsKept) }
  }

  /// The connection is idle: keeps the statements that were used last.
  func releaseMemory() { cache.shrink(to: limits.idleStatementsKept) }

  package func removeAll() { cache.removeAll() }
}
