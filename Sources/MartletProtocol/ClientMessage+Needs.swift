package import MartletValues

/// What is true of each request, whoever looks at it: the server's session admits it by this, and the client's repeats
/// it or not.
///
/// Always true: a new request is asked for each of these by the compiler, so neither session needs to know it by name
/// unless it has a rule of its own.
extension ClientMessage.Request {
  /// The request id of the Begin of the open transaction that it is a part of; 0: it is on its own.
  package var transaction: UInt32 {
    switch self {
    case .execute(let execute): execute.transaction
    case .batch(let batch): batch.transaction
    case .finish(let transaction, _, _), .savepoint(let transaction, _, _): transaction
    case .begin, .ping, .inspect, .administer, .maintain: 0
    }
  }

  /// From its arrival; 0: the server's default.
  package var deadlineMs: UInt32 {
    switch self {
    case .execute(let execute): execute.deadlineMs
    case .batch(let batch): batch.deadlineMs
    case .begin(_, let deadlineMs), .maintain(_, let deadlineMs, _): deadlineMs
    case .finish, .savepoint, .ping, .inspect, .administer: 0
    }
  }

  /// Bytes of rows that may be sent at once, 0 being the server's default; nil: no rows answer it.
  package var credit: UInt32? {
    switch self {
    case .execute(let execute): execute.credit
    case .batch(let batch): batch.credit
    case .maintain(_, _, let credit): credit
    case .begin, .finish, .savepoint, .ping, .inspect, .administer: nil
    }
  }

  /// What the subject must be allowed, beside what its statements need.
  package var permissions: Permissions {
    switch self {
    case .inspect: .inspect
    case .maintain: .maintain
    case .administer(let task): task.permissions
    case .execute, .batch, .begin, .finish, .savepoint, .ping: []
    }
  }

  /// Its word in the audit log; of a statement on its own none, because its SQL says what it is.
  package var auditKind: String? {
    switch self {
    case .execute, .ping: nil
    case .batch: "batch"
    case .begin(let mode, _): mode == .read ? "begin-read" : "begin-write"
    case .finish(_, let commit, _): commit ? "commit" : "rollback"
    case .savepoint(_, .set, _): "savepoint"
    case .savepoint(_, .release, _): "release"
    case .savepoint(_, .rollBackTo, _): "rollback-to"
    case .inspect: "inspect"
    case .maintain(let task, _, _): task == .unfence ? "unfence" : "check"
    case .administer(.list): "list-databases"
    case .administer(.create): "create-database"
    case .administer(.rename): "rename-database"
    case .administer(.drop): "drop-database"
    }
  }

  /// It changes what is the server's and no transaction's, which the audit log has at every level.
  package var changesServer: Bool {
    switch self {
    case .maintain(let task, _, _): task == .unfence
    case .administer(let task): !task.changedDatabases.isEmpty
    case .execute, .batch, .begin, .finish, .savepoint, .ping, .inspect: false
    }
  }

  /// A session for the server as a whole has no database, and takes only what needs none.
  package var needsDatabase: Bool {
    switch self {
    case .ping, .inspect, .administer: false
    case .execute, .batch, .begin, .finish, .savepoint, .maintain: true
    }
  }

  /// Sending it twice is as good as once. Of statements only the client knows, which has their trees.
  package var isRepeatable: Bool {
    switch self {
    case .begin, .savepoint, .ping, .inspect: true
    // A database that is not fenced any more says so.
    case .maintain: true
    case .finish(_, let commit, _): !commit
    case .administer(let task): if case .list = task { true } else { false }
    case .execute, .batch: false
    }
  }

  /// The end of a transaction, or of a part of it, which is asked for however late it is.
  package var isEnd: Bool {
    switch self {
    case .finish, .savepoint(_, .release, _), .savepoint(_, .rollBackTo, _): true
    default: false
    }
  }

  /// The same request with the deadline and credit of whoever sends it now. What has none of one is not changed by it.
  package func with(deadlineMs: UInt32, credit: UInt32) -> Self {
    switch self {
    case .execute(var execute):
      execute.deadlineMs = deadlineMs
      execute.credit = credit
      return .execute(execute)
    case .batch(var batch):
      batch.deadlineMs = deadlineMs
      batch.credit = credit
      return .batch(batch)
    case .begin(let mode, _): return .begin(mode, deadlineMs: deadlineMs)
    case .maintain(let task, _, _): return .maintain(task, deadlineMs: deadlineMs, credit: credit)
    case .finish, .savepoint, .ping, .inspect, .administer: return self
    }
  }
}
