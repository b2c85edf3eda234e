import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Asks a server's address for operators one question, as whoever watches a container does.
///
/// Always true: it is over after `CommandLimits.healthProbeSeconds`, which count from before the connection, whatever
/// answers there; what was connected is closed.
enum HealthProbe {
  struct Answer: Equatable, Sendable {
    var status: Int
    var text: String

    /// What a person is told if the answer is not a yes; nil if it is.
    var refusal: String? {
      guard status != 200 else { return nil }
      var words = text[...]
      while let last = words.last, last.isNewline || last == "." { words.removeLast() }
      return "The server answers \(status)" + (words.isEmpty ? "." : ": \(CellText.escaped(String(words))).")
    }
  }

  /// Throws if nobody answers in time.
  static func ask(_ path: String, at address: MetricsListener.Address) async throws -> Answer {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: Answer.self)
    let timer = loop.scheduleTask(in: .seconds(CommandLimits.healthProbeSeconds)) {
      promise.fail(ProbeFailure.noAnswer)
    }
    let connecting = ClientBootstrap(group: loop)
      .connectTimeout(.seconds(CommandLimits.healthProbeSeconds))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(HealthProbeHandler(path: path, address: address, promise))
        }
      }
      .connect(host: address.host, port: address.port)
    connecting.whenFailure { promise.fail($0) }
    defer {
      timer.cancel()
      connecting.whenSuccess { $0.close(promise: nil) }
    }
    do {
      return try await promise.futureResult.get()
    } catch {
      throw CommandFailure(sentence(error, at: address))
    }
  }

  private static func sentence(_ error: any Error, at address: MetricsListener.Address) -> String {
    let place = "\(address.urlHost):\(address.port)"
    switch error {
    case let failure as ProbeFailure:
      return "\(place) does not answer as a server's --metrics-listen does: \(failure.text)."
    case let error as NIOConnectionError:
      let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
      if !codes.isEmpty, codes.allSatisfy({ $0 == ECONNREFUSED }) {
        return "Nobody listens at \(place). Start the server with --metrics-listen, or name its address."
      }
      let cause = error.connectionErrors.last.map { String(describing: $0.error) } ?? "its name is not known"
      return "\(place) cannot be reached: \(codes.last.map { String(cString: strerror($0)) } ?? cause)."
    default: return "\(place) cannot be reached: \(error)."
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
      if answer.text.utf8.count < CommandLimits.healthProbeBytesMax { answer.text += String(buffer: bytes) }
    case .end: promise.succeed(answer)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { promise.fail(ProbeFailure.closed) }
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(ProbeFailure.closed)
    context.close(promise: nil)
  }
}
