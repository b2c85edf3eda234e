package import MartletValues

/// What a client asks of one statement: which one, with which values, until when.
package struct StatementRequest: Sendable {
  package var source: StatementSource
  package var parameters: [Value]
  package var deadline: MonotonicTime

  /// Nobody chose the deadline, so a write takes the longest one that it may have; otherwise a longer one is refused.
  package var mayShortenDeadline = false

  /// The commit of the transaction requires that this statement has succeeded.
  package var isRequired = false

  /// Bytes of rows that may be delivered before `Execution.extendCredit`.
  package var credit: Int

  /// The version of the metadata that the client holds; 0 if it holds none.
  package var columnsVersion: UInt64

  /// Counts the memory of the statement's rows until they have left; nil: nobody counts it.
  package var account: MemoryAccount?

  /// Who asks.
  package var subject: Subject

  package init(
    source: StatementSource, parameters: [Value] = [], deadline: MonotonicTime = .distantFuture, credit: Int = .max,
    columnsVersion: UInt64 = 0, account: MemoryAccount? = nil, subject: Subject = .program
  ) {
    self.subject = subject
    self.source = source
    self.parameters = parameters
    self.deadline = deadline
    self.credit = credit
    self.columnsVersion = columnsVersion
    self.account = account
  }
}

extension StatementSource {
  var isStatement: Bool { if case .statement = self { true } else { false } }
}
