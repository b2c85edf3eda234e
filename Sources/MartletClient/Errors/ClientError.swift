public import Foundation

/// An error of the connection, or of the call.
///
/// Always true: the message is a sentence that holds no value of the program's or of a row. What the server answers
/// is thrown as `RequestError`.
public struct ClientError: Error, Sendable, Equatable {
  /// What kind of failure it is; more kinds may come.
  public struct Code: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
      case invalidURL, cannotConnect, connectionLost, closed, protocolViolation, tooManyWaiting, wrongThread
      case invalidStatement, transactionOver, tlsFailed, credentialFailed, invalidConfiguration
    }
    private var kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// The URL does not name a server and a database.
    public static let invalidURL = Code(.invalidURL)
    /// A number of the `ClientConfiguration` makes no sense, for instance no connection at all.
    public static let invalidConfiguration = Code(.invalidConfiguration)
    /// No connection came about.
    public static let cannotConnect = Code(.cannotConnect)
    /// The connection ended before the answer; see `isRetryable` and `isOutcomeUnknown`.
    public static let connectionLost = Code(.connectionLost)
    /// The database was closed by this program.
    public static let closed = Code(.closed)
    /// The server said something that the protocol does not allow; the connection was closed.
    public static let protocolViolation = Code(.protocolViolation)
    /// More requests than `ClientConfiguration.waitingMax` wait for a connection.
    public static let tooManyWaiting = Code(.tooManyWaiting)
    /// A blocking call came from an event loop's thread.
    public static let wrongThread = Code(.wrongThread)
    /// The statement cannot be serialized, or is larger than the server takes.
    public static let invalidStatement = Code(.invalidStatement)
    /// The transaction was used after its closure had ended.
    public static let transactionOver = Code(.transactionOver)
    /// TLS did not come about: a certificate that is not accepted, a file that cannot be used, a server without it.
    public static let tlsFailed = Code(.tlsFailed)
    /// The credential could not be fetched, or may not be sent to this server.
    public static let credentialFailed = Code(.credentialFailed)
  }

  public var code: Code
  public var message: String

  /// The same request may succeed if it is sent again, and sending it again does no harm.
  public var isRetryable: Bool

  /// A write was sent and its answer never came: it may or may not have happened.
  public var isOutcomeUnknown: Bool

  public init(_ code: Code, _ message: String, isRetryable: Bool = false, isOutcomeUnknown: Bool = false) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable
    self.isOutcomeUnknown = isOutcomeUnknown
  }
}

extension ClientError: CustomStringConvertible {
  public var description: String { message }
}

extension ClientError: LocalizedError {
  /// The error's sentence.
  public var errorDescription: String? { description }
}
