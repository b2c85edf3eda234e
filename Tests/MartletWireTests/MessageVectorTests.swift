/// The messages of proto/vectors, byte for byte: each codec reads what the other writes, and both what protobuf's own
/// library writes. `clients/python/tests/vectors` reads the same files.
import Foundation
import MartletProtocol
import MartletTestSupport
import MartletValues
import MartletWire
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite struct MessageVectorTests {
  @Test func `the server reads each message of a client, and the client writes it`() throws {
    let decoder = ClientMessageDecoder(limits: Limits())
    for vector in try ProtocolVectors.messages(of: "client") {
      let proto: [UInt8] = try ProtoClientMessage(jsonUTF8Data: vector.json).serializedBytes()
      #expect(proto == vector.bytes, "\(vector.what)")
      let message = try vector.bytes.withUnsafeBytes { try decoder.decode($0) }
      #expect(
        Array(ClientMessageEncoder.bytes(of: message).dropFirst(Frame.headerBytes)) == vector.bytes,
        "\(vector.what): \(message)")
    }
  }

  @Test func `the client reads each message of a server, and the server writes it`() throws {
    let arena = Arena()
    for vector in try ProtocolVectors.messages(of: "server") {
      let proto: [UInt8] = try ProtoServerMessage(jsonUTF8Data: vector.json).serializedBytes()
      #expect(proto == vector.bytes, "\(vector.what)")
      let message = try vector.bytes.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
      let output = ServerMessageEncoder(arena)
      output.encode(message)
      #expect(Array(output.bytes.dropFirst(Frame.headerBytes)) == vector.bytes, "\(vector.what): \(message)")
    }
  }

  @Test func `a server's message with any byte changed is refused or read, and never a crash`() throws {
    for vector in try ProtocolVectors.messages(of: "server") {
      for index in vector.bytes.indices {
        for change in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
          var changed = vector.bytes
          changed[index] = change
          _ = try? changed.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
          changed.insert(contentsOf: [UInt8](repeating: 0xFF, count: 9), at: index)
          _ = try? changed.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
        }
      }
    }
  }

  /// Fields that neither side sets: an error does not say what became of the transaction, the completion of the request
  /// that ended it does.
  private static let unused: Set<String> = ["Error.transaction"]

  @Test func `every field and every value of the protocol stands in a vector`() throws {
    var seen: Set<String> = []
    for vector in try ProtocolVectors.messages(of: "client") + ProtocolVectors.messages(of: "server") {
      Self.collect(try JSONSerialization.jsonObject(with: vector.json), into: &seen)
    }
    let fields = try Self.fields()
    #expect(fields.count > 100)
    let missing = fields.filter { !seen.contains($0.name) && !Self.unused.contains("\($0.message).\($0.name)") }
    #expect(missing.isEmpty, "\(missing)")
  }

  /// All names of fields, and all names of an enumeration's values that are texts.
  private static func collect(_ json: Any, into seen: inout Set<String>) {
    if let list = json as? [Any] { for item in list { collect(item, into: &seen) } }
    if let text = json as? String { seen.insert(text) }
    guard let object = json as? [String: Any] else { return }
    for (name, value) in object {
      seen.insert(name)
      collect(value, into: &seen)
    }
  }

  /// The fields and values of session.proto and rows.proto, with the message or enumeration that each is in.
  private static func fields() throws -> [(message: String, name: String)] {
    var fields: [(message: String, name: String)] = []
    for file in ["session", "rows"] {
      let path = ProtocolVectors.folder.deletingLastPathComponent().appending(path: "martlet/v1/\(file).proto")
      var open: [String] = []
      for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
        let code = line.prefix { $0 != "/" }
        if let match = code.firstMatch(of: /(message|enum|oneof|service) (\w+) \{/) {
          if !code.contains("}") { open.append(String(match.2)) }
        } else if let match = code.firstMatch(of: /(\w+) = (\d+);/), let message = open.last {
          let isDefault = match.2 == "0"
          if !isDefault { fields.append((message, String(match.1))) }
        } else if code.contains("}") {
          _ = open.popLast()
        }
      }
    }
    return fields
  }
}
