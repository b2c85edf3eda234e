internal import MartletValues
internal import NIOPosix

/// What is fetched before a connection is opened: the files of TLS and the credential.
///
/// Always true: an encrypted address is never connected to without TLS; a credential is not even fetched if it would
/// leave this machine in the clear.
struct ConnectionPreparation: Sendable {
  /// What was fetched.
  struct Result: Sendable {
    /// Nil if the address is not encrypted.
    var tls: TLSClient?
    /// Empty if there is none.
    var credential = ""
  }

  let address: MartletURL.Address
  private let tls: ClientTLS
  private let allowsCredentialInClear: Bool
  let credential: ClientCredential?

  init(address: MartletURL.Address, _ configuration: ClientConfiguration) {
    self.address = address
    tls = configuration.tls
    credential = configuration.credential
    allowsCredentialInClear = configuration.allowsCredentialInClear
  }

  /// Whether there is anything to fetch.
  var isNeeded: Bool { if case .tls = address { true } else { credential != nil } }

  /// Throws `ClientError`.
  func run() async throws -> Result {
    try checkSecrecy()
    var result = Result()
    if case .tls(let host, _) = address {
      // Files block, and the system's authorities take milliseconds to read.
      result.tls = try await NIOThreadPool.singleton.runIfActive { [tls] in try TLSClient(tls, host: host) }
    }
    if let credential { result.credential = try await credential.current() }
    return result
  }

  private func checkSecrecy() throws(ClientError) {
    guard credential != nil, !allowsCredentialInClear, case .tcp(let host, _) = address,
      !ServerName(host).isLoopback
    else { return }
    throw .credentialInClear(to: host)
  }
}
