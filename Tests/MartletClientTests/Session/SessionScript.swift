/// Plays a server against a `ClientSession` without a socket: what it says goes in as bytes, what the session says
/// comes out decoded.
import Foundation
import MartletProtocol
import MartletValues
import NIOCore
import SwiftProtobuf

@testable import MartletClient

struct SessionScript {
  var session: ClientSession
  var now = MonotonicTime(nanoseconds: 1_000_000_000)

  init(windowBytes: Int = 1 << 20, shapesMax: Int = 16, waitingMax: Int = 100) {
    var configuration = SessionConfiguration(database: "shop")
    configuration.windowBytes = windowBytes
    configuration.shapesMax = shapesMax
    configuration.waitingMax = waitingMax
    session = ClientSession(configuration)
  }

  /// A session whose hello was answered.
  static func ready(requestsMax: UInt32 = 100, windowBytes: Int = 1 << 20) throws -> SessionScript {
    var script = SessionScript(windowBytes: windowBytes)
    _ = try script.open()
    _ = try script.say(.hello(requestsMax: requestsMax))
    return script
  }

  /// What the session does; frames are decoded with SwiftProtobuf.
  enum Step: Equatable {
    case sent(ProtoClientMessage)
    case told(UInt32, ReplyPart)
    case ready(Int)
    case refused(RequestError)
    case drain
    case close(ClientError.Code)
  }

  static func steps(_ actions: [ClientAction]) throws -> [Step] {
    try actions.map { action in
      switch action {
      case .send(let frame): .sent(try ProtoClientMessage(framed: frame))
      case .deliver(let id, let part): .told(id, part)
      case .ready(let most): .ready(most)
      case .refused(let error): .refused(error)
      case .drain: .drain
      case .close(let error): .close(error.code)
      }
    }
  }

  /// What the session does at an event.
  mutating func when(_ event: (inout ClientSession, inout [ClientAction]) -> Void) throws -> [Step] {
    var actions: [ClientAction] = []
    event(&session, &actions)
    return try Self.steps(actions)
  }

  mutating func open() throws -> [Step] { try when { $0.opened(&$1) } }

  mutating func say(_ messages: ProtoServerMessage...) throws -> [Step] {
    var bytes = ByteBuffer()
    for message in messages { bytes.writeBytes(try message.framed()) }
    return try when { [now] in $0.received(bytes, now: now, &$1) }
  }

  mutating func say(raw bytes: [UInt8]) throws -> [Step] {
    try when { [now] in $0.received(ByteBuffer(bytes: bytes), now: now, &$1) }
  }

  mutating func submit(_ request: ClientRequest, id: UInt32) throws -> [Step] {
    try when { [now] in $0.submitted(request, id: id, now: now, &$1) }
  }

  mutating func pass(milliseconds: Int) throws -> [Step] {
    now = now.advanced(milliseconds: milliseconds)
    return try when { [now] in $0.timeReached(now, &$1) }
  }
}

extension ProtoClientMessage {
  init(framed frame: ByteBuffer) throws {
    var frame = frame
    guard frame.readInteger(as: UInt8.self) == 0,
      frame.readInteger(as: UInt32.self).map(Int.init) == frame.readableBytes
    else { throw Malformed() }
    self = try ProtoClientMessage(serializedBytes: Array(frame.readableBytesView))
  }
}

extension ProtoServerMessage {
  func framed() throws -> [UInt8] {
    let body: [UInt8] = try serializedBytes()
    return [0] + withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + body
  }

  static func hello(requestsMax: UInt32 = 100, frameBytesMax: UInt32 = 4 << 20) -> ProtoServerMessage {
    .with {
      $0.requestID = 1
      $0.hello = .with {
        $0.protocol = 1
        $0.requestsMax = requestsMax
        $0.frameBytesMax = frameBytesMax
      }
    }
  }

  static func completion(
    _ id: UInt32, step: UInt32 = 0, shape: ShapeID? = nil, changed: Int64 = 0, returned: Int64 = 0
  ) -> ProtoServerMessage {
    .with {
      $0.requestID = id
      $0.step = step
      $0.completion = .with {
        $0.rowsChanged = changed
        $0.rowsReturned = returned
        if let shape { $0.shape = .init(shape.bytes) }
      }
    }
  }

  static func error(
    _ id: UInt32, _ code: RequestError.Code, _ reason: RequestError.Reason, step: UInt32 = 0, retryable: Bool = false
  ) -> ProtoServerMessage {
    .with {
      $0.requestID = id
      $0.step = step
      $0.error = .with {
        $0.code = code.rawValue
        $0.reason = reason.rawValue
        $0.message = "No."
        $0.retryable = retryable
      }
    }
  }

  static func columns(_ id: UInt32, version: UInt64 = 7, step: UInt32 = 0, _ names: String...) -> ProtoServerMessage {
    .with {
      $0.requestID = id
      $0.step = step
      $0.columns = .with {
        $0.version = version
        $0.columns = names.map { name in .with { $0.name = name } }
      }
    }
  }

  /// One column of integers.
  static func rows(_ id: UInt32, step: UInt32 = 0, _ values: [Int64]) -> ProtoServerMessage {
    .with {
      $0.requestID = id
      $0.step = step
      $0.rows = .with {
        $0.rowCount = UInt32(values.count)
        $0.columns = [
          .with {
            $0.kind = .integer
            $0.integers = values
          }
        ]
      }
    }
  }

  static func pong(_ id: UInt32) -> ProtoServerMessage {
    .with {
      $0.requestID = id
      $0.pong = .init()
    }
  }

  static func transactionEnded(_ transaction: UInt32) -> ProtoServerMessage {
    .with {
      $0.transactionEnded = .with {
        $0.transaction = transaction
        $0.error = .with {
          $0.code = 10
          $0.reason = "TRANSACTION_ENDED"
          $0.message = "It was idle."
        }
      }
    }
  }

  static let closing = ProtoServerMessage.with { $0.closing = .with { $0.message = "Good-bye." } }
}

extension ClientRequest {
  static let query = RemoteStatement.sql("q", isRead: true)
  static let change = RemoteStatement.sql("c")

  static func read(_ parameters: Value..., transaction: UInt32 = 0) -> ClientRequest {
    ClientRequest(kind: .execute(query, parameters), transaction: transaction)
  }

  static func write(_ parameters: Value..., transaction: UInt32 = 0) -> ClientRequest {
    ClientRequest(kind: .execute(change, parameters), transaction: transaction)
  }
}
