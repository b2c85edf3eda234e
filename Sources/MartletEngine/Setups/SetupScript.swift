import MartletAST
import MartletSQLite
import MartletValues

/// A database setup as SQL that each connection of its sessions runs once, when it is opened.
///
/// Always true: the trees were checked when it was made; what they can do to a connection is make temporary views and
/// triggers, and nothing else, since raw text among them is held to that by SQLite's authorizer.
final class SetupScript: Sendable {
  let setup: DatabaseSetup
  private let limits: Limits
  private let plans: [Plan]
  /// What the subject of a session must be allowed to have it. What is temporary changes no schema.
  let needs: Permissions

  /// Throws PERMISSION if the subject may not have it. Its views and triggers would act on tables in their own name,
  /// so a subject with rules for tables has none.
  func check(_ subject: Subject) throws(RequestError) {
    try subject.check(needs)
    for (index, plan) in plans.enumerated() {
      do throws(RequestError) { try subject.check(plan.shape) } catch { throw error.inSetup(index) }
    }
    guard !isEmpty, subject.restriction != nil else { return }
    throw .setupOfRestricted
  }

  /// What connections without a setup run: nothing.
  static let empty = SetupScript()

  var id: ShapeID { setup.id }
  var isEmpty: Bool { setup.isEmpty }

  /// About how many bytes the script takes: its trees, and their SQL here and in the schema of a connection.
  var byteCount: Int { 4_096 + 3 * setup.statements.reduce(0) { $0 &+ $1.count } }

  private init() {
    setup = .empty
    limits = Limits()
    plans = []
    needs = []
  }

  /// Throws what is wrong with a statement, with its place in the setup in the path.
  init(_ setup: DatabaseSetup, limits: Limits) throws(RequestError) {
    let bytes = setup.statements.reduce(0) { $0 &+ $1.count }
    guard setup.statements.count <= limits.setupStatementsMax, bytes <= limits.setupBytesMax else {
      throw .setupTooLarge(limits)
    }
    self.setup = setup
    self.limits = limits
    var plans: [Plan] = []
    for (index, statement) in setup.statements.enumerated() {
      do throws(RequestError) {
        plans.append(try Self.plan(statement, limits: limits))
      } catch {
        throw error.inSetup(index)
      }
    }
    self.plans = plans
    needs = plans.reduce(into: Permissions()) { $0.formUnion($1.needs) }.subtracting(.schema)
  }

  private static func plan(
    _ bytes: [UInt8], limits: Limits
  ) throws(RequestError) -> Plan {
    let tree = try ASTStatement.decode(bytes, limits: limits)
    try tree.checkBelongsInSetup()
    let rendered = try StatementRenderer(limits: limits, sqliteVersion: SQLiteLibrary.version).render(tree)
    guard rendered.parameterCount == 0 else {
      throw .setupWithParameters
    }
    let shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
    return Plan(shape: shape, bytes: bytes, rendered: rendered)
  }

  /// Whether the SQL begins as a temporary trigger does. Whether it really is one, SQLite says when its table is there.
  private static func makesTrigger(_ sql: String) -> Bool {
    let words = sql.split(maxSplits: 3, whereSeparator: \.isWhitespace).prefix(3).map { $0.uppercased() }
    return words == ["CREATE", "TEMPORARY", "TRIGGER"] || words == ["CREATE", "TEMP", "TRIGGER"]
  }

  /// Runs the statements on a connection that is in no transaction; `only`: those, and not all.
  ///
  /// Returns the statements whose tables are not there: a trigger can be made when its table has been. Throws what
  /// SQLite says about any other.
  @discardableResult
  func apply(to connection: Connection, only: [Int]? = nil) throws(RequestError) -> [Int] {
    if isEmpty { return [] }
    var left: [Int] = []
    for index in only ?? Array(plans.indices) {
      do throws(SQLiteError) {
        try connection.makeTemporary(plans[index].sql)
      } catch {
        if case .table? = error.missing, Self.makesTrigger(plans[index].sql) {
          left.append(index)
        } else {
          throw RequestError(error, plan: plans[index], limits: limits, isCompiling: true).inSetup(index)
        }
      }
    }
    return left
  }
}
