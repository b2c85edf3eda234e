/// A client of blocking sockets that sends frames as they are and reads as little as a test wants.
///
/// Always true: no wait is endless: the system gives a read or a write up after a minute.
import Foundation
import MartletAST
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import SwiftProtobuf

// Unchecked because a test uses each on one thread at a time, or sends on one and receives on another.
final class MemoryClient: @unchecked Sendable {
  struct Failure: Error { let message: String }

  private let descriptor: Int32

  /// Connects and says hello. `window` bounds what the system takes for a client that does not read.
  init(port: UInt16, database: String = "db", window: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure(message: "cannot connect: \(errno)") }
    send(frame(1, .hello(.init(database: database, client: "memory", create: true))))
    guard case .hello? = try receive().parts.first else { throw Failure(message: "no hello") }
  }

  deinit { Foundation.close(descriptor) }

  func frame(_ id: UInt32, _ kind: ClientMessage.Kind) -> [UInt8] {
    ClientMessageEncoder.bytes(of: ClientMessage(requestID: id, kind: kind))
  }

  /// The same frame under another id, which stands first in the message.
  static func renumber(_ frame: inout [UInt8], _ id: UInt32) {
    withUnsafeBytes(of: id.littleEndian) { frame.replaceSubrange(6..<10, with: $0) }
  }

  /// False if the server did not take all of it.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Sends what the system takes at once.
  func sendWithoutWaiting(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes {
      max(0, Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }
  }

  /// Something of an answer is here, or the server has closed.
  var hasAnswer: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Ends both directions; whoever sends or receives on another thread is woken.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func receive() throws -> ServerMessage {
    let header = try exactly(Frame.headerBytes)
    let body = try exactly(header[1..<5].reduce(0) { $0 << 8 | Int($1) })
    return try body.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
  }

  private func exactly(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      // Into the array itself: a slice would be a copy of all of it for each of a thousand small pieces.
      let more = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + have, $0.count - have, 0) }
      guard more > 0 else { throw Failure(message: more == 0 ? "the server closed" : "the server said nothing") }
      have += more
    }
    return bytes
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
    return (try? statement.serializedBytes()) ?? []
  }
}
