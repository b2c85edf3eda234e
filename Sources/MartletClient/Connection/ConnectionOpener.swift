internal import MartletValues
internal import NIOCore
internal import NIOPosix

/// Opens connections: the socket, the handler, the hello.
///
/// Always true: an attempt ends within the connect timeout, as a connection whose hello was answered or as an error.
struct ConnectionOpener: Sendable {
  /// What the pool is told of a connection that was opened.
  struct Observer: Sendable {
    var requestEnded: @Sendable () -> Void
    var drainStarted: @Sendable () -> Void
    var transactionEnded: @Sendable () -> Void
    var closed: @Sendable () -> Void
  }

  let address: MartletURL.Address
  let session: SessionConfiguration
  let connectTimeout: TimeAmount
  let group: any EventLoopGroup

  /// A connection and how many requests the server takes on it. Fails with `ClientError`, or with the `RequestError`
  /// of a server that refused the hello.
  func open(number: UInt64, observer: Observer) -> EventLoopFuture<(ClientConnection, Int)> {
    let loop = group.next()
    let greeting = loop.makePromise(of: Int.self)
    let connected = connect(on: loop, greeting, observer)
    connected.whenFailure { greeting.fail(failure(ConnectFailure.reason($0))) }
    let timeout = loop.scheduleTask(in: connectTimeout) {
      greeting.fail(failure("it did not answer in time"))
    }
    greeting.futureResult.whenFailure { _ in connected.whenSuccess { $0.close(promise: nil) } }
    return greeting.futureResult.and(connectedOrNever(connected, greeting)).flatMapThrowing { requestsMax, channel in
      timeout.cancel()
      let handler = try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
      let connection = ClientConnection(
        number: number, channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop),
        countsRequired: handler.countsRequired, transactionOver: observer.transactionEnded)
      channel.closeFuture.whenComplete { _ in observer.closed() }
      return (connection, requestsMax)
    }
  }

  /// A failure to connect is told by `greeting`, in the words for it.
  private func connectedOrNever(
    _ connected: EventLoopFuture<any Channel>, _ greeting: EventLoopPromise<Int>
  ) -> EventLoopFuture<any Channel> {
    connected.flatMapError { _ in greeting.futureResult.flatMap { _ in connected } }
  }

  private func connect(
    on loop: any EventLoop, _ greeting: EventLoopPromise<Int>, _ observer: Observer
  ) -> EventLoopFuture<any Channel> {
    let session = session
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(connectTimeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 65_536, maximum: 1 << 20)
      )
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = ConnectionHandler(
            session: ClientSession(session),
            observer: .init(requestEnded: observer.requestEnded, drainStarted: observer.drainStarted),
            greeting: greeting)
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    switch address {
    case .tcp(let host, let port): return bootstrap.connect(host: host, port: port)
    case .unix(let path): return bootstrap.connect(unixDomainSocketPath: path)
    }
  }

  private func failure(_ reason: String) -> ClientError {
    let place =
      switch address {
      case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
      case .unix(let path): "the socket \(path)"
      }
    let end = reason.hasSuffix("?") ? "" : "."
    return ClientError(
      .cannotConnect, "Cannot connect to a Martlet server at \(place): \(reason)\(end)", isRetryable: true)
  }
}

/// Why a socket could not be connected, in words.
enum ConnectFailure {
  static func reason(_ error: any Error) -> String {
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
