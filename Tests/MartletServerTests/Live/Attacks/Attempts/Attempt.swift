import MartletAST
import MartletValues

/// Somebody's attempt to learn or change what is not his, and what comes of it.
///
/// Always true: if it names something that is there and hidden, it can name something that is not there instead, so
/// that the two answers can be compared.
struct Attempt: Sendable {
  typealias Tree = @Sendable (_ hidden: String) -> ASTStatement

  /// Who tries; each has a role and a token of its own.
  enum Attacker: String, CaseIterable, Sendable {
    /// Some columns of its own rows, and tables that are open.
    case tenant
    /// Some columns of all rows, and nothing to write.
    case reader
    /// New rows in two tables, and nothing to read.
    case inserter
  }

  enum Outcome: Sendable {
    /// PERMISSION, before anything runs.
    case refused
    /// An error for this reason, which tells nothing.
    case fails(RequestError.Reason)
    /// It is harmless: these rows come, and nothing hidden is among them.
    case rows([[Value]])
    /// It is harmless: so many rows of its own change.
    case changes(Int64)
    /// It is harmless: no row comes, and none changes; if it fails, it also fails if the hidden thing is not there.
    case nothing
  }

  let name: String
  let who: Attacker
  /// What is there and hidden; empty: the attempt names nothing such.
  let hidden: String
  /// What is nowhere.
  let invented: String
  let values: [Value]
  let outcome: Outcome
  let tree: Tree

  static func refused(
    _ name: String, _ who: Attacker = .tenant, _ hidden: String = "", not invented: String = "nothing_there",
    _ tree: @escaping Tree
  ) -> Attempt {
    Attempt(
      name: name, who: who, hidden: hidden, invented: invented, values: [], outcome: .refused, tree: tree)
  }

  static func fails(
    _ name: String, _ reason: RequestError.Reason, _ who: Attacker = .tenant, _ hidden: String = "",
    not invented: String = "nothing_there", _ tree: @escaping Tree
  ) -> Attempt {
    Attempt(
      name: name, who: who, hidden: hidden, invented: invented, values: [], outcome: .fails(reason), tree: tree)
  }

  /// SQLite does not know it: there is no such column in what the client sees.
  static func unknown(
    _ name: String, _ who: Attacker = .tenant, _ hidden: String = "secret", not invented: String = "nothing_there",
    _ tree: @escaping Tree
  ) -> Attempt {
    fails(name, .invalidStatement, who, hidden, not: invented, tree)
  }

  static func gives(
    _ name: String, _ rows: [[Value]], _ who: Attacker = .tenant, _ tree: @escaping @Sendable () -> ASTStatement
  ) -> Attempt {
    Attempt(name: name, who: who, hidden: "", invented: "", values: [], outcome: .rows(rows)) { _ in tree() }
  }

  static func changes(
    _ name: String, _ count: Int64, _ who: Attacker = .tenant, _ values: [Value] = [],
    _ tree: @escaping @Sendable () -> ASTStatement
  ) -> Attempt {
    Attempt(name: name, who: who, hidden: "", invented: "", values: values, outcome: .changes(count)) { _ in tree() }
  }
}

/// Trees in few words.
enum Ask {
  static func select(
    _ columns: ASTExpression..., from table: String, _ change: (inout ASTSelect) -> Void = { _ in }
  ) -> ASTStatement {
    .select {
      $0.columns = columns.map { .expression($0) }
      $0.from = .table(table)
      change(&$0)
    }
  }

  /// `SELECT "id" FROM "plain" …`, of which everybody who reads may read all.
  static func plain(_ change: (inout ASTSelect) -> Void) -> ASTStatement {
    select(.column("id"), from: "plain", change)
  }

  /// `SELECT "id" FROM "notes" … ORDER BY "id"`
  static func notes(_ change: (inout ASTSelect) -> Void = { _ in }) -> ASTStatement {
    select(.column("id"), from: "notes") {
      $0.orderBy = [.by(.column("id"))]
      change(&$0)
    }
  }

  static func value(_ expression: ASTExpression) -> ASTStatement {
    .select { $0.columns = [.expression(expression)] }
  }

  /// `(SELECT "x" FROM …)` as a value.
  static func one(_ column: String, from table: String) -> ASTExpression {
    .subquery(select(.column(column), from: table))
  }

  static func update(_ change: (inout ASTUpdate) -> Void) -> ASTStatement {
    .update("notes") {
      $0.assignments = [.set("body", .literal("taken"))]
      change(&$0)
    }
  }

  static func delete(_ change: (inout ASTDelete) -> Void) -> ASTStatement { .delete(from: "notes", change) }

  /// A row of the tenant's own, if its tenant is not changed.
  static func insert(_ tenant: String = "a", _ change: (inout ASTInsert) -> Void = { _ in }) -> ASTStatement {
    .insert(into: "notes", ["title", "tenant"]) {
      $0.values = .rows([[.literal("new"), .literal(tenant)]])
      change(&$0)
    }
  }

  static func equal(_ left: ASTExpression, _ right: ASTExpression) -> ASTExpression { .call(.equal, left, right) }

  static func all(_ table: String) -> ASTStatement { .select { $0.from = .table(table) } }
}
