import MartletClient
import MartletValues
import Synchronization

/// The transaction that a person has open, which outlives what the server allows for one.
///
/// A server ends a transaction that says nothing while other writes wait for it, and any that is open for too long.
/// A program does not notice, but a person thinks. So what the person did is remembered, and when the server is found
/// to have ended the transaction it is done again, in another one: without pauses, so that nobody waits for it.
///
/// Always true: it goes on only if every statement showed the same again, rows, counts and errors of writes, so what
/// the person saw is what the transaction saw. Otherwise the transaction is lost, and that is said.
actor PersonsTransaction {
  private let session: ScriptSession
  private var record = TransactionRecord()

  init(_ session: ScriptSession) { self.session = session }

  /// Runs a statement that the person typed, in the transaction that is open.
  func run(_ sql: String, by run: StatementRun) async throws -> StatementRun.Outcome {
    // A transaction that was rolled back in another way, such as at the end of a script, is forgotten.
    if await session.status == .none { forget() }
    var attempts = 0
    while true {
      let shown = ShownRows()
      do {
        let outcome = try await run.run(sql, showing: shown)
        await ran(sql, outcome)
        return outcome
      } catch let error as RequestError where isEnd(error, after: attempts) && shown.count == 0 {
        attempts += 1
        try await restore(before: sql, because: error)
      } catch {
        await failed(sql, error, rowsShown: shown.count)
        throw error
      }
    }
  }

  /// Runs a query of the shell's own, where the statements of the person run; again if the transaction was to be
  /// restored.
  func query<Success: Sendable>(
    _ body: @Sendable (any StatementExecutor) async throws -> Success
  ) async throws -> Success {
    var attempts = 0
    while true {
      do {
        return try await session.query(body)
      } catch let error as RequestError where isEnd(error, after: attempts) {
        attempts += 1
        try await restore(before: nil, because: error)
      }
    }
  }

  private func isEnd(_ error: RequestError, after attempts: Int = 0) -> Bool {
    error.reason == .transactionEnded && error.isRetryable && !record.entries.isEmpty
      && attempts < CommandLimits.transactionAttemptsMax
  }

  private func ran(_ sql: String, _ outcome: StatementRun.Outcome) async {
    guard await session.status == .open else { return forget() }
    record.ran(sql, outcome)
  }

  private func failed(_ sql: String, _ error: any Error, rowsShown: Int) async {
    guard await session.status == .open else { return forget() }
    record.failed(sql, error, rowsShown: rowsShown)
  }

  private func forget() { record = TransactionRecord() }

  // MARK: - Once more

  private enum Rerun {
    case done
    /// The server ended the transaction another time.
    case ended
    case impossible(String)
  }

  /// Does once more what the person did. Throws if that is not possible; the transaction is lost then.
  private func restore(before sql: String?, because error: RequestError) async throws {
    var result = Rerun.ended
    var attempts = 0
    while case .ended = result, attempts < CommandLimits.transactionAttemptsMax {
      attempts += 1
      do {
        result = try await rerun(before: sql)
      } catch {
        // Control-C, or no connection any more: what has run so far must not be committed alone.
        throw await given(up: error)
      }
    }
    switch result {
    case .done:
      let count = record.statementCount
      let what = count == 1 ? "its statement" : "its \(count) statements"
      StandardOutput.tell(
        "Note: the server had ended the transaction meanwhile; \(what) ran again in another one, and showed the same.\n"
      )
    case .ended: throw await lost(error, "it was ended each time")
    case .impossible(let why): throw await lost(error, why)
    }
  }

  private func rerun(before sql: String?) async throws -> Rerun {
    _ = await session.rollBack()
    if let obstacle = record.obstacle { return .impossible(obstacle) }
    let willWrite = record.hasWritten || sql.map(TransactionRecord.mayWrite) ?? false
    for entry in record.entries {
      do {
        let again = try await StatementRun.silent(Self.text(of: entry.sql, willWrite: willWrite), in: session)
        guard case .shown(let shown) = entry.ending else {
          return .impossible("\(Self.name(entry.sql)) failed, and does not now")
        }
        guard again.isSame(as: shown) else {
          return .impossible("somebody has changed what \(Self.name(entry.sql)) showed")
        }
      } catch let error as RequestError {
        if isEnd(error) { return .ended }
        if case .failed(let message) = entry.ending, message == error.message { continue }
        return .impossible("\(Self.name(entry.sql)) fails now: \(error.message)")
      }
    }
    return .done
  }

  /// A transaction that writes takes the writer at once, so that nobody comes between its statements.
  private static func text(of sql: String, willWrite: Bool) -> String {
    if case .begin? = TransactionStatement(sql) { return willWrite ? "BEGIN IMMEDIATE" : "BEGIN" }
    return sql
  }

  private static func name(_ sql: String) -> String {
    let text = sql.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let most = CommandLimits.shownStatementCharactersMax
    return "«\(CellText.escaped(text.count > most ? String(text.prefix(most)) + "…" : text))»"
  }

  /// Some of the statements may have run. Returns the error that stopped them.
  private func given(up error: any Error) async -> any Error {
    forget()
    _ = await session.lose("The server had ended the transaction, and running it again was stopped.")
    return error
  }

  private func lost(_ error: RequestError, _ why: String) async -> RequestError {
    forget()
    return await session.lose("\(error.message) It could not be run again, because \(why).")
  }
}

/// How many rows a statement has shown, for who has to know if it fails.
final class ShownRows: Sendable {
  private let rows = Atomic(0)

  var count: Int { rows.load(ordering: .relaxed) }
  func shown(_ count: Int) { rows.store(count, ordering: .relaxed) }
}
