public import MartletValues

/// An open transaction for programs without concurrency: each call waits for its answer.
///
/// Always true: used on the thread that the closure runs on, which is never an event loop's.
public struct BlockingTransaction {
  let transaction: RemoteTransaction

  /// Runs a statement and returns what it changed.
  @discardableResult
  public func execute(_ statement: RemoteStatement, _ parameters: [Value] = []) throws -> Completion {
    try Blocking.wait { [transaction] in try await transaction.execute(statement, parameters) }
  }

  /// Runs a query and returns all of its rows.
  public func fetchAll(_ statement: RemoteStatement, _ parameters: [Value] = []) throws -> [Row] {
    try Blocking.wait { [transaction] in try await transaction.fetchAll(statement, parameters) }
  }

  /// Runs a query and returns its first row, or nil if there is none.
  public func fetchOne(_ statement: RemoteStatement, _ parameters: [Value] = []) throws -> Row? {
    try Blocking.wait { [transaction] in try await transaction.fetchOne(statement, parameters) }
  }

  /// Runs the steps in one round trip; see `StatementExecutor.batch`.
  @discardableResult
  public func batch(_ steps: [BatchStep], atomic: Bool = true) throws -> [StepResult] {
    try Blocking.wait { [transaction] in try await transaction.batch(steps, atomic: atomic) }
  }

  /// Runs `body` inside a savepoint: what it did is undone if it throws, and the transaction goes on.
  @discardableResult
  public func savepoint<Success>(_ body: () throws -> Success) throws -> Success {
    let number = transaction.nextSavepoint()
    try perform(.set, number)
    do {
      let result = try body()
      try perform(.release, number)
      return result
    } catch {
      // The first error is the one to tell; if undoing fails too, the transaction cannot commit.
      try? perform(.rollBackTo, number)
      try? perform(.release, number)
      throw error
    }
  }

  private func perform(_ action: SavepointAction, _ number: UInt32) throws {
    try Blocking.wait { [transaction] in try await transaction.savepoint(action, number) }
  }
}
