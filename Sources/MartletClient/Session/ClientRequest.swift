internal import MartletProtocol
internal import MartletValues

/// What a request says to the server, before it has a number.
///
/// Always true: it is complete, so it can be sent again on another connection (unless it belongs to a transaction,
/// which lives on one).
struct ClientRequest: Sendable {
  enum Kind: Sendable {
    case execute(RemoteStatement, [Value])
    case batch([BatchStep], isAtomic: Bool)
    /// A request that is not a statement. Its deadline and credit are filled in when it is sent.
    case plain(ClientMessage.Request)

    /// The end of a transaction, or of a part of it, which is sent even if its deadline has passed.
    var isEnd: Bool { if case .plain(let request) = self { request.isEnd } else { false } }

    /// Whether nothing in the request changes rows, as far as its text says.
    var mayBeRead: Bool {
      switch self {
      case .execute(let statement, _): statement.mayBeRead
      case .batch(let steps, _): steps.allSatisfy(\.statement.mayBeRead)
      case .plain: true
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

  /// The request id of the open transaction that it belongs to; 0 if it is on its own.
  var transaction: UInt32
  var deadline: MonotonicTime
  var creditPolicy: CreditPolicy
  /// The program named no deadline for this request.
  var mayShortenDeadline: Bool
  /// Others follow it before its answer is here, and the commit of its transaction depends on it. It is sent as a whole
  /// tree and not as a shape's id: if the server did not know the shape, the tree would come too late, behind the
  /// others.
  var isRequired = false

  init(
    kind: Kind, transaction: UInt32 = 0, deadline: MonotonicTime = .distantFuture,
    creditPolicy: CreditPolicy = .automatic, mayShortenDeadline: Bool = true
  ) {
    self.kind = kind
    self.transaction = if case .plain(let request) = kind { request.transaction } else { transaction }
    self.deadline = deadline
    self.creditPolicy = creditPolicy
    self.mayShortenDeadline = mayShortenDeadline
  }

  /// All statements that the request would run.
  var statements: [RemoteStatement] {
    switch kind {
    case .execute(let statement, _): [statement]
    case .batch(let steps, _): steps.map(\.statement)
    case .plain: []
    }
  }

  /// Sending the request twice does no harm.
  var isRead: Bool {
    switch kind {
    case .execute(let statement, _): statement.surelyReads
    case .batch(let steps, _): steps.allSatisfy(\.statement.surelyReads)
    case .plain(let request): request.isRepeatable
    }
  }
}
