package import MartletValues

/// Runs the statements of a script or of a person on a server, with SQL's own transactions.
///
/// Always true: one statement runs at a time; a statement that was begun inside of a transaction runs in it or not at
/// all. What is decided is `ScriptTransaction`'s; this performs its actions.
package actor ScriptSession {
  private let database: DatabaseClient
  private var machine = ScriptTransaction()
  private var transaction: RemoteTransaction?

  /// `PRAGMA foreign_keys=OFF` came: each write transaction puts the checks off to its end, which is the most that a
  /// server can do for a script.
  private var defersForeignKeys = false

  package init(_ database: DatabaseClient) { self.database = database }

  /// Whether a transaction is open, or was lost and must be left with ROLLBACK.
  package var status: ScriptTransaction.Status { machine.status }

  /// Runs `sql`: the statements that control transactions here, any other by `body` on what it is given. Nil if
  /// `body` was not called.
  package func run<Success: Sendable>(
    _ sql: String, _ body: @Sendable (any StatementExecutor) async throws -> Success
  ) async throws -> Success? {
    if machine.status != .lost, !machine.writes, let function = LastWriteFunction.called(by: sql) {
      throw RequestError.noLastWrite(function)
    }
    return try await run(TransactionStatement(sql), isQuery: SQLTokens.looksLikeQuery(sql), body)
  }

  /// Runs a query that has no text, where the statements of the script run.
  package func query<Success: Sendable>(
    _ body: @Sendable (any StatementExecutor) async throws -> Success
  ) async throws -> Success {
    guard let result = try await run(nil, isQuery: true, body) else { throw CancellationError() }
    return result
  }

  package func deferForeignKeys(_ defers: Bool) { defersForeignKeys = defers }

  private func run<Success: Sendable>(
    _ statement: TransactionStatement?, isQuery: Bool,
    _ body: @Sendable (any StatementExecutor) async throws -> Success
  ) async throws -> Success? {
    var action = machine.statementArrived(statement, isQuery: isQuery)
    var result: Success?
    var cause: (any Error)?
    while true {
      switch action {
      case .finished:
        await leaveWhatEnded()
        return result
      case .refuse(let error):
        await leaveWhatEnded()
        throw error
      case .fail:
        await leaveWhatEnded()
        throw cause ?? CancellationError()
      default:
        do {
          let sequence = try await perform(action) { executor in result = try await body(executor) }
          action = machine.succeeded(sequence: sequence)
        } catch {
          if action != .probe || cause == nil { cause = error }
          action = machine.failed(Self.failure(error))
        }
      }
    }
  }

  /// Undoes what is open. False if nothing was.
  package func rollBack() async -> Bool {
    guard machine.status != .none else { return false }
    _ = try? await run(.rollBack, isQuery: false) { _ in }
    return true
  }

  /// Undoes what is open and has nothing run before ROLLBACK, as if the server had ended it. Returns the error that
  /// says so.
  package func lose(_ why: String) async -> RequestError {
    await transaction?.rollBack()
    transaction = nil
    return machine.lost(why)
  }

  /// Tells the server that somebody is still there. Throws what a later statement would.
  package func stayOpen() async {
    guard machine.status == .open, let transaction else { return }
    _ = try? await Self.probe(transaction)
  }

  private func perform(
    _ action: ScriptTransaction.Action, run: (any StatementExecutor) async throws -> Void
  ) async throws -> UInt64 {
    switch action {
    case .begin(let mode):
      let begun = try await database.begin(mode)
      do {
        let sequence = try await begun.waitUntilBegun()
        if mode == .write, defersForeignKeys { try await begun.execute(.sql("PRAGMA defer_foreign_keys=ON")) }
        transaction = begun
        return sequence
      } catch {
        await begun.rollBack()
        throw error
      }
    case .savepoint(let savepoint, let number): try await transaction?.savepoint(savepoint, number)
    case .commit:
      // The transaction is over, whatever the answer is.
      defer { transaction = nil }
      do {
        try await transaction?.commit()
      } catch {
        throw Self.afterCommit(error)
      }
    case .rollBack:
      await transaction?.rollBack()
      transaction = nil
    case .run: try await run(transaction ?? database)
    case .probe: if let transaction { try await Self.probe(transaction) }
    case .finished, .refuse, .fail: break
    }
    return 0
  }

  /// A number that no savepoint of a script gets to.
  private static func probe(_ transaction: RemoteTransaction) async throws {
    try await transaction.savepoint(.set, .max, isCancellable: false)
    try await transaction.savepoint(.release, .max, isCancellable: false)
  }

  /// Gives back the connection of a transaction that is over.
  private func leaveWhatEnded() async {
    guard machine.status != .open, let ended = transaction else { return }
    transaction = nil
    await ended.rollBack()
  }

  /// A constraint may be checked at the commit only; SQLite would leave the transaction open, the protocol does not.
  private static func afterCommit(_ error: any Error) -> any Error {
    guard var error = error as? RequestError, error.reason == .constraint else { return error }
    error.message += " The transaction was rolled back."
    return error
  }

  package static func failure(_ error: any Error) -> ScriptTransaction.Failure {
    switch error {
    case let error as RequestError:
      switch error.reason {
      case .readOnly: return .readOnly
      case .transactionEnded, .unknownTransaction, .snapshotEvicted, .shuttingDown, .fenced: return .over(error.message)
      default: return .refused
      }
    case let error as ClientError:
      switch error.code {
      case .invalidStatement, .tooManyWaiting, .wrongThread, .invalidURL, .invalidConfiguration: return .refused
      default: return .over(error.message)
      }
    default: return .refused
    }
  }
}
