import MartletClient
import MartletValues

/// What a person did in the transaction that is open, so that it can be done again.
///
/// Always true: what cannot be compared with another run, or is too long for one, is an obstacle; once there is an
/// obstacle nothing more is kept.
struct TransactionRecord {
  enum Ending {
    case shown(StatementRun.Outcome)
    /// The words of the error. What failed may have written all the same: `INSERT OR FAIL`, `RAISE(FAIL)`.
    case failed(String)
  }

  struct Entry {
    var sql: String
    var ending: Ending
  }

  private(set) var entries: [Entry] = []
  /// Why the transaction cannot be done again.
  private(set) var obstacle: String?
  private(set) var hasWritten = false
  private var byteCount = 0

  /// How many statements the transaction has, without those that control transactions.
  var statementCount: Int { entries.count { TransactionStatement($0.sql) == nil } }

  /// A statement has run to its end, or until the person left the pager.
  mutating func ran(_ sql: String, _ outcome: StatementRun.Outcome) {
    if outcome.isStopped { obstacle = Self.notRead }
    if Self.mayWrite(sql) { hasWritten = true }
    keep(Entry(sql: sql, ending: .shown(outcome)))
  }

  /// A statement has failed, or was stopped, after it had shown `rowsShown` rows. The transaction is open still.
  mutating func failed(_ sql: String, _ error: any Error, rowsShown: Int) {
    if rowsShown > 0 {
      obstacle = Self.notRead
    } else if Self.mayWrite(sql) || Self.metConstraint(error) {
      guard let error = error as? RequestError, error.reason != .deadline, !error.isOutcomeUnknown else {
        obstacle = "a statement that may have written was stopped"
        return
      }
      // Only what came as far as its rows has written some.
      if error.reason == .constraint { hasWritten = true }
      keep(Entry(sql: sql, ending: .failed(error.message)))
    }
  }

  static func mayWrite(_ sql: String) -> Bool {
    TransactionStatement(sql) == nil && !SQLTokens.looksLikeQuery(sql)
  }

  /// What begins with WITH may be a write, too.
  private static func metConstraint(_ error: any Error) -> Bool { (error as? RequestError)?.reason == .constraint }

  private static let notRead = "a result was not read to its end"

  private mutating func keep(_ entry: Entry) {
    guard obstacle == nil else { return }
    let bytes = byteCount + entry.sql.utf8.count
    guard entries.count < CommandLimits.rememberedStatementsMax, bytes <= CommandLimits.rememberedBytesMax else {
      obstacle = "it is too long for that"
      return
    }
    byteCount = bytes
    entries.append(entry)
  }
}
