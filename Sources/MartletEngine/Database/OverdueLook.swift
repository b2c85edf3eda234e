import MartletValues

/// A look at the statements that run on although their deadlines have passed, on the writers and on the readers.
///
/// Always true: it only looks; the workers interrupt the reads that they find.
struct OverdueLook {
  struct Open {
    let name: String
    let parts: DatabaseParts
    /// What the writer runs.
    let watch: StatementWatch
  }

  let databases: [Open]
  let workers: WorkerThreads
  let now: MonotonicTime

  func statements(byMs ms: Int) -> [(id: UInt64, statement: OverdueStatement)] {
    writes(byMs: ms) + reads(byMs: ms)
  }

  private func writes(byMs ms: Int) -> [(id: UInt64, statement: OverdueStatement)] {
    databases.enumerated().compactMap { number, database in
      guard let running = database.watch.running, running.deadline.advanced(milliseconds: ms) < now else { return nil }
      return (
        UInt64.max - UInt64(number),
        OverdueStatement(
          thread: "writer", database: database.name, shape: running.shape,
          shown: database.parts.plans.shown(running.shape), overdueMs: now.milliseconds(since: running.deadline))
      )
    }
  }

  private func reads(byMs ms: Int) -> [(id: UInt64, statement: OverdueStatement)] {
    workers.overdue(byMs: ms, now: now).map { overdue in
      let database = databases.first { $0.parts.path.hashValue == overdue.database }
      return (
        overdue.turn,
        OverdueStatement(
          thread: "reader", database: database?.name ?? "", shape: overdue.shape,
          shown: database?.parts.plans.shown(overdue.shape), overdueMs: overdue.ms)
      )
    }
  }
}
