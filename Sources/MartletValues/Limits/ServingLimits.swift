/// The limits that a server takes anew while it runs.
///
/// Always true: each has the name, the unit and the meaning that it has in `Limits`, and fits the others if those
/// that it was made from do.
public struct ServingLimits: Sendable, Equatable {
  public var connectionsMax: Int
  public var memoryBudgetBytes: Int
  public var helloDeadlineMs: Int
  public var shutdownDrainMs: Int
  public var deadlineDefaultMs: Int
  public var deadlineMaxMs: Int
  public var writeTimeMaxMs: Int
  public var transactionIdleMs: Int
  public var transactionTotalMs: Int

  public init(_ limits: Limits) {
    connectionsMax = limits.connectionsMax
    memoryBudgetBytes = limits.memoryBudgetBytes
    helloDeadlineMs = limits.helloDeadlineMs
    shutdownDrainMs = limits.shutdownDrainMs
    deadlineDefaultMs = limits.deadlineDefaultMs
    deadlineMaxMs = limits.deadlineMaxMs
    writeTimeMaxMs = limits.writeTimeMaxMs
    transactionIdleMs = limits.transactionIdleMs
    transactionTotalMs = limits.transactionTotalMs
  }
}

extension Limits {
  /// Takes these limits, and keeps the others.
  public mutating func take(_ serving: ServingLimits) {
    connectionsMax = serving.connectionsMax
    memoryBudgetBytes = serving.memoryBudgetBytes
    helloDeadlineMs = serving.helloDeadlineMs
    shutdownDrainMs = serving.shutdownDrainMs
    deadlineDefaultMs = serving.deadlineDefaultMs
    deadlineMaxMs = serving.deadlineMaxMs
    writeTimeMaxMs = serving.writeTimeMaxMs
    transactionIdleMs = serving.transactionIdleMs
    transactionTotalMs = serving.transactionTotalMs
  }
}
