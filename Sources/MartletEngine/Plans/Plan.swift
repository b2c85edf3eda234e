package import MartletAST
import MartletSQLite
import MartletValues
import Synchronization

/// What the engine knows about one shape: its SQL, what it may do, which parameters it takes, and what it has cost.
///
/// Always true: it is made once from the tree's bytes and shared by all threads; only its counters change, and its
/// access changes once, from raw to what SQLite says.
package final class Plan: Sendable {
  /// The hash of the statement's bytes, by which clients name the shape.
  let shape: ShapeID
  /// The key under which caches keep it: the shape, or another key under rules for tables.
  let key: ShapeID
  /// The rules for tables under which its SQL was written.
  let rules: TableRules?
  /// Claims that follow the request's values as parameters.
  let claims: [String]
  /// The last result column only checks rows that were written.
  let checksNewRows: Bool
  /// Queries that have to compile before its SQL may.
  let trials: [String]
  /// Tables whose rows the SQL finds again by their numbers.
  let lookups: [String]
  /// What the statement's values have to be under rules for tables.
  let valueDemands: ValueDemands
  /// The SQL evaluates the condition of a rule for a row before anything else of that row.
  let isGuarded: Bool
  /// What the tree names under rules for tables.
  let treeReach: TreeReach
  package let sql: String
  /// The widths of list parameters by index, counted from 1.
  let listParameters: [Int: Int]
  /// The highest parameter that the tree names; raw text may have more, which only SQLite can count.
  let parameterCount: Int
  let holdsRaw: Bool
  /// What the subject must be allowed, as far as the tree shows it. What raw text does to the schema shows when SQLite
  /// compiles it: see `PreparedPlans.prepared`.
  let needs: Permissions
  package let returnsRows: Bool
  /// It writes one row, and what triggers write.
  let insertsOneRow: Bool
  /// What the raw text does to the file as a whole; nil if it is about rows.
  let maintenance: Maintenance?
  /// The statement makes, alters or drops something in the schema, or writes the file anew: every connection reads the
  /// schema again after it.
  let changesSchema: Bool
  let counters = PlanCounters()
  /// A `WriteJudgement`; the writer's thread alone changes it.
  private let writeJudgement = Atomic<UInt64>(0)
  /// A `SavepointJudgement`; the writer's thread alone changes it.
  private let savepointJudgement = Atomic<UInt64>(0)

  /// How long SQLite takes to compile the raw text.
  enum Complexity: UInt8 {
    case unknown
    /// Too long for an event loop.
    case slow
    /// SQLite takes longer than it may.
    case tooComplex
  }

  private let heaviness = Atomic<UInt8>(Complexity.unknown.rawValue)

  var complexity: Complexity { Complexity(rawValue: heaviness.load(ordering: .relaxed)) ?? .unknown }

  func note(_ complexity: Complexity) { heaviness.store(complexity.rawValue, ordering: .relaxed) }

  private let judgement = Mutex(InlineJudgement())
  private let columns = Mutex<[ParameterColumn]?>(nil)
  private let bytes: [UInt8]
  private let renderedAccess: StatementAccess
  private let resolution = Atomic<UInt8>(0)

  init(shape: ShapeID, bytes: [UInt8], rendered: RenderedStatement, restriction: Restriction? = nil) {
    key = restriction?.key(of: shape) ?? shape
    rules = restriction?.rules
    claims = rendered.claims
    checksNewRows = rendered.checksNewRows
    trials = rendered.trials
    lookups = rendered.lookups
    valueDemands = rendered.valueDemands
    isGuarded = rendered.isGuarded
    treeReach = rendered.reach
    self.shape = shape
    self.bytes = bytes
    sql = rendered.sql
    listParameters = rendered.listParameters
    parameterCount = rendered.parameterCount
    holdsRaw = rendered.holdsRaw
    returnsRows = rendered.returnsRows
    insertsOneRow = rendered.insertsOneRow && !rendered.holdsRaw
    maintenance = rendered.holdsRaw ? Maintenance(rendered.sql) : nil
    renderedAccess = rendered.access
    needs = maintenance == nil ? rendered.needs : rendered.needs.union(.maintain)
    changesSchema = rendered.access == .schema || rendered.holdsRaw && Self.beginsLikeAChange(rendered.sql)
  }

  private static func beginsLikeAChange(_ sql: String) -> Bool {
    switch SQLTokens.firstWord(of: sql) {
    case "CREATE", "ALTER", "DROP", "ANALYZE", "VACUUM": true
    default: false
    }
  }

  /// `.raw` only while nobody could compile the raw text.
  var access: StatementAccess {
    guard renderedAccess == .raw else { return renderedAccess }
    if maintenance != nil { return .write }
    switch resolution.load(ordering: .acquiring) {
    case 1: return .read
    case 2: return .write
    default: return .raw
    }
  }

  /// SQLite has compiled the raw text and told whether it writes.
  func resolve(isReadOnly: Bool) { resolution.store(isReadOnly ? 1 : 2, ordering: .releasing) }

  /// Whether a read of the shape goes straight to the long ones, because the last ones had to begin again there.
  func isPresumedLong() -> Bool { judgement.withLock { !$0.readArrived() } }

  /// Whether a read of the shape comes before those of which nothing is known.
  var isKnownBrief: Bool { judgement.withLock { $0.isKnownLight } }

  func wasLong() { judgement.withLock { $0.wasHeavy() } }

  func wasNotBrief() { judgement.withLock { $0.wasNotBrief() } }

  func wasBrief() { judgement.withLock { $0.wasLight() } }

  /// What is known of how long its writes take.
  var writeStanding: WriteJudgement.Standing {
    WriteJudgement(bits: writeJudgement.load(ordering: .relaxed)).standing
  }

  /// Whether the plan was made for the subject's rules. A client may send any shape, and so any key.
  @inline(__always)
  func isMade(for subject: Subject) -> Bool { rules?.id == subject.restriction?.rules.id }

  /// On the writer's thread only.
  func judgeWrite(_ event: (inout WriteJudgement) -> Void) {
    let bits = writeJudgement.load(ordering: .relaxed)
    var judgement = WriteJudgement(bits: bits)
    event(&judgement)
    if judgement.bits != bits { writeJudgement.store(judgement.bits, ordering: .relaxed) }
  }

  /// What is known of how its writes fail.
  var savepoint: SavepointJudgement { SavepointJudgement(bits: savepointJudgement.load(ordering: .relaxed)) }

  /// On the writer's thread only.
  func judgeSavepoint(_ event: (inout SavepointJudgement) -> Void) {
    let bits = savepointJudgement.load(ordering: .relaxed)
    var judgement = SavepointJudgement(bits: bits)
    event(&judgement)
    if judgement.bits != bits { savepointJudgement.store(judgement.bits, ordering: .relaxed) }
  }

  /// About how many bytes of memory the plan takes; the cache is bounded by it.
  var byteCount: Int { bytes.count + sql.utf8.count + 512 }

  /// Which parameters stand for which columns: found out when first asked, and kept.
  func parameterColumns(limits: Limits) -> [ParameterColumn] {
    if let known = columns.withLock({ $0 }) { return known }
    let found = (try? ASTStatement.decode(bytes, limits: limits))?.parameterColumns ?? []
    columns.withLock { $0 = found }
    return found
  }

  /// The node of the tree at a byte of the SQL. Renders again, so it is for errors only.
  func path(atOffset offset: Int, limits: Limits) -> String {
    renderedAgain(limits)?.path(atOffset: offset) ?? ""
  }

  /// The most deeply nested node. Renders again, so it is for errors only.
  func deepestPath(limits: Limits) -> String { renderedAgain(limits)?.deepestPath ?? "" }

  private func renderedAgain(_ limits: Limits) -> RenderedStatement? {
    guard let rendered = rendered(limits, collectsSpans: true), rendered.sql == sql else { return nil }
    return rendered
  }

  private func rendered(
    _ limits: Limits, collectsSpans: Bool = false, _ change: (inout StatementRenderer) -> Void = { _ in }
  ) -> RenderedStatement? {
    var renderer = StatementRenderer(limits: limits).onThisLibrary
    renderer.rules = rules
    change(&renderer)
    guard let tree = try? ASTStatement.decode(bytes, limits: limits) else { return nil }
    return try? renderer.render(tree, collectsSpans: collectsSpans)
  }
}

// MARK: - Under rules for tables

extension Plan {
  /// The same statement, with the same parameters. `isGuarded`: nothing of it is evaluated for a row before the row's
  /// own condition. `sealing`: these tables are read in subqueries that SQLite does not merge into the query around
  /// them. Nil if the SQL would be too long.
  func sql(isGuarded: Bool, sealing tables: Set<String>, _ limits: Limits) -> String? {
    let rendered = rendered(limits) {
      $0.isGuarded = isGuarded
      $0.sealedTables = tables
    }
    guard let rendered, rendered.claims == claims else { return nil }
    return rendered.sql
  }

  /// The SQL without the values that stand in the tree's nodes; those of conditions are the operator's and stay.
  func shownSQL(_ limits: Limits) -> String { rendered(limits) { $0.hidesValues = true }?.sql ?? "" }

  /// What SQLite may touch for the statement, beside what the conditions read; nil: everything.
  func reach(conditions: ReadColumns, schema: SchemaDeeds) -> StatementReach? {
    guard let rules else { return nil }
    var tables: [String: StatementReach.Table] = [:]
    for name in treeReach.tables {
      if let rule = rules.tables[name] { tables[name] = StatementReach.Table(rule) }
    }
    return StatementReach(
      tables: tables, commonTables: treeReach.commonTables,
      tableFunctions: treeReach.functions.union(["martlet_rows", "martlet_list"]),
      closedFunctions: RuledFunctions.closed, conditions: conditions, schema: schema)
  }
}

extension StatementReach.Table {
  fileprivate init(_ rule: TableRule) {
    let words: [(Permissions, Deed)] = [
      (.select, .read), (.insert, .insert), (.update, .update), (.delete, .delete),
    ]
    func set(_ columns: [String]?) -> Set<String>? { columns.map { Set($0.map(\.lowercasedASCII)) } }
    self.init(
      deeds: Set(words.filter { rule.permissions.contains($0.0) }.map(\.1)), readColumns: set(rule.readColumns),
      writtenColumns: set(rule.writeColumns))
  }
}

extension StatementRenderer {
  /// The same renderer for the SQLite of this process, with what every connection registers beyond it.
  package var onThisLibrary: StatementRenderer {
    StatementRenderer(
      limits: limits, sqliteVersion: SQLiteLibrary.version,
      extensions: EngineExtensions(functions: ProgramFunctions.all, orderedAggregates: OrderedAggregates.names))
  }
}

/// What a shape has cost so far. Any thread adds to the numbers; they are not read as of one moment.
final class PlanCounters: Sendable {
  let executions = Atomic<UInt64>(0)
  let errors = Atomic<UInt64>(0)
  let rows = Atomic<UInt64>(0)
  let nanoseconds = Atomic<UInt64>(0)

  /// One execution has ended, after `elapsed` nanoseconds in SQLite.
  func record(rows count: Int64, nanoseconds elapsed: UInt64, failed: Bool = false) {
    record(executions: 1, errors: failed ? 1 : 0, rows: UInt64(max(0, count)), nanoseconds: elapsed)
  }

  func record(executions ended: UInt64, errors failed: UInt64, rows count: UInt64, nanoseconds elapsed: UInt64) {
    executions.wrappingAdd(ended, ordering: .relaxed)
    if failed > 0 { errors.wrappingAdd(failed, ordering: .relaxed) }
    if count > 0 { rows.wrappingAdd(count, ordering: .relaxed) }
    nanoseconds.wrappingAdd(elapsed, ordering: .relaxed)
  }
}
