internal import MartletProtocol
internal import MartletValues

/// A request that is in flight, as the audit log wants it.
///
/// Always true: it has its statements' values only if the log asks for some.
struct AuditedRequest: Sendable {
  /// How a step of a batch ended.
  struct StepEnd: Sendable {
    var completion: Completion?
    var error: RequestError?
  }

  var event: AuditEvent.Name
  /// What the request is, if no statement says so.
  var kind: String?
  /// Whether the request writes, as far as that is known without its statements.
  var writes = false
  /// The request changes the server, and stands in the log at every level.
  var changesServer = false
  var transaction: UInt32 = 0
  /// The database that an administration names.
  var database: String?
  var newName: String?
  var sources: [StatementSource] = []
  /// One list for each of the sources; none if nobody asks for them.
  var values: [[StepParameter]] = []
  /// How the steps of a batch ended, by their numbers.
  var ends: [UInt32: StepEnd] = [:]
  let at: MonotonicTime

  /// Nil for what is in no audit log. `mode` gives that of an open transaction.
  init?(
    _ request: ClientMessage.Request, at now: MonotonicTime, keepsValues: Bool, mode: (UInt32) -> TransactionMode?
  ) {
    at = now
    kind = request.auditKind
    transaction = request.transaction
    switch request {
    case .ping: return nil
    case .execute(let execute):
      event = .statement
      sources = [execute.source]
      if keepsValues { values = [execute.parameters.map { .value($0) }] }
    case .batch(let batch):
      event = .batch
      sources = batch.steps.map(\.source)
      if keepsValues { values = batch.steps.map(\.parameters) }
    case .begin(let mode, _):
      event = .transaction
      writes = mode == .write
    case .finish(let id, _, _), .savepoint(let id, _, _):
      event = .transaction
      writes = mode(id) != .read
    default:
      // What is no statement and no transaction is the server's business, whatever is added.
      event = .administration
      changesServer = request.changesServer
      writes = changesServer
    }
    guard case .administer(let task) = request else { return }
    database = changesServer ? task.database : nil
    newName = task.newName.isEmpty ? nil : task.newName
  }
}

extension RequestError {
  /// The client may not do what it asked for, or not as much of it, or nobody may.
  var isRefusal: Bool { code == .permissionDenied || Self.refusals.contains(reason) }

  static let refusals: [Reason] = [.permission, .unauthenticated, .quota]
}
