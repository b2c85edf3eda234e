import Dispatch
import MartletEngine
import MartletServer
import MartletValues
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// HTTP for those who look after a server: `/metrics` for Prometheus, `/healthz` and `/readyz` for whoever restarts it.
///
/// Always true: it changes nothing and shows no data, no SQL and no names; connections are few, and each has one
/// request and seconds for it, on a thread of their own, so nothing that is asked here holds the server up.
final class MetricsListener {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// `HOST:PORT`, where the host is a numeric address or a name.
  struct Address: Equatable, Sendable {
    var host: String
    var port: Int

    init?(_ text: String) {
      guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
        (0...65_535).contains(port)
      else { return nil }
      var host = String(text[..<colon])
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        return nil
      }
      guard !host.isEmpty else { return nil }
      (self.host, self.port) = (host, port)
    }

    /// The host as a URL shows it.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }
  }

  /// Returns when the listener listens, with the port that it has.
  func start(at address: Address, for server: Server) throws -> Int {
    let connections = MetricsConnections()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        guard connections.opened(channel) else { return channel.close() }
        let late = channel.eventLoop.scheduleTask(in: .seconds(CommandLimits.metricsRequestSeconds)) {
          if !connections.hasAsked(channel) { channel.close(promise: nil) }
        }
        let end = channel.eventLoop.scheduleTask(in: .seconds(CommandLimits.metricsConnectionSeconds)) {
          channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in
          late.cancel()
          end.cancel()
          connections.closed(channel)
        }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(MetricsHandler(server: server, connections: connections))
        }
      }
    do {
      let channel = try bootstrap.bind(host: address.host, port: address.port).wait()
      return channel.localAddress?.port ?? address.port
    } catch {
      throw Self.failure(error, at: address)
    }
  }

  private static func failure(_ error: any Error, at address: Address) -> CommandFailure {
    let place = "\(address.urlHost):\(address.port)"
    switch error {
    case let error as IOError where error.errnoCode == EADDRINUSE: return .metricsAddressTaken(place)
    case let error as IOError: return .metricsNotServed(at: place, String(cString: strerror(error.errnoCode)))
    case is SocketAddressError.UnknownHost: return .metricsNotServed(at: place, "its name is not known here")
    default: return .metricsNotServed(at: place, "\(error)")
    }
  }

  /// Closes what is open, for at most `CommandLimits.metricsCloseMs`.
  func stop() {
    let closed = TimedSemaphore()
    group.shutdownGracefully { _ in closed.signal() }
    _ = closed.wait(by: .now() + .milliseconds(CommandLimits.metricsCloseMs))
  }
}

/// Answers the one request of a connection: what a client asks for without reading its answers would wait in memory.
final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: Server
  private let connections: MetricsConnections
  private var request: HTTPRequestHead?
  private var hasAnswered = false

  init(server: Server, connections: MetricsConnections) {
    self.server = server
    self.connections = connections
  }

  /// What is asked for, without a query. A client of a proxy names the scheme and the host before it.
  static func path(of uri: String) -> String {
    var rest = uri[...]
    for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count).drop { !"/?#".contains($0) }
    }
    let path = rest.prefix { !"?#".contains($0) }
    return path.isEmpty ? "/" : String(path)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): request = head
    case .body: break
    case .end:
      guard let request, !hasAnswered else { return }
      self.request = nil
      hasAnswered = true
      connections.asked(context.channel)
      answer(request, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let (status, body, type) = answer(to: Self.path(of: request.uri), method: request.method)
    var buffer = context.channel.allocator.buffer(capacity: body.utf8.count)
    buffer.writeString(body)
    var head = HTTPResponseHead(version: request.version, status: status)
    head.headers.add(name: "content-type", value: type)
    head.headers.add(name: "content-length", value: "\(buffer.readableBytes)")
    head.headers.add(name: "cache-control", value: "no-store")
    if status == .methodNotAllowed { head.headers.add(name: "allow", value: "GET, HEAD") }
    head.headers.add(name: "connection", value: "close")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil) }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }

  private func answer(to path: String, method: HTTPMethod) -> (HTTPResponseStatus, String, String) {
    let plain = "text/plain; charset=utf-8"
    guard method == .GET || method == .HEAD else {
      return (.methodNotAllowed, "Only GET and HEAD are answered.\n", plain)
    }
    switch path {
    case "/metrics":
      let text = MetricsText.text(
        counters: server.counters, latencies: server.latencies, version: ProgramVersion.text, isReady: server.isReady)
      return (.ok, text, "text/plain; version=0.0.4; charset=utf-8")
    case "/healthz": return (.ok, "ok\n", plain)
    case "/readyz":
      return server.isReady ? (.ok, "ready\n", plain) : (.serviceUnavailable, "not ready: see the log\n", plain)
    default: return (.notFound, "There are /metrics, /healthz and /readyz.\n", plain)
    }
  }
}
