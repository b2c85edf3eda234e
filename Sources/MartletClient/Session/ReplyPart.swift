internal import MartletProtocol
internal import MartletValues

/// What a connection tells about one request, and whom.
///
/// Always true: a request's parts come in order on the connection's event loop and end with exactly one part that
/// `isEnd`.
enum ReplyPart: Sendable, Equatable {
  /// Rows of the request (step 0) or of a batch's step.
  case rows(step: Int, RowBatch, ColumnLayout)
  case completed(step: Int, Completion, ColumnLayout?)
  case failed(step: Int, ReplyError)
  /// The server's answer to a request that is not a statement, except a completion or an error.
  case answered(ServerMessage.Part)

  var isEnd: Bool {
    switch self {
    case .rows: false
    case .completed(let step, _, _), .failed(let step, _): step == 0
    case .answered: true
    }
  }
}

/// Why a request has no result.
enum ReplyError: Error, Sendable, Equatable {
  /// The server's answer.
  case request(RequestError)
  case client(ClientError)
  /// The program cancelled the request before it was sent.
  case cancelled

  /// What the program is thrown.
  var thrown: any Error {
    switch self {
    case .request(let error): error
    case .client(let error): error
    case .cancelled: CancellationError()
    }
  }

  /// What a task is thrown: the server's word for a cancel that the task asked for is Swift's own.
  var thrownToTask: any Error {
    if case .request(let error) = self, error.code == .cancelled, !error.isOutcomeUnknown, Task.isCancelled {
      return CancellationError()
    }
    return thrown
  }

  /// The server ended the request well but dropped rows, which it does if it is asked to stop. If nothing can be
  /// committed by now, the task simply was cancelled.
  static func rowsDropped(mayBeCommitted: Bool) -> ReplyError {
    guard mayBeCommitted else { return .cancelled }
    return .request(.rowsDropped)
  }
}

/// A stream of rows and a collected reply. Called on the connection's event loop; must not block.
protocol ReplyReceiver: AnyObject, Sendable {
  func receive(_ part: ReplyPart)
}

extension ColumnLayout: Equatable {
  @usableFromInline
  static func == (left: ColumnLayout, right: ColumnLayout) -> Bool { left.columns == right.columns }
}
