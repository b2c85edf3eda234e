internal import MartletValues

/// What a request says to the server, before it has a number.
///
/// Always true: it is complete, so it can be sent again on another connection (unless it belongs to a transaction,
/// which lives on one).
struct ClientRequest: Sendable {
  enum Kind: Sendable {
    case execute(RemoteStatement, [Value])
    case batch([BatchStep], isAtomic: Bool)
    case begin(TransactionMode)
    case finish(commit: Bool)
    case savepoint(SavepointAction, number: UInt32)
    case ping
    case inspect(shapes: Int, sessions: Int)
    case administer(Administration)
    case maintain(MaintenanceTask)

    /// The end of a transaction, or of a part of it, which is asked for however late it is.
    var isEnd: Bool {
      switch self {
      case .finish, .savepoint(.release, _), .savepoint(.rollBackTo, _): true
      default: false
      }
    }
  }

  /// Who lets the server go on after the first window of rows.
  enum CreditPolicy: Sendable {
    /// The connection, as rows arrive: the reply is collected.
    case automatic
    /// The consumer of a stream.
    case byConsumer
  }

  var kind: Kind

  /// The request id of the open transaction that it belongs to; 0 where it is on its own.
  var transaction: UInt32 = 0
  var deadline: MonotonicTime = .distantFuture
  var creditPolicy = CreditPolicy.automatic
  /// The program named no deadline for this request.
  var mayShortenDeadline = true

  /// Sending it twice does no harm.
  var isRead: Bool {
    switch kind {
    case .execute(let statement, _): statement.isRead
    case .batch(let steps, _): steps.allSatisfy(\.statement.isRead)
    case .begin, .ping, .inspect, .savepoint: true
    // Twice is once: a database that is not fenced any more says so.
    case .maintain: true
    case .finish(let commit): !commit
    case .administer(let task): if case .list = task { true } else { false }
    }
  }
}

package enum TransactionMode: Sendable, Equatable {
  /// A snapshot.
  case read
  /// The one writer.
  case write
}

package enum SavepointAction: Sendable, Equatable {
  case set, release, rollBackTo
}

/// Takes requests to a server: the pool to any connection, a transaction to its own.
protocol RequestRoute: Sendable {
  /// Hands the request to a connection. Throws where none takes it; whatever happens after that, the receiver is told.
  func submit(_ request: ClientRequest, to receiver: any ReplyReceiver) async throws -> InFlightRequest
}
