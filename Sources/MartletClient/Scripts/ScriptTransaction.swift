package import MartletValues

/// What SQL that controls transactions means to a server, whose transactions are the protocol's.
///
///     none ── BEGIN, SAVEPOINT ──> open ── COMMIT, ROLLBACK, RELEASE of the first ──> none
///                                   └── ended by the server ──> lost ── COMMIT (fails), ROLLBACK ──> none
///
/// A transaction that begins deferred, as SQLite's do without IMMEDIATE, asks the server for nothing before its first
/// statement. A query makes it a read transaction; the first write makes that a write transaction, if nobody has
/// committed since.
///
/// Always true: after a transaction was lost no statement runs before COMMIT or ROLLBACK, so that nothing is written on
/// its own that was meant to be undone with the rest.
package struct ScriptTransaction: Sendable {
  /// What the caller, which runs the script, has to do next.
  package enum Action: Equatable, Sendable {
    case begin(TransactionMode)
    case savepoint(SavepointAction, number: UInt32)
    case commit
    case rollBack
    /// Run the statement itself: in the transaction, if one has begun.
    case run
    /// Ask whether the transaction survived the statement that failed.
    case probe
    case finished
    /// The statement is refused.
    case refuse(RequestError)
    /// The error of the action that failed is the statement's.
    case fail
  }

  /// What became of an action that failed.
  package enum Failure: Equatable, Sendable {
    /// The server refused the action, and the transaction may go on.
    case refused
    /// The action writes, in a transaction that only reads.
    case readOnly
    /// The transaction is over, for this reason.
    case over(String)
  }

  /// Whether a transaction is open, as the script sees it.
  package enum Status: Equatable, Sendable {
    case none, open, lost
  }

  private struct Open {
    /// Nil before the first statement of a deferred one.
    var mode: TransactionMode?
    var savepoints: [(name: String, number: UInt32)] = []
    /// The transaction's first savepoint began it, so releasing that savepoint commits.
    var beganBySavepoint = false
    /// The commit that the reads of a transaction that may yet write have seen.
    var snapshot: UInt64?
  }

  private enum State {
    case none
    case open(Open)
    case lost(RequestError)
  }

  private var state = State.none
  private var plan: [Action] = []
  private var current = Action.finished
  private var number: UInt32 = 0
  /// What the state is once the plan has been carried out.
  private var planned: State?

  package init() {}

  package var status: Status {
    switch state {
    case .none: .none
    case .open: .open
    case .lost: .lost
    }
  }

  /// Whether what is open is a write transaction, which knows its last write.
  package var writes: Bool {
    if case .open(let open) = state { open.mode == .write } else { false }
  }

  // MARK: - Events

  /// A statement came: one that controls transactions, or nil for any other. `isQuery`: it may be one that only reads.
  package mutating func statementArrived(_ statement: TransactionStatement?, isQuery: Bool) -> Action {
    planned = nil
    plan = []
    switch (statement, state) {
    case (nil, .none): plan = [.run]
    case (nil, .open(let open)): plan = steps(toRun: isQuery, in: open)
    case (.commit, .lost(let error)):
      state = .none
      return .refuse(error.beforeCommit)
    case (.rollBack, .lost): state = .none
    case (_, .lost(let error)): return .refuse(error)
    case (.begin, .open): return .refuse(.alreadyInTransaction)
    case (.begin(let isDeferred), .none):
      planned = .open(Open(mode: isDeferred ? nil : .write))
      if !isDeferred { plan = [.begin(.write)] }
    case (.commit, .none): return .refuse(.noTransaction("commit"))
    case (.rollBack, .none): return .refuse(.noTransaction("rollback"))
    case (.commit, .open(let open)): planCommit(open)
    case (.rollBack, .open(let open)):
      if open.mode != nil { plan = [.rollBack] }
      planned = State.none
    case (.savepoint(let name), _): planSavepoint(name)
    case (.release(let name), .open(let open)): return planRelease(name, open)
    case (.rollBackTo(let name), .open(let open)): return planRollBack(to: name, open)
    case (.release, .none), (.rollBackTo, .none): return .refuse(.noSavepoint)
    }
    return advance()
  }

  /// The last action was carried out; `sequence` is the number of the commit that a begin saw.
  package mutating func succeeded(sequence: UInt64 = 0) -> Action {
    if case .begin(let mode) = current, case .open(var open) = planned ?? state {
      if mode == .write, let snapshot = open.snapshot, snapshot != sequence {
        // Somebody has committed since the transaction read, so it may not write; SQLite refuses that too.
        planned = nil
        state = .lost(.snapshotChanged)
        plan = [.rollBack]
        return advance()
      }
      open.mode = mode
      open.snapshot = mode == .read ? sequence : nil
      if planned == nil { state = .open(open) } else { planned = .open(open) }
    }
    if current == .probe { return .fail }
    return advance()
  }

  package mutating func failed(_ failure: Failure) -> Action {
    switch (current, failure) {
    case (.rollBack, _) where plan.contains(.run):
      // The snapshot of the reads could not be left well, so nothing may be written that depends on them.
      lose(failure)
      return .fail
    case (.commit, _), (.rollBack, _):
      // Whatever the answer was, the server has no transaction any more; its answer to a commit is the statement's
      // error.
      if case .lost(let error) = state { return .refuse(error) }
      state = .none
      return current == .commit ? .fail : .finished
    case (.probe, _):
      lose(failure)
      return .fail
    case (.begin, _):
      if case .open(let open) = state, open.snapshot != nil { lose(failure) }
      return .fail
    case (.run, .readOnly):
      guard case .open(let open) = state, open.mode == .read else { return .fail }
      plan = steps(toRun: false, in: open)
      return advance()
    case (.run, .over), (.savepoint, .over):
      if case .open = state { lose(failure) }
      return .fail
    case (.run, _):
      guard case .open(let open) = state, open.mode == .write else { return .fail }
      plan = [.probe]
      return advance()
    default: return .fail
    }
  }

  /// The transaction was undone, for a reason that the caller found.
  package mutating func lost(_ why: String) -> RequestError {
    let error = RequestError.transactionLost(why)
    (planned, plan, state) = (nil, [], .lost(error))
    return error
  }

  // MARK: - Plans

  private mutating func advance() -> Action {
    guard !plan.isEmpty else {
      if let planned { state = planned }
      planned = nil
      current = .finished
      if case .lost(let error) = state { return .refuse(error) }
      return .finished
    }
    current = plan.removeFirst()
    return current
  }

  /// A transaction that has not written yet becomes a write transaction for its first write. Its savepoints are set
  /// again first: so far they have nothing to undo.
  private func steps(toRun isQuery: Bool, in open: Open) -> [Action] {
    switch open.mode {
    case .write: return [.run]
    case .read where isQuery: return [.run]
    case nil where isQuery: return [.begin(.read), .run]
    case .read, nil:
      let leave: [Action] = open.mode == .read ? [.rollBack] : []
      let savepoints = open.savepoints.map { Action.savepoint(.set, number: $0.number) }
      return leave + [.begin(.write)] + savepoints + [.run]
    }
  }

  private mutating func planCommit(_ open: Open) {
    planned = State.none
    switch open.mode {
    case .write: plan = [.commit]
    case .read: plan = [.rollBack]
    case nil: plan = []
    }
  }

  private mutating func planSavepoint(_ name: String) {
    var open = Open(beganBySavepoint: true)
    if case .open(let present) = state { open = present }
    number &+= 1
    open.savepoints.append((name, number))
    if open.mode == .write { plan = [.savepoint(.set, number: number)] }
    planned = .open(open)
  }

  private mutating func planRelease(_ name: String, _ open: Open) -> Action {
    guard let index = open.savepoints.lastIndex(where: { $0.name == name }) else { return .refuse(.noSavepoint) }
    if index == 0, open.beganBySavepoint {
      planCommit(open)
      return advance()
    }
    var open = open
    if open.mode == .write { plan = [.savepoint(.release, number: open.savepoints[index].number)] }
    open.savepoints.removeSubrange(index...)
    planned = .open(open)
    return advance()
  }

  private mutating func planRollBack(to name: String, _ open: Open) -> Action {
    guard let index = open.savepoints.lastIndex(where: { $0.name == name }) else { return .refuse(.noSavepoint) }
    var open = open
    if open.mode == .write { plan = [.savepoint(.rollBackTo, number: open.savepoints[index].number)] }
    open.savepoints.removeSubrange((index + 1)...)
    planned = .open(open)
    return advance()
  }

  private mutating func lose(_ failure: Failure) {
    planned = nil
    plan = []
    if case .over(let why) = failure {
      state = .lost(.transactionLost(why))
    } else {
      state = .lost(.transactionLost("The server ended it."))
    }
  }
}
