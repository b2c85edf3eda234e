import MartletValues
import SwiftProtobuf

@testable import MartletClient

/// The server that agrees to everything, and what a server heard of a transaction.
enum TransactionScript {
  /// Answers everything as if it had been done.
  static let agree: FakeServer.Script = { message, peer in
    switch message.kind {
    case .cancel, .credit: break
    case .ping: peer.say(.pong(message.requestID))
    default: peer.say(.completion(message.requestID))
    }
  }

  /// What was heard, in words.
  static func words(_ server: FakeServer) -> [String] {
    server.heard.map { message in
      switch message.kind {
      case .begin(let begin): "begin \(begin.mode == .read ? "read" : "write")"
      case .execute(let execute): execute.transaction == 0 ? "execute" : "execute in \(execute.transaction)"
      case .finish(let finish): "\(finish.commit ? "commit" : "roll back") \(finish.transaction)"
      case .savepoint(let savepoint):
        "\(["", "set", "release", "roll back to"][savepoint.action.rawValue]) \(savepoint.number)"
      case .batch(let batch): "batch in \(batch.transaction)"
      case .cancel: "cancel \(message.requestID)"
      default: "other"
      }
    }
  }
}
