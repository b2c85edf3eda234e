/// The dialogues of proto/vectors against a server of this build, over a socket and without a client.
///
/// `clients/python/tests/vectors` runs the same files, so that two languages agree on what the protocol is.
import Foundation
import MartletAST
import MartletTestSupport
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite(.serialized, .timeLimit(.minutes(5))) struct VectorTests {
  private static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: ProtocolVectors.folder.path))?
    .filter { $0.hasSuffix(".json") }.sorted() ?? []

  @Test func `each kind of dialogue has its vectors`() {
    let kinds = ["batches", "rows", "session", "shapes", "transactions", "values"]
    #expect(Self.names == kinds.map { $0 + ".json" })
  }

  @Test(arguments: names)
  func `a server answers as the vectors say`(name: String) throws {
    let file = try Data(contentsOf: ProtocolVectors.folder.appending(path: name))
    let dialogue = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
    let steps = try #require(dialogue["steps"] as? [[String: Any]])
    #expect(steps.count > 1)
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let port = try #require(Int(server.url.split(separator: ":").last ?? ""))
    let socket = try BlockingSocket(port: port, seconds: 60)
    for (index, step) in steps.enumerated() {
      let send = try JSONSerialization.data(withJSONObject: try ProtocolVectors.withBytes(try #require(step["send"])))
      let message = try ProtoClientMessage(jsonUTF8Data: send)
      let isSent = socket.send(message: try message.serializedBytes())
      try #require(isSent)
      guard let wanted = step["answers"] else { continue }
      let found = try answers(from: socket, to: message.requestID)
      #expect(Self.holds(found, try ProtocolVectors.withBytes(wanted)), "\(name), step \(index + 1): \(found)")
    }
  }

  /// All messages that answer a request, as one for each step of a batch: a server may cut an answer anywhere.
  private func answers(from socket: BlockingSocket, to request: UInt32) throws -> [[String: Any]] {
    var order: [UInt32] = []
    var found: [UInt32: [String: Any]] = [:]
    var options = JSONEncodingOptions()
    options.preserveProtoFieldNames = true
    while true {
      let reply = try ProtoServerMessage(serializedBytes: try socket.receiveMessage())
      try #require(reply.requestID == request)
      if found[reply.step] == nil { order.append(reply.step) }
      let part = try JSONSerialization.jsonObject(with: try reply.jsonUTF8Data(options: options)) as? [String: Any]
      found[reply.step, default: [:]].merge(part ?? [:]) { $1 }
      let isEnd =
        reply.hasHello || reply.hasCompletion || reply.hasError || reply.hasPong || reply.hasInspection
        || reply.hasDatabases
      if reply.step == 0, isEnd { return order.compactMap { found[$0] } }
    }
  }

  /// Whether an answer has all that the file says.
  private static func holds(_ found: Any?, _ wanted: Any) -> Bool {
    if let wanted = wanted as? [String: Any] {
      guard let found = found as? [String: Any] else { return false }
      return wanted.allSatisfy { holds(found[$0.key], $0.value) }
    }
    if let wanted = wanted as? [Any] {
      guard let found = found as? [Any], found.count == wanted.count else { return false }
      return zip(found, wanted).allSatisfy { holds($0, $1) }
    }
    return (found as? NSObject) == (wanted as? NSObject)
  }
}
