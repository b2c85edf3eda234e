internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Holds a connection back until TLS is there and the server is the one that was asked for.
///
/// Always true: the handlers behind it hear of an active channel, and so say their first word, only after the
/// handshake with its certificate, the protocol and the name were all found right; every error of TLS reaches them as
/// a `TLSFailure`.
final class TLSGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let tls: TLSClient
  private let handler: NIOSSLClientHandler
  private var isOpen = false

  init(_ tls: TLSClient, handler: NIOSSLClientHandler) {
    self.tls = tls
    self.handler = handler
  }

  /// The socket is open; the channel is not what the others may use.
  func channelActive(context: ChannelHandlerContext) {}

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let chosen)? = event as? TLSUserEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    if let failure = failure(chosen: chosen) {
      context.fireErrorCaught(failure)
      context.close(promise: nil)
    } else {
      isOpen = true
      context.fireChannelActive()
    }
  }

  private func failure(chosen: String?) -> TLSFailure? {
    guard let certificate = handler.peerCertificate else { return .refused(nil, expected: tls.fingerprint) }
    // A pinned certificate was compared as a whole.
    if tls.fingerprint == nil, !tls.name.isBorne(by: certificate) { return .otherName(tls.name, certificate) }
    return chosen == TLSClient.protocolName ? nil : .otherProtocol
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isOpen { context.fireChannelRead(data) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let failure = TLSFailure(error, certificate: handler.peerCertificate, expected: tls.fingerprint)
    context.fireErrorCaught(failure ?? (isOpen ? error : TLSFailure.ended))
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Whoever is told of two causes keeps the first.
    if !isOpen { context.fireErrorCaught(TLSFailure.ended) }
    context.fireChannelInactive()
  }
}
