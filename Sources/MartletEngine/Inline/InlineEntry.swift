import MartletValues

/// One shape as an inline reader knows it: compiled, judged, and with counts that have not reached the plan yet.
///
/// Always true: used on its reader's thread only. A shape that never runs inline has no statement.
final class InlineEntry {
  let plan: Plan
  /// Nil if the shape writes or holds raw text.
  let prepared: PreparedPlan?
  var judgement = InlineJudgement()

  // Counted here first, because loops that share a plan would pass its counters' memory back and forth.
  private var executions: UInt64 = 0
  private var errors: UInt64 = 0
  private var rows: UInt64 = 0
  private var nanoseconds: UInt64 = 0

  init(plan: Plan, prepared: PreparedPlan?) {
    self.plan = plan
    self.prepared = prepared
  }

  /// Notes one execution; true when it is the first since the last `flush`.
  @inline(__always)
  func note(rows count: Int, nanoseconds elapsed: UInt64, failed: Bool) -> Bool {
    executions &+= 1
    if failed { errors &+= 1 }
    rows &+= UInt64(count)
    nanoseconds &+= elapsed
    return executions == 1
  }

  /// Hands the counts to the plan.
  func flush() {
    plan.counters.record(executions: executions, errors: errors, rows: rows, nanoseconds: nanoseconds)
    executions = 0
    errors = 0
    rows = 0
    nanoseconds = 0
  }
}
