/// A server with TLS on a port of the loopback that says hello and answers pings.
///
/// Always true: it is gone when the value is; it keeps the credentials that it heard.
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftProtobuf
import Synchronization

@testable import MartletClient

final class TLSServer: Sendable {
  /// What is unlike a proper server.
  struct Options: Sendable {
    var certificate = "server"
    var protocols = ["martlet/1"]
    var demandsClientCertificate = false
    var versionMax: TLSVersion?
    /// What is said at once without TLS; nil: TLS is spoken.
    var plainGreeting: [UInt8]?
    var hangsUp = false
    var hangsUpAtHello = false
    var host = "127.0.0.1"
  }

  /// What clients said.
  fileprivate final class Ears: Sendable {
    let heard = Mutex<(credentials: [String], connections: Int)>(([], 0))
  }

  let port: Int
  private let listener: any Channel
  private let ears = Ears()

  var credentials: [String] { ears.heard.withLock(\.credentials) }
  var connections: Int { ears.heard.withLock(\.connections) }

  init(_ change: (inout Options) -> Void = { _ in }) async throws {
    var options = Options()
    change(&options)
    let context = try Self.context(options, certificates: try await TestCertificates.all())
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [options, ears] channel in
        channel.eventLoop.makeCompletedFuture {
          ears.heard.withLock { $0.connections += 1 }
          if options.hangsUp { return channel.close(promise: nil) }
          if options.plainGreeting == nil {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          }
          try channel.pipeline.syncOperations.addHandler(Greeter(ears, options))
        }
      }
      .bind(host: options.host, port: 0).get()
    port = listener.localAddress?.port ?? 0
  }

  deinit { listener.close(promise: nil) }

  private static func context(_ options: Options, certificates: TestCertificates) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.certificate(options.certificate))
        .map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.key(options.certificate), format: .pem)))
    configuration.minimumTLSVersion = .tlsv1
    configuration.applicationProtocols = options.protocols
    configuration.maximumTLSVersion = options.versionMax
    if options.demandsClientCertificate {
      configuration.certificateVerification = .noHostnameVerification
      configuration.trustRoots = .file(certificates.certificate("ca"))
    }
    return try NIOSSLContext(configuration: configuration)
  }

  /// Connects, pings and closes. The configuration trusts the test's authority unless it is changed.
  func ping(
    host: String = "localhost", scheme: String = "martlet+tls",
    _ change: (inout ClientConfiguration) throws -> Void = { _ in }
  ) async throws {
    var configuration = ClientConfiguration()
    configuration.tls.authorities = try await TestCertificates.all().certificate("ca")
    configuration.backoffFirst = .milliseconds(1)
    try change(&configuration)
    let client = try DatabaseClient("\(scheme)://\(host):\(port)/shop", configuration: configuration)
    do {
      try await client.ping()
      await client.close()
    } catch {
      await client.close()
      throw error
    }
  }

  /// The error of such a ping, without its beginning; empty if it went well.
  func refusal(
    host: String = "localhost", scheme: String = "martlet+tls",
    _ change: (inout ClientConfiguration) throws -> Void = { _ in }
  ) async -> Refusal {
    do {
      try await ping(host: host, scheme: scheme, change)
      return Refusal(reason: "")
    } catch let error as ClientError {
      let shown = host.contains(":") ? host : "\(host):\(port)"
      let start = "Cannot connect to a Martlet server at \(shown): "
      let reason = error.message.hasPrefix(start) ? String(error.message.dropFirst(start.count)) : error.message
      return Refusal(reason: reason, code: error.code, isRetryable: error.isRetryable)
    } catch {
      return Refusal(reason: "\(error)")
    }
  }

  struct Refusal: Equatable {
    var reason: String
    var code: ClientError.Code?
    var isRetryable = false

    /// One that somebody has to put right.
    static func final(_ reason: String, code: ClientError.Code = .tlsFailed) -> Refusal {
      Refusal(reason: reason, code: code)
    }
  }
}

/// Answers hellos and pings, and remembers credentials.
private final class Greeter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let ears: TLSServer.Ears
  private let options: TLSServer.Options
  private var frames = FrameReader(frameBytesMax: 1 << 20)

  init(_ ears: TLSServer.Ears, _ options: TLSServer.Options) {
    self.ears = ears
    self.options = options
  }

  func channelActive(context: ChannelHandlerContext) {
    if let greeting = options.plainGreeting {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: greeting)), promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard options.plainGreeting == nil else { return }
    if options.hangsUpAtHello { return context.close(promise: nil) }
    frames.append(unwrapInboundIn(data))
    while let frame = try? frames.next() {
      guard let message = try? ProtoClientMessage(serializedBytes: Array(frame.readableBytesView)) else { continue }
      var answer = ProtoServerMessage.pong(message.requestID)
      if case .hello(let hello) = message.kind {
        ears.heard.withLock { $0.credentials.append(String(decoding: hello.credential, as: UTF8.self)) }
        answer = .hello()
      }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: (try? answer.framed()) ?? [])), promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
