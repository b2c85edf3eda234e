/// Sessions of different setups on one database, with calls that wait for their answer.
///
/// Always true: everything is closed and removed when the value goes.
import MartletTestSupport
import MartletValues

@testable import MartletEngine

/// What sessions of one setup can do.
struct SetupSession {
  let database: Database
  var sink = CollectingSink()

  func start(_ statement: [UInt8], _ parameters: [Value] = []) -> RequestToken {
    let token = sink.token()
    let request = StatementRequest(source: .statement(statement), parameters: parameters)
    _ = database.start(request, token: token, sink: sink)
    return token
  }

  /// Runs raw SQL and throws what the engine says.
  @discardableResult
  func sql(_ sql: String) throws -> [[Value]] { try run(Trees.raw(sql)) }

  @discardableResult
  func run(_ statement: [UInt8], _ parameters: [Value] = []) throws -> [[Value]] {
    let outcome = sink.outcome(of: start(statement, parameters))
    if let error = outcome.error { throw error }
    return outcome.rows
  }

  /// What a statement was refused with.
  func error(_ statement: [UInt8]) -> RequestError? { sink.outcome(of: start(statement)).error }

  /// Reads on a loop's reader, where a column of a table or view goes.
  func inline(_ column: String, from table: String) throws -> InlineReader.Outcome {
    let reader = try database.makeInlineReader(label: "loop")
    var rows = RowBatch()
    var columns: ResultColumns?
    return reader.execute(
      StatementRequest(source: .statement(Trees.select([column], from: table))), rows: &rows, columns: &columns)
  }
}

extension TemporaryDatabase {
  func session(_ statements: [UInt8]...) throws -> SetupSession { try session(DatabaseSetup(statements)) }

  func session(_ setup: DatabaseSetup) throws -> SetupSession {
    SetupSession(database: try engine.database(named: "test", create: false, setup: setup))
  }

  func counter(_ name: String) -> Int64 { engine.counters().first { $0.name == name }?.value ?? -1 }
}

/// Setups for a database with `items(id, title)` and `log(id, note)`.
enum Setups {
  static let schema = [
    "CREATE TABLE items(id INTEGER PRIMARY KEY, title TEXT)", "CREATE TABLE log(id INTEGER PRIMARY KEY, note TEXT)",
  ]

  /// Notes each new item in the log.
  static func notes(_ note: String) -> [UInt8] {
    Trees.raw(
      """
      CREATE TEMPORARY TRIGGER noting AFTER INSERT ON items BEGIN
        INSERT INTO log(note) VALUES ('\(note)');
      END
      """)
  }

  /// The same name in every setup, and other rows.
  static func view(_ title: String) -> [UInt8] {
    Trees.raw("CREATE TEMPORARY VIEW chosen AS SELECT id FROM items WHERE title = '\(title)'")
  }

  static let insert = Trees.insert("items", ["title"])

  static func database(_ configure: (inout EngineConfiguration) -> Void = { _ in }) throws -> TemporaryDatabase {
    let base = try TemporaryDatabase(configure: configure)
    for sql in schema { try base.sql(sql) }
    return base
  }
}
