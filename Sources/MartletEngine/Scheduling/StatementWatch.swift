import MartletSQLite
package import MartletValues
import Synchronization

/// Which statement a thread runs, and until when it may: for the watchdog, which looks from outside.
///
/// Always true: written by the thread alone, and so cheaply that every statement can say so; what is read while it
/// changes may mix two statements, which does no harm in a log.
package final class StatementWatch: Sendable {
  private let high = Atomic<UInt64>(0)
  private let low = Atomic<UInt64>(0)
  /// 0 while nothing runs.
  private let deadline = Atomic<UInt64>(0)

  /// What ends the statement from outside; nil if nobody may.
  private let interrupter = Mutex<Interrupter?>(nil)

  package init() {}

  /// Lets others end what runs on the connection from here on, until `cover`: SQLite counts a table's rows in one step,
  /// which asks nobody whether it may go on. Between the two nothing else may run there.
  func expose(_ connection: Connection) { interrupter.withLock { $0 = connection.interrupter } }

  /// From here on nobody ends what runs on the connection.
  func cover() { interrupter.withLock { $0 = nil } }

  /// Ends what runs, if its deadline has passed by `ms` and it may be ended. The lock is held meanwhile, so that it is
  /// this statement and not the next one.
  func endOverdue(byMs ms: Int, now: MonotonicTime) {
    interrupter.withLock { interrupter in
      guard let interrupter, let running, running.deadline.advanced(milliseconds: ms) < now else { return }
      interrupter.interrupt()
    }
  }

  @inline(__always)
  func begin(_ shape: ShapeID, deadline moment: MonotonicTime) {
    high.store(shape.high, ordering: .relaxed)
    low.store(shape.low, ordering: .relaxed)
    deadline.store(max(1, moment.nanoseconds), ordering: .relaxed)
  }

  @inline(__always)
  func end() { deadline.store(0, ordering: .relaxed) }

  /// The shape that runs, and its deadline; nil if nothing does.
  package var running: (shape: ShapeID, deadline: MonotonicTime)? {
    let moment = deadline.load(ordering: .relaxed)
    guard moment != 0 else { return nil }
    return (
      ShapeID(high: high.load(ordering: .relaxed), low: low.load(ordering: .relaxed)),
      MonotonicTime(nanoseconds: moment)
    )
  }
}

/// A statement that runs on although its deadline has passed: one step of it takes long, and nobody can interrupt it.
package struct OverdueStatement: Sendable, Equatable {
  /// `reader` or `writer`.
  package var thread: String
  package var database: String
  package var shape: ShapeID
  /// The statement; nil if its plan is not cached any more.
  package var shown: ExplainedStatement?
  package var overdueMs: Int

  package init(thread: String, database: String, shape: ShapeID, shown: ExplainedStatement?, overdueMs: Int) {
    self.thread = thread
    self.database = database
    self.shape = shape
    self.shown = shown
    self.overdueMs = overdueMs
  }
}
