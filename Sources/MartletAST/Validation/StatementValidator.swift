public import MartletValues

/// Says whether a tree can be rendered, and otherwise which node is at fault and what to do about it.
///
/// Always true: pure and bounded. No schema is consulted, so an unknown table is SQLite's to report.
public struct StatementValidator: Sendable {
  public var limits: Limits
  /// As `sqlite3_libversion_number` gives it.
  public var sqliteVersion: Int
  /// What the engine offers beyond that version of SQLite.
  public var extensions: EngineExtensions
  /// Which tables whoever runs it may use; nil: all.
  public var rules: TableRules?

  public init(
    limits: Limits, sqliteVersion: Int = 3_040_001, extensions: EngineExtensions = EngineExtensions(),
    rules: TableRules? = nil
  ) {
    self.rules = rules
    self.limits = limits
    self.sqliteVersion = sqliteVersion
    self.extensions = extensions
  }

  /// - Throws: `.invalidStatement`, `.limit`, `.unsupported`, or `.permission` if the rules do not allow it, with
  ///   the path of the node at fault.
  public func validate(_ statement: ASTStatement) throws(RequestError) -> StatementFacts {
    let walk = ValidationWalk(self)
    try walk.statement(statement)
    try walk.indexesAreNamedApart()
    var facts = walk.facts
    facts.access = Self.access(of: statement, holdsRaw: facts.holdsRaw)
    facts.returnsRows = Self.returnsRows(statement)
    facts.insertsOneRow = Self.insertsOneRow(statement)
    facts.listParameters = facts.widths.filter { $0.value > 0 }
    facts.parameterCount = facts.widths.keys.max() ?? 0
    return facts
  }

  private static func access(of statement: ASTStatement, holdsRaw: Bool) -> StatementAccess {
    switch statement.kind {
    case .select, .compound, .values: holdsRaw ? .raw : .read
    case .with(let with):
      // Raw text in a common table could end the WITH and begin a write.
      holdsRaw ? .raw : access(of: with.body, holdsRaw: holdsRaw)
    case .insert, .update, .delete: .write
    case .createTable, .alterTable, .createIndex, .createView, .createTrigger, .createVirtualTable, .drop: .schema
    case .raw, nil: .raw
    }
  }

  private static func insertsOneRow(_ statement: ASTStatement) -> Bool {
    guard case .insert(let insert) = statement.kind, insert.or != .replace else { return false }
    switch insert.source {
    case .values(let values): return values.rows.count == 1
    case .defaultValues: return true
    case .query, .rows, nil: return false
    }
  }

  private static func returnsRows(_ statement: ASTStatement) -> Bool {
    switch statement.kind {
    case .select, .compound, .values, .raw: true
    case .with(let with): returnsRows(with.body)
    case .insert(let insert): !insert.returning.isEmpty
    case .update(let update): !update.returning.isEmpty
    case .delete(let delete): !delete.returning.isEmpty
    case .createTable, .alterTable, .createIndex, .createView, .createTrigger, .createVirtualTable, .drop, nil: false
    }
  }
}

/// Functions that an engine registers so that statements can say more than its SQLite can.
///
/// Always true: names are lower case.
public struct EngineExtensions: Sendable, Equatable {
  /// Functions of later versions that the engine registers under their own names.
  public var functions: Set<String>

  /// Aggregates with ORDER BY inside (SQLite 3.44), and the name of the engine's aggregate that stands in for each. It
  /// is called with a text that has one letter pair for each ordering term (`a`scending or `d`escending, then NULLs
  /// `f`irst or `l`ast) after an `x` for DISTINCT, each term's value and the greatest of three texts under its
  /// collation, for DISTINCT the same of the first argument, and then the arguments.
  public var orderedAggregates: [String: String]

  public init(functions: Set<String> = [], orderedAggregates: [String: String] = [:]) {
    self.functions = functions
    self.orderedAggregates = orderedAggregates
  }
}
