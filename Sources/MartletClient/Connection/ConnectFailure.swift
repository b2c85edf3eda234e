internal import Foundation
internal import MartletValues
internal import NIOCore
internal import NIOPosix

/// Why no connection to an address came about, in words.
///
/// Always true: the sentence names the address; it is retryable unless somebody has to put something right first.
struct ConnectFailure: Sendable {
  let address: MartletURL.Address

  /// What is thrown for an error of the socket, of TLS or of the preparation.
  func error(_ error: any Error) -> ClientError {
    switch error {
    case let error as ClientError: error
    case let error as TLSFailure:
      sentence(error.reason, code: error.isRetryable ? .cannotConnect : .tlsFailed, isRetryable: error.isRetryable)
    default: sentence(Self.reason(error))
    }
  }

  /// The connect timeout passed while the server was waited for.
  var late: ClientError { sentence("it did not answer in time") }

  /// A connection with TLS ended before the hello was answered; nil if the address has no TLS.
  var lostOverTLS: ClientError? { if case .tls = address { error(TLSFailure.endedAfterwards) } else { nil } }

  private func sentence(
    _ reason: String, code: ClientError.Code = .cannotConnect, isRetryable: Bool = true
  ) -> ClientError {
    .cannotConnect(to: place, reason, code: code, isRetryable: isRetryable)
  }

  private var place: String {
    switch address {
    case .tcp(let host, let port), .tls(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .unix(let path): "the socket \(path)"
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first { return reason(first.error) }
      return "the host's name is not known"
    case let error as IOError: return reason(errno: error.errnoCode)
    case ChannelError.connectTimeout: return "it did not answer in time"
    case is SocketAddressError: return "the host's name is not known"
    default: return "the connection could not be made"
    }
  }

  private static func reason(errno code: CInt) -> String {
    switch code {
    case ECONNREFUSED: "the connection was refused; is the server running?"
    case ENOENT: "there is no such socket; is the server running?"
    case EACCES, EPERM: "this program may not"
    case ENETUNREACH, EHOSTUNREACH: "the network is unreachable"
    case ETIMEDOUT: "it did not answer in time"
    default: "the system says error \(code)"
    }
  }
}
