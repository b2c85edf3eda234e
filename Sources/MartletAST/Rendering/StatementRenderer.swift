public import MartletValues

/// A tree to SQL: validates it first, then writes it, both with the same paths to its nodes.
///
/// Always true: a tree without raw nodes renders to one statement in which every name is quoted and every text escaped.
public struct StatementRenderer: Sendable {
  public var limits: Limits
  /// As `sqlite3_libversion_number` gives it.
  public var sqliteVersion: Int
  /// What the engine offers beyond that version of SQLite.
  public var extensions: EngineExtensions
  /// Which tables, columns and rows whoever runs it may use; nil: all.
  public var rules: TableRules?
  /// Under rules, nothing of a tree is evaluated for a row before the row's own condition, as if the tree might fail.
  public var isGuarded = false
  /// Tables under rules, in lower case, that are read in subqueries that SQLite does not merge into the query around
  /// them.
  public var sealedTables: Set<String> = []
  /// Writes `?` for each number, text and blob that stands in the tree: for people to read, and not for SQLite.
  public var hidesValues = false

  public init(
    limits: Limits, sqliteVersion: Int = 3_040_001, extensions: EngineExtensions = EngineExtensions(),
    rules: TableRules? = nil
  ) {
    self.rules = rules
    self.limits = limits
    self.sqliteVersion = sqliteVersion
    self.extensions = extensions
  }

  /// - Parameter collectsSpans: whether the result can say which node gave which part of the SQL. It costs a little, so
  ///   render again with it if SQLite refused what was rendered without.
  /// - Throws: `.invalidStatement`, `.limit`, `.unsupported` or `.permission` with the path of the node at fault.
  public func render(_ statement: ASTStatement, collectsSpans: Bool = false) throws(RequestError) -> RenderedStatement {
    let facts = try StatementValidator(
      limits: limits, sqliteVersion: sqliteVersion, extensions: extensions, rules: rules
    )
    .validate(statement)
    let writer = SQLWriter(
      orderedAggregates: sqliteVersion < 3_044_000 ? extensions.orderedAggregates : [:], collectsSpans: collectsSpans,
      rules: rules.map {
        RowRules(
          $0, parameterCount: facts.parameterCount, isGuarded: facts.mayFail || isGuarded, sealed: sealedTables)
      })
    writer.hidesValues = hidesValues
    writer.hasRightJoin = facts.hasRightJoin
    writer.statement(statement)
    guard writer.bytes.count <= limits.sqlBytesMax else {
      throw .sqlTooLong(limits)
    }
    let sql = String(decoding: writer.bytes, as: UTF8.self)
    let asksPragmas = facts.holdsRaw && RawPragmas.areAsked(in: sql)
    return RenderedStatement(
      sql: sql, parameterCount: facts.parameterCount,
      listParameters: facts.listParameters, access: facts.access, holdsRaw: facts.holdsRaw,
      needs: asksPragmas ? facts.needs.union(.pragmas) : facts.needs, returnsRows: facts.returnsRows,
      insertsOneRow: facts.insertsOneRow, claims: writer.rules?.claims ?? [],
      checksNewRows: writer.rules?.checksNewRows ?? false, trials: writer.rules?.trials ?? [],
      isGuarded: writer.rules?.isGuarded ?? false, lookups: writer.rules?.lookups ?? [], reach: facts.reach,
      valueDemands: facts.valueDemands, spans: writer.spans)
  }
}
