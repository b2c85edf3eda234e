package import MartletValues

/// What a client asks, and what holds for each kind of request.
extension ClientMessage {
  /// What is asked once the session is open. A deadline of 0 is the server's default, and so is a credit of 0.
  package enum Request: Sendable, Equatable {
    case execute(Execute)
    case batch(Batch)
    case begin(TransactionMode, deadlineMs: UInt32 = 0)
    /// A commit takes place only if at least `required` of the transaction's required statements have succeeded.
    case finish(transaction: UInt32, commit: Bool, required: UInt32 = 0)
    case savepoint(transaction: UInt32, SavepointAction, number: UInt32)
    case ping([UInt8] = [])
    case inspect(shapes: UInt32, sessions: UInt32)
    case administer(Administration)
    case maintain(MaintenanceTask, deadlineMs: UInt32 = 0, credit: UInt32 = 0)
  }
}

/// What holds for each kind of request. The server's session decides by it what to admit, and the client's what to send
/// again.
///
/// Always true: the compiler asks a new kind of request for each of these, so neither session needs to know it by name
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

  /// Counted from the request's arrival; 0: the server's default.
  package var deadlineMs: UInt32 {
    switch self {
    case .execute(let execute): execute.deadlineMs
    case .batch(let batch): batch.deadlineMs
    case .begin(_, let deadlineMs), .maintain(_, let deadlineMs, _): deadlineMs
    case .finish, .savepoint, .ping, .inspect, .administer: 0
    }
  }

  /// Bytes of rows that may be sent at once; 0: the server's default; nil: its answer has no rows.
  package var credit: UInt32? {
    switch self {
    case .execute(let execute): execute.credit
    case .batch(let batch): batch.credit
    case .maintain(_, _, let credit): credit
    case .begin, .finish, .savepoint, .ping, .inspect, .administer: nil
    }
  }

  /// What the subject must be allowed for the request, beside what its statements need.
  package var permissions: Permissions {
    switch self {
    case .inspect: .inspect
    case .maintain: .maintain
    case .administer(let task): task.permissions
    case .execute, .batch, .begin, .finish, .savepoint, .ping: []
    }
  }

  /// The request's word in the audit log. A statement on its own has none, because its SQL says what it is.
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

  /// The request changes the server itself, outside of any transaction; the audit log notes it at every level.
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

  /// Sending the request twice does no harm. For statements only the client can tell, because it has their trees.
  package var isRepeatable: Bool {
    switch self {
    case .begin, .savepoint, .ping, .inspect: true
    // A second `unfence` is only told that the database is not fenced.
    case .maintain: true
    case .finish(_, let commit, _): !commit
    case .administer(let task): if case .list = task { true } else { false }
    case .execute, .batch: false
    }
  }

  /// What the request did may stay if the session ends before its answer. Of a transaction only the commit's does. A
  /// client that knows its statements can tell more.
  package var mayOutliveSession: Bool {
    switch self {
    case .execute, .batch: transaction == 0
    default: !isRepeatable
    }
  }

  /// The end of a transaction, or of a part of it, which is sent even if its deadline has passed.
  package var isEnd: Bool {
    switch self {
    case .finish, .savepoint(_, .release, _), .savepoint(_, .rollBackTo, _): true
    default: false
    }
  }

  /// The same request with the deadline and credit of whoever sends it now. A request without a deadline or a credit
  /// stays without it.
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
