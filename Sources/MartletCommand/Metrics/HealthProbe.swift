import NIOCore
import NIOHTTP1
import NIOPosix

/// Asks a server's address for operators one question, as whoever watches a container does.
///
/// Always true: it is over after `HealthProbeLimits.timeoutSeconds`, whatever answers there, and one connection was
/// used.
enum HealthProbe {
  struct Answer: Equatable, Sendable {
    var status: Int
    var text: String
  }

  /// Throws where nobody answers in time.
  static func ask(_ path: String, at address: MetricsListener.Address) async throws -> Answer {
    let group = MultiThreadedEventLoopGroup.singleton
    let promise = group.next().makePromise(of: Answer.self)
    let bootstrap = ClientBootstrap(group: group)
      .connectTimeout(.seconds(HealthProbeLimits.timeoutSeconds))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(HealthProbeHandler(path: path, address: address, promise))
        }
      }
    do {
      let channel = try await bootstrap.connect(host: address.host, port: address.port).get()
      let timer = channel.eventLoop.scheduleTask(in: .seconds(HealthProbeLimits.timeoutSeconds)) {
        promise.fail(ProbeFailure.noAnswer)
      }
      defer {
        timer.cancel()
        channel.close(promise: nil)
      }
      return try await promise.futureResult.get()
    } catch let failure as ProbeFailure {
      throw CommandFailure(
        "\(address.urlHost):\(address.port) does not answer as a server's --metrics-listen does: \(failure.text).")
    } catch {
      promise.fail(error)
      throw CommandFailure(
        "Nobody listens at \(address.urlHost):\(address.port). Start the server with --metrics-listen, or name its address."
      )
    }
  }
}

private enum ProbeFailure: Error {
  case noAnswer, closed

  var text: String {
    switch self {
    case .noAnswer: "no answer came"
    case .closed: "the connection ended"
    }
  }
}

/// Sends the question when it is connected, and gathers the answer.
private final class HealthProbeHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let path: String
  private let address: MetricsListener.Address
  private let promise: EventLoopPromise<HealthProbe.Answer>
  private var answer = HealthProbe.Answer(status: 0, text: "")

  init(path: String, address: MetricsListener.Address, _ promise: EventLoopPromise<HealthProbe.Answer>) {
    self.path = path
    self.address = address
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
    head.headers.add(name: "host", value: "\(address.urlHost):\(address.port)")
    head.headers.add(name: "connection", value: "close")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer.status = Int(head.status.code)
    case .body(let bytes):
      if answer.text.utf8.count < HealthProbeLimits.bytesMax { answer.text += String(buffer: bytes) }
    case .end: promise.succeed(answer)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { promise.fail(ProbeFailure.closed) }
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(ProbeFailure.closed)
    context.close(promise: nil)
  }
}
