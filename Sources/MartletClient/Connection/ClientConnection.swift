internal import MartletProtocol
internal import MartletValues
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One connection of the pool, as other threads see it.
///
/// Always true: everything happens on the channel's event loop, in the order in which it was asked for.
final class ClientConnection: Sendable {
  /// The pool's number for it.
  let number: UInt64
  private let channel: any Channel
  private let handler: NIOLoopBound<ConnectionHandler>
  /// What the server has said of itself.
  let hello: HelloReply
  private let recorder: ShapeRecorder?
  private let transactionOver: @Sendable () -> Void

  // 1 is the hello's.
  private let nextID = Atomic<UInt32>(ProtocolLimits.helloID &+ 1)

  init(
    number: UInt64, channel: any Channel, handler: NIOLoopBound<ConnectionHandler>, hello: HelloReply,
    recorder: ShapeRecorder?, transactionOver: @escaping @Sendable () -> Void
  ) {
    self.number = number
    self.channel = channel
    self.handler = handler
    self.hello = hello
    self.recorder = recorder
    self.transactionOver = transactionOver
  }

  /// Starts a request; the receiver is told of all that comes of it.
  func start(_ request: ClientRequest, receiver: any ReplyReceiver, isCounted: Bool = false) -> InFlightRequest {
    if let recorder { for statement in request.statements { recorder.note(statement) } }
    var id: UInt32
    repeat {
      id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    } while id <= ProtocolLimits.helloID
    let number = id
    channel.eventLoop.execute { [handler] in
      handler.value.submit(request, id: number, to: receiver, isCounted: isCounted)
    }
    return InFlightRequest(connection: self, id: number)
  }

  /// Tells the session of an event.
  func perform(_ event: @escaping @Sendable (inout ClientSession, inout [ClientAction]) -> Void) {
    channel.eventLoop.execute { [handler] in handler.value.perform(event) }
  }

  /// A transaction's slot is free again.
  func transactionEnded() { transactionOver() }

  /// Ends all requests with `error` and closes the socket. The future ends when it is closed.
  @discardableResult
  func close(_ error: ClientError) -> EventLoopFuture<Void> {
    channel.eventLoop.execute { [handler] in handler.value.end(error) }
    return channel.closeFuture
  }
}
