internal import MartletLoop
public import MartletValues

/// What an address lacks at which a server may not listen as it is configured.
///
/// Always true: its description is the beginning of a sentence, without what to do and without a full stop.
public struct AddressFault: Sendable, Equatable, CustomStringConvertible {
  /// What an address needs and does not have.
  public enum Lack: Sendable, Equatable {
    /// The address speaks TLS, and there is no certificate.
    case certificate
    /// Other machines reach the address, and nothing is encrypted.
    case encryption
    /// Other machines reach the address, and nobody there has a role.
    case roles
  }

  public let url: MartletURL
  public let lacks: Lack

  public var description: String {
    switch lacks {
    case .certificate: "\(url) needs a certificate"
    case .encryption:
      "\(url) is not a loopback address, and without TLS anybody on the way could read and change what is said"
    case .roles: "\(url) is not a loopback address, and without roles nobody from there may do anything"
    }
  }
}
