internal import MartletValues
internal import NIOCore

/// What a session asks of the layer around it, which performs it on the socket.
enum SessionAction: Sendable, Equatable {
  /// Write these bytes: one whole frame.
  case send(ByteBuffer)
  /// Tell the receiver of this request.
  case deliver(UInt32, ReplyPart)
  /// The server said hello; so many requests may be in flight.
  case ready(requestsMax: Int)
  /// The server refused the hello.
  case refused(RequestError)
  /// The server takes nothing new; what is in flight finishes.
  case drain
  /// Close the socket.
  case close(ClientError)
}

/// The numbers that a session needs of the configuration.
struct SessionConfiguration: Sendable {
  var database: String
  var client = "martlet-swift"
  var createsDatabase = false
  /// Serialized statements that the server prepares the session's connections with.
  var setup: [[UInt8]] = []
  var windowBytes = 1 << 20
  var shapesMax = 1_024
  var waitingMax = 10_000
  var replyGraceMs = 1_000

  /// The longest frame that is taken from a server: a row may be larger than the frames that a server takes.
  var frameBytesMax = 64 << 20
}
