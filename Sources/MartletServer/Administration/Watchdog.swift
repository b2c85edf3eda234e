internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletThreads
internal import MartletValues
internal import Synchronization

/// Looks from outside at the loops and at the threads that run statements, and says which do not come back.
///
/// Always true: it runs on a loop of its own, which carries nothing else but signals, so nothing that a client asks for
/// can hold it up.
// @unchecked because `threads` and `timer` are touched on the watchdog's loop only; the rest is constant or atomic.
final class Watchdog: @unchecked Sendable {
  let loop: EventLoop
  private let context: ServerContext
  private let loops: LoopSet
  private let shards: [LoopShard]
  private let pulses: [Pulse]
  private var threads = StuckThreads()
  private var timer: LoopTimer?
  private var missesThreads = false
  /// What is stuck now, for whoever ends the process.
  private let present = Mutex<[String]>([])

  /// When a loop was asked, and when it answered last.
  private final class Pulse: Sendable {
    let asked = Atomic<UInt64>(0)
    let answered = Atomic<UInt64>(0)
  }

  init(context: ServerContext, loops: LoopSet, shards: [LoopShard]) throws(LoopError) {
    self.context = context
    self.loops = loops
    self.shards = shards
    pulses = shards.map { _ in Pulse() }
    loop = try EventLoop(label: "watchdog")
    let everyMs = max(1, context.limits.watchdogMs / 4)
    loop.post { [self] in
      // `unowned` because the watchdog owns its loop and joins it before it goes.
      timer = try? LoopTimer(on: loop) { [unowned self] in look() }
      timer?.start(afterMs: everyMs, repeatMs: everyMs)
    }
  }

  /// Must not be called on the watchdog's own loop.
  func stop() {
    loop.stop()
    loop.join()
  }

  /// A few words for each thread that does not come back.
  var stuck: [String] { present.withLock { $0 } }

  private func look() {
    startMissingThreads()
    context.audit.note(context.refusedConnections)
    var overdue: [StuckThreads.Subject: Int] = [:]
    var statements: [StuckThreads.Subject: OverdueStatement] = [:]
    for (id, statement) in context.engine.overdueStatements(byMs: context.limits.watchdogMs) {
      let subject = StuckThreads.Subject(thread: statement.thread, id: id)
      overdue[subject] = statement.overdueMs
      statements[subject] = statement
    }
    let now = EventLoop.nanoseconds
    for (shard, pulse) in zip(shards, pulses) {
      guard let ms = silence(of: shard, pulse, now: now) else { continue }
      let subject = StuckThreads.Subject(thread: shard.loop.label, id: pulse.answered.load(ordering: .relaxed))
      overdue[subject] = ms
      statements[subject] = statement(of: shard, ms: ms)
    }
    for finding in threads.looked(at: overdue) { tell(finding, statements) }
    loops.stuckThreads.store(threads.count, ordering: .relaxed)
    present.withLock { $0 = threads.subjects.map { name($0, statements[$0]) } }
  }

  private func startMissingThreads() {
    let missing = ThreadStarter.shared.tryAgain()
    guard (missing > 0) != missesThreads else { return }
    missesThreads = missing > 0
    guard missesThreads else { return context.logger.notice("The system has threads again") }
    context.logger.error(
      "The system has no thread to give, and requests wait for one: raise the limit on tasks, or that on addresses",
      metadata: ["missing": .number(missing)])
  }

  /// For how many milliseconds a loop has not answered; nil if that is within the bound. Asks again if it has.
  private func silence(of shard: LoopShard, _ pulse: Pulse, now: UInt64) -> Int? {
    let asked = pulse.asked.load(ordering: .relaxed)
    if pulse.answered.load(ordering: .acquiring) == asked {
      pulse.asked.store(now, ordering: .relaxed)
      shard.loop.post { pulse.answered.store(now, ordering: .releasing) }
      return nil
    }
    let ms = Int((now &- asked) / 1_000_000)
    return ms >= context.limits.watchdogMs ? ms : nil
  }

  private func statement(of shard: LoopShard, ms: Int) -> OverdueStatement? {
    guard let running = shard.watch.running else { return nil }
    return OverdueStatement(
      thread: shard.loop.label, database: "", shape: running.shape, shown: context.engine.shown(running.shape),
      overdueMs: ms)
  }

  private func name(_ subject: StuckThreads.Subject, _ statement: OverdueStatement?) -> String {
    guard let statement else { return subject.thread }
    return statement.database.isEmpty ? subject.thread : "\(subject.thread) of \(statement.database)"
  }

  private func tell(_ finding: StuckThreads.Finding, _ statements: [StuckThreads.Subject: OverdueStatement]) {
    switch finding {
    case .stuck(let subject, let ms):
      loops.stuckThreadsTotal.add(1, ordering: .relaxed)
      var metadata: Logger.Metadata = ["thread": "\(subject.thread)", "ms": .number(ms)]
      if let statement = statements[subject] {
        metadata["database"] = "\(statement.database)"
        metadata["shape"] = "\(statement.shape)"
        metadata["sql"] = statement.shown.map { "\($0.loggedSQL)" }
      }
      context.logger.error("A thread does not come back from a statement", metadata: metadata)
    case .back(let subject, let ms):
      context.logger.notice("A thread has come back", metadata: ["thread": "\(subject.thread)", "ms": .number(ms)])
    }
  }
}
