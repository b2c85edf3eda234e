/// How clients come: what an address takes.
enum SocketKind: Sendable, Equatable {
  case unix
  case tcp
  /// TCP with TLS.
  case tls
}
