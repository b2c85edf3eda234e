import MartletSQLite
import MartletValues

/// What counts the memory of one statement that may run for long.
extension StatementQuotas {
  /// Bounded by the subject's quota, and by the statement's share of the process's memory; nil if neither bounds it.
  static func makeMemory(_ quotas: StatementQuotas?) -> StatementMemory? {
    let most = min(quotas?.sortBytes ?? .max, MemoryBudget.statementBytes)
    return most == .max ? nil : StatementMemory(bytesMax: most)
  }
}
