/// A bare connection that says hello and tells what came back: for counting, where a client would try again.
///
/// Always true: the socket is closed when the value goes.
import Foundation
import MartletValues

package final class HelloSocket {
  package enum Answer: Equatable {
    case hello
    case error(reason: String)
  }

  private let socket: BlockingSocket

  /// Connects over TCP and sends a hello that makes the database.
  package init(_ url: String, database: String) throws {
    guard case .tcp(_, let port) = try MartletURL(url).address else {
      throw BlockingSocket.Failure(message: "\(url) is no address of TCP")
    }
    socket = try BlockingSocket(port: port, seconds: 30)
    // request_id = 1; hello { protocol = 1, database, create = true }
    let name = Array(database.utf8)
    let hello = [0x08, 1, 0x12, UInt8(name.count)] + name + [0x20, 1]
    let message = [0x0D, 1, 0, 0, 0, 0x12, UInt8(hello.count)] + hello
    socket.send(message: message)
  }

  /// The first message, or the reason of the error that it is.
  package func answer() throws -> Answer {
    let message = try socket.receiveMessage()
    let text = String(decoding: message, as: UTF8.self)
    for reason in ["OVERLOADED", "NOT_ALLOWED", "LIMIT", "FENCED", "SQLITE", "UNKNOWN_DATABASE"]
    where text.contains(reason) {
      return .error(reason: reason)
    }
    return .hello
  }
}
