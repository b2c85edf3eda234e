internal import MartletValues
internal import NIOCore
internal import NIOPosix

/// Opens connections: the files and the credential, the socket, TLS, the handler, the hello.
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

  let preparation: ConnectionPreparation
  let session: SessionConfiguration
  let connectTimeout: TimeAmount
  let group: any EventLoopGroup
  let recorder: ShapeRecorder?

  private var failure: ConnectFailure { ConnectFailure(address: preparation.address) }

  /// A connection and how many requests the server takes on it. Fails with `ClientError`, or with the `RequestError`
  /// of a server that refused the hello.
  func open(number: UInt64, observer: Observer) -> EventLoopFuture<(ClientConnection, Int)> {
    let loop = group.next()
    let greeting = loop.makePromise(of: Int.self)
    let prepared = preparation.isNeeded ? loop.makePromise(of: ConnectionPreparation.Result.self) : nil
    let connected =
      prepared?.futureResult.flatMap { connect(on: loop, $0, greeting, observer) }
      ?? connect(on: loop, ConnectionPreparation.Result(), greeting, observer)
    connected.whenFailure { greeting.fail(failure.error($0)) }
    let timeout = loop.scheduleTask(in: connectTimeout) {
      prepared?.fail(ClientError.preparationLate(ofCredential: preparation.credential != nil))
      greeting.fail(failure.late)
    }
    let preparing = prepared.map(prepare)
    greeting.futureResult.whenFailure { _ in
      preparing?.cancel()
      timeout.cancel()
      connected.whenSuccess { $0.close(promise: nil) }
    }
    return greeting.futureResult.and(connectedOrNever(connected, greeting)).flatMapThrowing { requestsMax, channel in
      timeout.cancel()
      let handler = try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
      let connection = ClientConnection(
        number: number, channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop),
        hello: handler.hello, recorder: recorder,
        transactionOver: observer.transactionEnded)
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

  /// The task that gets what the connection needs.
  private func prepare(_ prepared: EventLoopPromise<ConnectionPreparation.Result>) -> Task<Void, Never> {
    Task {
      do { prepared.succeed(try await preparation.run()) } catch { prepared.fail(error) }
    }
  }

  private func connect(
    on loop: any EventLoop, _ prepared: ConnectionPreparation.Result, _ greeting: EventLoopPromise<Int>,
    _ observer: Observer
  ) -> EventLoopFuture<any Channel> {
    var session = session
    session.credential = prepared.credential
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(connectTimeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(
          minimum: ClientLimits.receiveBytesMin, initial: ClientLimits.receiveBytesFirst,
          maximum: ClientLimits.receiveBytesMax)
      )
      .channelInitializer { [session, failure] channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = ConnectionHandler(
            session: ClientSession(session),
            observer: .init(requestEnded: observer.requestEnded, drainStarted: observer.drainStarted),
            greeting: greeting, failure: failure)
          if let tls = prepared.tls { try channel.pipeline.syncOperations.addHandlers(try tls.handlers()) }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    switch preparation.address {
    case .tcp(let host, let port): return bootstrap.connect(host: host, port: port)
    case .tls(let host, let port):
      guard prepared.tls != nil else {
        return loop.makeFailedFuture(ClientError.tlsNotPrepared)
      }
      return bootstrap.connect(host: host, port: port)
    case .unix(let path): return bootstrap.connect(unixDomainSocketPath: path)
    }
  }
}
