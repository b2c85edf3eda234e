import MartletValues

/// The owner of the transaction that holds the writer, as the writer's thread hears and waits for it.
///
/// Always true: used on the writer's thread, which has the lock only while it looks; the jobs that wait behind the
/// transaction are still answered when their deadlines pass.
struct TransactionOwner {
  enum Event {
    case command(WriteTransaction.Command)
    case end(TransactionEnd)
  }

  /// What a look may find while the owner is waited for.
  private enum Pending {
    case command(WriteTransaction.Command)
    case end(TransactionEnd)
    case listen(UInt64)
    /// Answers that nobody waits for have to leave first.
    case quiet
  }

  let desk: Writer
  let transaction: WriteTransaction
  let clock: @Sendable () -> MonotonicTime

  // MARK: - The transaction's life

  func turnCame() {
    desk.withLock { schedule in
      schedule.transactionOpened()
      transaction.lease.turnCame(clock())
    }
  }

  /// What comes next: a command, or an end for which nobody asked. `quietReplies` leave before anybody is waited for.
  func nextEvent(_ quietReplies: QuietReplies) -> Event {
    while true {
      let event: Pending = look { schedule, now in
        switch pressing(schedule, now) {
        case .end(let end): return .found(.end(end))
        case .listen(let number): return .found(.listen(number))
        case nil: break
        }
        if let command = transaction.lease.nextCommand() { return .found(.command(command)) }
        // The owner hears of what it did not wait for before the writer waits for it.
        if quietReplies.isHolding { return .found(.quiet) }
        return .wait(nanoseconds: schedule.nanoseconds(until: transaction.lease.nextDeadline, now: now))
      }
      switch event {
      case .command(let command): return .command(command)
      case .end(let end): return .end(end)
      case .quiet: quietReplies.leave()
      case .listen(let number):
        quietReplies.leave()
        listen(number)
      }
    }
  }

  /// Asks for whatever the owner has sent by now. The answer may come at once.
  private func listen(_ number: UInt64) {
    transaction.execution.listen { [desk, transaction] in desk.change { _ in transaction.lease.ownerHeard(number) } }
  }

  /// Looks until there is something, and answers those that cannot wait for that long.
  private func look<Found>(
    _ body: (inout WriterSchedule<WriteJob>, MonotonicTime) -> Writer.Look<Found>
  ) -> Found {
    while true {
      let (expired, found): ([WriteJob], Found?) = desk.wait { schedule in
        let now = clock()
        let expired = schedule.expired(now)
        if !expired.isEmpty { return .found((expired, nil)) }
        transaction.lease.waitersChanged(to: schedule.waitingCount, now)
        switch body(&schedule, now) {
        case .found(let found), .foundNews(let found): return .found(([], found))
        case .wait(let nanoseconds): return .wait(nanoseconds: nanoseconds)
        }
      }
      desk.expire(expired)
      if let found { return found }
    }
  }

  /// Why the transaction cannot go on, or whom to hear first; with the lock held.
  private func pressing(
    _ schedule: WriterSchedule<WriteJob>, _ now: MonotonicTime
  ) -> TransactionLease<WriteTransaction.Command>.Tick? {
    if transaction.isAbandoned { return .end(.ownerGone) }
    if schedule.phase != .open { return .end(.shuttingDown) }
    return transaction.lease.ticked(now)
  }

  /// `logBytes`: what the transaction has written to the log so far.
  func commandFinished(logBytes: Int) {
    desk.withLock { _ in
      transaction.lease.commandFinished(clock(), owed: desk.copyPace.nanoseconds(owedFor: logBytes))
      transaction.running = nil
    }
  }

  /// The transaction has ended: returns the commands that will not run.
  func ended(_ end: TransactionEnd) -> [WriteTransaction.Command] {
    desk.withLock { _ in transaction.lease.ended(end) }
  }

  /// As `ended`, and returns for how many milliseconds the transaction was open.
  func endedByEngine(_ end: TransactionEnd) -> (left: [WriteTransaction.Command], ageMs: Int) {
    desk.withLock { _ in
      let age = transaction.lease.ageMs(clock())
      return (transaction.lease.ended(end), age)
    }
  }

  func closed() { desk.withLock { $0.transactionClosed() } }

  // MARK: - A statement

  /// A statement or batch begins: returns the moment at which it has to end, and since when others have waited.
  func begins(_ execution: Execution) -> (deadline: MonotonicTime, contendedSince: MonotonicTime?) {
    desk.withLock { _ in
      transaction.running = execution
      return (min(execution.deadline, transaction.lease.totalDeadline), transaction.lease.contendedSince)
    }
  }

  /// The time that the transaction may be open is over.
  var timeEnd: TransactionEnd? {
    switch desk.withLock({ _ in transaction.lease.timeEnd(clock()) }) {
    case .openTooLong: .openTooLong
    case .openBeyondQuota(let ms): .openBeyondQuota(ms: ms)
    default: nil
    }
  }

  /// What ended a wait for credit.
  enum Waited {
    case credit
    case refused(RequestError)
    /// The transaction is over.
    case ended(TransactionEnd)
  }

  /// Waits until the owner takes rows again.
  func waitForCredit(_ execution: Execution, _ deadline: MonotonicTime) -> Waited {
    desk.withLock { _ in transaction.lease.commandPaused(clock()) }
    defer { desk.withLock { _ in transaction.lease.commandResumed() } }
    while true {
      // Nil: the owner has to be heard first.
      let (waited, question): (Waited?, UInt64) = look { schedule, now in
        if execution.isCancelled { return .found((.refused(.cancelledByOwner), 0)) }
        // What the owner had sent by the time it was heard comes before its silence.
        let hasCredit = execution.hasCredit
        switch pressing(schedule, now) {
        case .end(let end) where !hasCredit: return .found((.ended(end), 0))
        case .listen(let number): return .found((nil, number))
        default: break
        }
        if now >= deadline { return .found((.refused(.deadlineInResult), 0)) }
        if hasCredit { return .found((.credit, 0)) }
        let until = min(transaction.lease.nextDeadline, deadline)
        return .wait(nanoseconds: schedule.nanoseconds(until: until, now: now))
      }
      if let waited { return waited }
      listen(question)
    }
  }
}
