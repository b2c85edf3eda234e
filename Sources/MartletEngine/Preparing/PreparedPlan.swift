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
  /// What each column of the execution's last batch has used; empty unless more rows follow it.
  var room: [ColumnValues.Room] = []
  /// When the execution began, as the connection counts.
  fileprivate var beganAt: UInt64 = 0
  /// Nil without rules for tables.
  private var rules: (compiler: RuledCompiler, schema: RuledCompiler.Schema, seenCompilations: Int32)?
  /// SQLite compiled the statement anew, and the rules for its tables do not fit them any more, or it has to be written
  /// in another way: it cannot be used any more.
  private(set) var isMisfit = false

  init(plan: Plan, statement: Statement, rules: (compiler: RuledCompiler, schema: RuledCompiler.Schema)? = nil) {
    self.plan = plan
    self.statement = statement
    self.rules = rules.map { ($0.compiler, $0.schema, statement.reprepareCount) }
    columns = Self.columns(of: statement, plan.rules)
    seenCompilations = statement.reprepareCount
  }

  /// Bytes of memory that the statement and its columns hold, as of the first compilation.
  var byteCount: Int { statement.byteCount + columns.byteCount }

  /// The tables that the statement writes.
  var writes: TableSet {
    // Such a statement decides what it writes only when it runs.
    plan.maintenance == nil ? statement.access.writes : .everything
  }

  /// After the first step of an execution: looks whether SQLite compiled the statement anew.
  package func refreshColumns() {
    let compilations = statement.reprepareCount
    if compilations != seenCompilations {
      seenCompilations = compilations
      noteRecompilation()
      columns = Self.columns(of: statement, plan.rules)
    }
  }

  /// After the first step of an execution: throws if SQLite compiled the statement anew, and the rules do not fit it
  /// any more. The caller then undoes what the statement has done.
  func checkRules() throws(RequestError) {
    guard var rules, statement.reprepareCount != rules.seenCompilations else { return }
    do throws(SQLiteError) {
      rules.schema.version = try rules.compiler.check(plan, compiledFor: rules.schema)
      rules.seenCompilations = statement.reprepareCount
      self.rules = rules
    } catch {
      isMisfit = true
      var refusal = RequestError(error, plan: plan, isCompiling: true)
      // SQLite has undone nothing.
      refusal.sqliteCode = 0
      throw refusal
    }
  }

  /// Ends an execution: the statement lets go of its snapshot and its values.
  package func finish() {
    noteRecompilation()
    room = []
    statement.connection.boundValues(toBytes: nil)
    statement.reset()
    statement.clearBindings()
  }

  func noteRecompilation() { statement.noteRecompilation(since: beganAt) }

  /// The origin of a column is told only for tables that the rules show: behind a view there may be any table.
  private static func columns(of statement: Statement, _ rules: TableRules?) -> ResultColumns {
    ResultColumns(
      columns: statement.columnMetadata().map {
        let isShown = rules?.shows($0.origin, of: $0.table) ?? true
        return .init(
          name: $0.name, declaredType: $0.declaredType, database: isShown ? $0.database : "",
          table: isShown ? $0.table : "", origin: isShown ? $0.origin : "")
      })
  }
}

// MARK: - Values

/// The values of a request, bound to the compiled statement after checking that they fit it.
///
/// Always true: a statement that runs has a value for each of its parameters and none left over, lists where it reads
/// lists and single values elsewhere. Errors name a parameter by its number, never its value.
extension PreparedPlan {
  package func bind(
    _ values: [Value], limits: Limits, restriction: Restriction? = nil
  ) throws(RequestError) {
    var (longest, together) = (0, 0)
    for value in values {
      longest = max(longest, value.textByteCount)
      together += value.textByteCount
    }
    statement.setPace(hasLongValues: longest > limits.inlineValueBytesMax)
    if longest > limits.inlineValueBytesMax { try checkWork(on: longest, of: together, limits) }
    try boundValues(limits)
    // Under rules there is no raw text, and the parameters behind the tree's are claims.
    let wanted = plan.rules == nil ? max(statement.parameterCount, plan.parameterCount) : plan.parameterCount
    guard values.count == wanted else { throw .parameterCount(values.count, wanted: wanted) }
    if !plan.valueDemands.isEmpty { try Self.check(values, plan.valueDemands, limits) }
    try checkPatterns(values)
    // Raw text may use parameters that the tree does not name, and a tree parameters that SQLite dropped; the latter
    // cannot be bound.
    let bindable = min(values.count, statement.parameterCount)
    let hasLists = !plan.listParameters.isEmpty
    for index in 0..<bindable {
      if hasLists, let width = plan.listParameters[index + 1] {
        try bindList(values[index], width: width, at: index + 1, limits: limits)
      } else {
        try bindScalar(values[index], at: index + 1)
      }
    }
    for (index, claim) in plan.claims.enumerated() {
      let value = restriction?.claims[claim].map { Value.text($0) } ?? .null
      try bindScalar(value, at: plan.parameterCount + index + 1)
    }
  }

  /// Nobody can end a step within one row of a full-text table.
  private func checkPatterns(_ values: [Value]) throws(RequestError) {
    let most = statement.connection.patternWorkMax
    guard most < .max else { return }
    let use: FullTextUse?
    do throws(SQLiteError) { use = try statement.fullTextUse } catch {
      throw RequestError(error, plan: plan, stop: statement.connection.limiter.interruption)
    }
    guard let use else { return }
    let work = statement.connection.work(of: use.patterns) { parameter in
      values.indices.contains(parameter - 1) ? values[parameter - 1].patternText : ""
    }
    guard let work else { throw .patternUnknown }
    guard work <= most else { throw .patternWork(work, max: most) }
  }

  /// The error that SQLite would report when it uses the value. Under rules it is reported before a row is read,
  /// because whether SQLite uses the value would tell something about rows of others.
  private static func check(_ values: [Value], _ demands: ValueDemands, _ limits: Limits) throws(RequestError) {
    for index in demands.wholeNumbers where values.indices.contains(index - 1) && !values[index - 1].isWhole {
      throw RequestError(SQLiteError(extendedCode: SQLiteCode.mismatch, message: ""))
    }
    for index in demands.patterns where values.indices.contains(index - 1) {
      guard values[index - 1].textByteCount > limits.likePatternBytesMax else { continue }
      throw RequestError(SQLiteError(extendedCode: SQLiteCode.error, message: "LIKE or GLOB pattern too complex"))
    }
  }

  @inline(__always)
  private func bindScalar(_ value: Value, at index: Int) throws(RequestError) {
    do throws(SQLiteError) {
      switch value {
      case .integer(let integer): try statement.bind(integer, at: index)
      case .text(let text): try statement.bindText(text, at: index)
      case .real(let real): try statement.bind(real, at: index)
      case .null: try statement.bindNull(at: index)
      case .blob(let blob): try bindBlob(blob, at: index)
      case .rows: throw SQLiteError(extendedCode: SQLiteCode.mismatch, message: "")
      }
    } catch {
      throw Self.refusal(error, index)
    }
  }

  private func bindBlob(_ blob: [UInt8], at index: Int) throws(SQLiteError) {
    let result = blob.withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in try statement.bindBlob(bytes, at: index) }
    }
    try result.get()
  }

  private func bindList(_ value: Value, width: Int, at index: Int, limits: Limits) throws(RequestError) {
    guard case .rows(let batch) = value else {
      throw .parameterIsList(index)
    }
    let most = width == 1 ? limits.listValuesMax : limits.bulkRowsMax
    guard batch.rowCount <= most else {
      throw .parameterRowsTooMany(index, rowsMax: most)
    }
    // An empty batch may come without its columns.
    guard batch.columns.count == width || batch.rowCount == 0 else {
      throw .parameterColumns(index, given: batch.columns.count, wanted: width)
    }
    guard let rows = RowsPointer.copy(of: batch) else {
      throw .parameterRowsMalformed(index)
    }
    do throws(SQLiteError) {
      try statement.bind(rows, at: index)
    } catch {
      throw Self.refusal(error, index)
    }
  }

  private static func refusal(_ error: SQLiteError, _ index: Int) -> RequestError {
    switch error.code {
    case SQLiteCode.tooBig:
      .parameterTooLong(index, sqliteCode: error.extendedCode)
    case SQLiteCode.mismatch:
      .parameterIsNoList(index)
    default:
      .parameterNotBound(index, sqliteCode: error.extendedCode)
    }
  }
}

extension Value {
  /// Whether SQLite takes it for a number of rows, without reading a text.
  fileprivate var isWhole: Bool {
    switch self {
    case .integer: true
    case .real(let real): Int64(exactly: real) != nil
    case .text, .blob, .null, .rows: false
    }
  }

  /// What a full-text table reads of it, up to its first NUL.
  fileprivate var patternText: String {
    switch self {
    case .text(let text): text
    case .blob(let blob): String(decoding: blob, as: UTF8.self)
    case .integer, .real, .null, .rows: ""
    }
  }

  fileprivate var textByteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.count
    case .integer, .real, .null, .rows: 0
    }
  }
}

// MARK: - The plans of a connection

/// The compiled plans of one connection.
///
/// Always true: bounded in statements and in bytes; one look-up on the way of a cached plan. Used where its connection
/// is.
package final class PreparedPlans {
  private let connection: Connection
  private let limits: Limits
  private let counters: PlanCacheCounters
  private var cache: BoundedCache<Key, PreparedPlan>
  private let compiler: RuledCompiler
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
    compiler = RuledCompiler(connection: connection, limits: limits)
    cache = BoundedCache(
      capacity: limits.statementsPerConnectionMax, bytesMax: limits.statementBytesPerConnectionMax)
  }

  /// The compiled plan, compiled now if need be, for a client with these permissions, who runs it next on the
  /// connection. It is reset and has no bindings. Throws what SQLite says about the SQL.
  package func prepared(for plan: Plan, permissions: Permissions = .all) throws(RequestError) -> PreparedPlan {
    if let kept = kept(for: plan, permissions: permissions) { return kept }
    return try compiled(for: plan, permissions: permissions)
  }

  /// The same if it has been compiled before; nil if it must be compiled now.
  func kept(for plan: Plan, permissions: Permissions) -> PreparedPlan? {
    let key = key(for: plan, permissions)
    connection.allowsSchemaChanges = key.mayChangeSchema
    guard let prepared = cache.value(for: key), !prepared.statement.isBusy, prepared.plan.rules == plan.rules,
      !prepared.statement.isOutgrown, !prepared.isMisfit
    else { return nil }
    prepared.plan = plan
    prepared.beganAt = connection.forgetAccess()
    return prepared
  }

  /// The same, compiled now.
  func compiled(for plan: Plan, permissions: Permissions) throws(RequestError) -> PreparedPlan {
    let key = key(for: plan, permissions)
    connection.allowsSchemaChanges = key.mayChangeSchema
    counters.prepares.wrappingAdd(1, ordering: .relaxed)
    do throws(SQLiteError) {
      let prepared = try compiled(plan)
      if plan.access == .raw { plan.resolve(isReadOnly: prepared.statement.isQuery) }
      prepared.beganAt = connection.accessMoment
      cache.insert(prepared, for: key, bytes: prepared.byteCount)
      return prepared
    } catch {
      let stop = connection.limiter.stop
      throw RequestError(error, plan: plan, limits: limits, stop: stop, isCompiling: true)
    }
  }

  private func key(for plan: Plan, _ permissions: Permissions) -> Key {
    Key(shape: plan.key, mayChangeSchema: plan.rules == nil && (!plan.holdsRaw || permissions.contains(.schema)))
  }

  private func compiled(_ plan: Plan) throws(SQLiteError) -> PreparedPlan {
    guard plan.rules != nil else { return PreparedPlan(plan: plan, statement: try connection.prepare(plan.sql)) }
    let compiled = try compiler.compile(plan)
    // Set before anybody asks for its columns, because the last one's name is a condition.
    compiled.statement.hiddenColumns = plan.checksNewRows ? 1 : 0
    return PreparedPlan(plan: plan, statement: compiled.statement, rules: (compiler, compiled.schema))
  }

  var count: Int { cache.count }

  /// The schema has changed: SQLite would compile each statement anew when it runs next, and nobody could count what it
  /// is made of then.
  func removeAll() { cache.shrink(to: 0, bytes: 0) }

  /// Finalizes statements that nobody has used for a while. Called from time to time, while nothing runs.
  func tick(now: MonotonicTime) {
    guard rounds.isOver(now, limits) else { return }
    cache.endRound(keeping: limits.idleStatementsKept, bytes: limits.idleStatementBytesKept)
  }

  /// The connection is idle: keeps the statements that were used last.
  func releaseMemory() { cache.shrink(to: limits.idleStatementsKept, bytes: limits.idleStatementBytesKept) }
}
