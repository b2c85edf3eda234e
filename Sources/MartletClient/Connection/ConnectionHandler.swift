internal import MartletProtocol
internal import MartletValues
internal import NIOCore

/// Performs a session's actions on a channel: the only part of the client that touches a socket.
///
/// Always true: used on the channel's event loop only.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What the pool wants to know of a connection.
  struct Observer: Sendable {
    var requestEnded: @Sendable () -> Void
    var drainStarted: @Sendable () -> Void
  }

  private struct Receiver {
    var target: any ReplyReceiver
    /// The pool chose the connection for it and counts it.
    var isCounted: Bool
  }

  private var session: ClientSession
  private let observer: Observer
  private let greeting: EventLoopPromise<Int>
  private let failure: ConnectFailure
  private var receivers: [UInt32: Receiver] = [:]
  private var context: ChannelHandlerContext?
  private var timer: (task: Scheduled<Void>, due: MonotonicTime)?
  private var isFlushPlanned = false
  private var lossCause: ClientError?

  init(session: ClientSession, observer: Observer, greeting: EventLoopPromise<Int>, failure: ConnectFailure) {
    self.session = session
    self.observer = observer
    self.greeting = greeting
    self.failure = failure
  }

  /// What the server said in its hello; before that, what holds for every server.
  var hello: HelloReply { session.hello }

  // MARK: Events of the channel

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    perform { session, actions in session.opened(&actions) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    perform { session, actions in session.received(bytes, now: Deadline.now(), &actions) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A server that wants a certificate of the client says so after its side of the handshake is over.
    if session.phase == .greeting, error is TLSFailure { lossCause = lossCause ?? failure.error(error) }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.task.cancel()
    timer = nil
    end(lossCause ?? loss)
    context.fireChannelInactive()
  }

  private var loss: ClientError {
    // A reset can overtake the alert in which a server says what it lacks.
    if session.phase == .greeting, let lost = failure.lostOverTLS { return lost }
    return .connectionLost
  }

  // MARK: Events of the program

  func submit(_ request: ClientRequest, id: UInt32, to target: any ReplyReceiver, isCounted: Bool) {
    guard receivers[id] == nil else {
      // Because a number comes around after four billion requests, one that is still in use is possible.
      target.receive(.failed(step: 0, .client(.requestNumberInUse)))
      if isCounted { observer.requestEnded() }
      return
    }
    receivers[id] = Receiver(target: target, isCounted: isCounted)
    perform { session, actions in session.submitted(request, id: id, now: Deadline.now(), &actions) }
    plan(for: min(request.deadline, session.nextDeadline ?? .distantFuture))
  }

  func perform(_ event: (inout ClientSession, inout [ClientAction]) -> Void) {
    var actions: [ClientAction] = []
    event(&session, &actions)
    for action in actions { perform(action) }
  }

  /// Ends all requests and closes the channel.
  func end(_ error: ClientError) {
    lossCause = error
    perform { session, actions in session.ended(error, &actions) }
    greeting.fail(error)
  }

  // MARK: Actions

  private func perform(_ action: ClientAction) {
    switch action {
    case .send(let frame): send(frame)
    case .deliver(let id, let part): deliver(part, to: id)
    case .ready(let requestsMax): greeting.succeed(requestsMax)
    case .refused(let error): greeting.fail(error)
    case .drain: observer.drainStarted()
    case .close(let error):
      lossCause = error
      greeting.fail(error)
      context?.flush()
      context?.close(promise: nil)
    }
  }

  private func send(_ frame: ByteBuffer) {
    guard let context else { return }
    context.write(wrapOutboundOut(frame), promise: nil)
    guard !isFlushPlanned else { return }
    isFlushPlanned = true
    // What is written in one turn of the loop leaves in one system call.
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.eventLoop.execute {
      bound.value.isFlushPlanned = false
      bound.value.context?.flush()
    }
  }

  private func deliver(_ part: ReplyPart, to id: UInt32) {
    guard let receiver = receivers[id] else { return }
    if part.isEnd {
      receivers[id] = nil
      if receiver.isCounted { observer.requestEnded() }
    }
    receiver.target.receive(part)
  }

  private func plan(for due: MonotonicTime) {
    guard let context, due < .distantFuture else { return }
    if let timer {
      guard due < timer.due else { return }
      timer.task.cancel()
    }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: .uptimeNanoseconds(due.nanoseconds)) {
      bound.value.timerFired()
    }
    timer = (task, due)
  }

  private func timerFired() {
    timer = nil
    perform { session, actions in session.timeReached(Deadline.now(), &actions) }
    if let next = session.nextDeadline { plan(for: next) }
  }
}
