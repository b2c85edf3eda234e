/// An engine with one database in a directory of its own, and calls that wait for their answer.
///
/// Always true: everything is closed and removed when the value goes.
package import MartletEngine
package import MartletValues

package final class TemporaryDatabase: Sendable {
  package let directory: TemporaryDirectory
  package let engine: Engine
  package let database: Database

  /// `configure` changes the configuration before the engine starts.
  package init(configure: (inout EngineConfiguration) -> Void = { _ in }) throws {
    directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    // The tests' machine may have little room, and each has its own look at the disk.
    configuration.limits.diskFreeBytesMin = 1 << 20
    configure(&configuration)
    engine = try Engine(configuration: configuration)
    database = try engine.database(named: "test", create: true)
  }

  deinit { engine.shutdown() }

  /// Runs raw SQL and throws what the engine says.
  @discardableResult
  package func sql(_ sql: String, _ parameters: [Value] = []) throws -> CollectingSink.Outcome {
    try run(Trees.raw(sql), parameters)
  }

  /// Runs a statement and throws what the engine says.
  @discardableResult
  package func run(_ statement: [UInt8], _ parameters: [Value] = []) throws -> CollectingSink.Outcome {
    let outcome = result(statement, parameters)
    if let error = outcome.error { throw error }
    return outcome
  }

  /// Runs a statement and returns its result.
  package func result(_ statement: [UInt8], _ parameters: [Value] = []) -> CollectingSink.Outcome {
    let sink = CollectingSink()
    let token = sink.token()
    _ = database.start(
      StatementRequest(source: .statement(statement), parameters: parameters), token: token, sink: sink)
    return sink.outcome(of: token)
  }
}
