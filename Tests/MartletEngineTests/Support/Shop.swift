/// A database with tables whose constraints, triggers and keys let a write fail in every way that matters to its
/// neighbours.
import MartletAST
import MartletTestSupport
import MartletValues

@testable import MartletEngine

struct Shop {
  let base: TemporaryDatabase
  let sink = CollectingSink()

  static let schema = [
    "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT UNIQUE, qty INTEGER NOT NULL CHECK(qty >= 0))",
    "CREATE TABLE parent(id INTEGER PRIMARY KEY)",
    "CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)",
    "CREATE TABLE poison(id INTEGER PRIMARY KEY)",
    "CREATE TRIGGER poison_rollback BEFORE INSERT ON poison BEGIN SELECT RAISE(ROLLBACK, 'poisoned'); END",
    "CREATE TABLE numbers(n INTEGER)",
    "CREATE TABLE log(id INTEGER PRIMARY KEY, note TEXT)",
    "CREATE TABLE slow(n INTEGER)",
    """
    CREATE TRIGGER slow_insert AFTER INSERT ON slow WHEN new.n > 0 BEGIN
      DELETE FROM numbers WHERE n IN (
        SELECT a.n FROM numbers AS a, numbers AS b, numbers AS c, numbers AS d, numbers AS e
        WHERE a.n + b.n + c.n + d.n + e.n < 0);
    END
    """,
  ]

  static let insertItem = Trees.insert("item", ["id", "name", "qty"], returning: ["id", "name"])
  static let insertItemOrRollback = Trees.insert("item", ["id", "name", "qty"], or: .rollback)
  static let insertItemOrIgnore = Trees.insert("item", ["id", "name", "qty"], or: .ignore)
  static let insertParent = Trees.insert("parent", ["id"])
  static let insertChild = Trees.insert("child", ["id", "parent"])
  static let insertPoison = Trees.insert("poison", ["id"])
  static let addAndGrow = Trees.insert("log", ["id", "note"])
  static let insertSlow = Trees.insert("slow", ["n"])
  static let addQuantity = Trees.add("item", to: "qty", key: "id", returning: ["qty"])
  static let items = Trees.select(["id", "name", "qty"], from: "item")

  init(configure: (inout EngineConfiguration) -> Void = { _ in }) throws {
    base = try TemporaryDatabase(configure: configure)
    for sql in Self.schema { try base.sql(sql) }
    try base.run(Trees.insertRows("numbers", ["n"]), [.list((1...200).map { .integer($0) })])
  }

  var database: Database { base.database }

  /// Starts a statement and returns its token.
  @discardableResult
  func start(
    _ statement: [UInt8], _ parameters: [Value] = [], deadline: MonotonicTime = .distantFuture, credit: Int = .max
  ) -> (token: RequestToken, execution: Execution) {
    let token = sink.token()
    let request = StatementRequest(
      source: .statement(statement), parameters: parameters, deadline: deadline, credit: credit)
    return (token, database.start(request, token: token, sink: sink))
  }

  /// Holds the writer, so that what is started meanwhile waits and then runs as one group.
  func together(_ body: () throws -> Void) rethrows {
    // Of a session of its own, so that no test's request has the same number.
    let begin = RequestToken(session: .max, request: sink.token().request)
    let gate = database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    _ = sink.outcome(of: begin)
    try body()
    let end = RequestToken(session: .max, request: sink.token().request)
    gate.finish(commit: false, token: end, sink: sink)
    _ = sink.outcome(of: end)
  }

  /// So many writes have succeeded that those which need no savepoint beside others have none.
  func prove() throws {
    let writes: [([UInt8], [Value])] = [
      (Self.insertItem, [1_000, "proof", 1]), (Self.addQuantity, [1, 1_000]),
      (Trees.delete("item", where: "id"), [1_000]), (Self.insertItemOrIgnore, [1_000, "proof", 1]),
      (Trees.delete("item", where: "id"), [1_000]), (Self.insertParent, [1_000]),
      (Trees.delete("parent", where: "id"), [1_000]),
    ]
    // In the second round the statements are looked at.
    for _ in 0..<2 {
      for (statement, parameters) in writes { try base.run(statement, parameters) }
      for plan in database.plans.plans {
        for _ in 0..<EngineLimits.savepointSuccessesMin { plan.judgeSavepoint { $0.succeeded() } }
      }
    }
  }

  /// Whether a write of the statement has a savepoint beside others.
  func needsSavepoint(_ statement: [UInt8]) throws -> Bool {
    try database.plans.plan(for: .statement(statement)).savepoint.isNeeded
  }

  func counter(_ name: String) -> Int64 { base.engine.counters().first { $0.name == name }?.value ?? -1 }
}
