internal import MartletValues
internal import NIOCore

/// What a session asks of the layer around it, which performs it on the socket.
enum ClientAction: Sendable, Equatable {
  /// Write these bytes: one whole frame.
  case send(ByteBuffer)
  /// Tell the receiver of this request.
  case deliver(UInt32, ReplyPart)
  /// The server said hello; `requestsMax` requests may be in flight.
  case ready(requestsMax: Int)
  /// The server refused the hello.
  case refused(RequestError)
  /// The server takes nothing new; what is in flight finishes.
  case drain
  /// Close the socket.
  case close(ClientError)
}
