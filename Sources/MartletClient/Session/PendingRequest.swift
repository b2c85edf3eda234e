internal import MartletProtocol
internal import MartletValues

/// One request of a session, from its start to its last part.
///
/// Always true: `credit` is what the server may still send. A server that sends more than one frame beyond it loses the
/// connection.
struct PendingRequest: Sendable {
  let request: ClientRequest
  var phase = Phase.waiting

  /// When the request was last sent.
  var sentAt = MonotonicTime(nanoseconds: 0)

  /// The server was told to stop. Its last word is still awaited.
  var isCancelled = false

  /// The request was sent by the ids of shapes, so `UNPREPARED` can be answered with the bytes.
  var isByShape = false

  /// Rows were handed over, so it cannot start again.
  var hasDelivered = false

  /// Bytes of rows that the server may send, and bytes consumed that it was not told of.
  var credit = 0
  var unsentCredit = 0

  /// The layout of the request's rows (index 0) and of each step's.
  var layouts: [ColumnLayout?]

  enum Phase: Sendable {
    /// Not sent: the connection takes no more for now.
    case waiting
    case sent
    /// The receiver was told of an end; the server's own is dropped when it comes.
    case abandoned
  }

  init(_ request: ClientRequest) {
    self.request = request
    let steps = if case .batch(let steps, _) = request.kind { steps.count } else { 0 }
    layouts = Array(repeating: nil, count: steps + 1)
  }

  /// The statement whose rows carry `step`.
  func statement(step: Int) -> RemoteStatement? {
    switch request.kind {
    case .execute(let statement, _): step == 0 ? statement : nil
    case .batch(let steps, _): steps.indices.contains(step - 1) ? steps[step - 1].statement : nil
    default: nil
    }
  }

  /// A write that was sent may have happened. In a transaction only the commit decides.
  func isOutcomeUnknown(in mode: TransactionMode?) -> Bool {
    guard phase == .sent || phase == .abandoned else { return false }
    if request.transaction == 0 { return !request.isRead }
    if case .plain(.finish(_, commit: true, _)) = request.kind { return mode != .read }
    return false
  }
}
