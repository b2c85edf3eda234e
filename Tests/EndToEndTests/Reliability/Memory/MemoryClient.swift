/// A client of blocking sockets that sends frames as they are and reads as little as a test wants.
///
/// Always true: no wait is endless: the system gives a read or a write up after a minute.
import Foundation
import MartletAST
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues

// Unchecked because a test uses each on one thread at a time, or sends on one and receives on another.
final class MemoryClient: @unchecked Sendable {
  struct Failure: Error { let message: String }

  private let socket: BlockingSocket

  /// Connects and says hello. `window` bounds what the system takes for a client that does not read.
  init(port: UInt16, database: String = "db", window: Int32? = nil) throws {
    socket = try BlockingSocket(port: Int(port), seconds: 60, window: window)
    send(frame(1, .hello(.init(database: database, client: "memory", create: true))))
    guard case .hello? = try receive().parts.first else { throw Failure(message: "no hello") }
  }

  func frame(_ id: UInt32, _ kind: ClientMessage.Kind) -> [UInt8] {
    ClientMessageEncoder.bytes(of: ClientMessage(requestID: id, kind: kind))
  }

  /// The same frame under another id, which stands first in the message.
  static func renumber(_ frame: inout [UInt8], _ id: UInt32) {
    withUnsafeBytes(of: id.littleEndian) { frame.replaceSubrange(6..<10, with: $0) }
  }

  /// False if the server did not take all of it.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

  /// Sends what the system takes at once.
  func sendWithoutWaiting(_ bytes: ArraySlice<UInt8>) -> Int { socket.sendWithoutWaiting(bytes) }

  /// Something of an answer is here, or the server has closed.
  var hasAnswer: Bool { socket.hasBytes }

  /// Ends both directions; whoever sends or receives on another thread is woken.
  func shutDown() { socket.shutDown() }

  func receive() throws -> ServerMessage {
    let message = try socket.receiveMessage()
    return try message.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
  }

  /// How each of the requests ended: the reason of its error, or nil.
  func endings(of count: Int) throws -> [RequestError.Reason?] {
    var endings: [RequestError.Reason?] = []
    while endings.count < count {
      let message = try receive()
      guard message.step == 0 else { continue }
      for part in message.parts {
        switch part {
        case .completion: endings.append(nil)
        case .error(let error): endings.append(error.reason)
        default: break
        }
      }
    }
    return endings
  }

  /// The first rows that come, or the error.
  func rowsOrError() throws -> Result<RowBatch, RequestError> {
    while true {
      for part in try receive().parts {
        switch part {
        case .rows(let rows): return .success(rows)
        case .error(let error): return .failure(error)
        default: break
        }
      }
    }
  }

  static func raw(
    _ sql: String, _ parameters: [Value] = [], deadlineMs: UInt32 = 0, credit: UInt32 = 0
  ) -> ClientMessage.Kind {
    .execute(
      .init(source: .statement(source(sql)), parameters: parameters, deadlineMs: deadlineMs, credit: credit))
  }

  static func source(_ sql: String) -> [UInt8] {
    var part = ASTRaw.Part()
    part.sql = sql
    var statement = ASTStatement()
    statement.raw.parts = [part]
    return statement.serialized
  }
}
