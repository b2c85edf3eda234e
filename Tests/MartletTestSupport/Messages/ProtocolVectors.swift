/// The files of proto/vectors: protobuf's JSON, in which an object {"utf8": …}, {"hex": …} or {"tree": …} stands for
/// bytes.
package import Foundation
import MartletAST
import MartletValues
import SwiftProtobuf

package enum ProtocolVectors {
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "proto/vectors")

  /// A message, what it is for, and its bytes.
  package struct Message: Sendable {
    package let what: String
    /// As protobuf's JSON has it.
    package let json: Data
    package let bytes: [UInt8]
  }

  /// The messages of one side: `client` or `server`.
  package static func messages(of side: String) throws -> [Message] {
    let file = try Data(contentsOf: folder.appending(path: "messages/\(side).json"))
    let object = try JSONSerialization.jsonObject(with: file) as? [String: Any]
    return try (object?["messages"] as? [[String: Any]] ?? []).map { entry in
      Message(
        what: entry["what"] as? String ?? "",
        json: try JSONSerialization.data(withJSONObject: withBytes(entry["message"] ?? [:])),
        bytes: bytes(ofHex: entry["bytes"] as? String ?? ""))
    }
  }

  /// The JSON with bytes as protobuf's JSON has them.
  package static func withBytes(_ value: Any) throws -> Any {
    if let list = value as? [Any] { return try list.map(withBytes) }
    guard let object = value as? [String: Any] else { return value }
    if object.count == 1, let text = object["utf8"] as? String { return Data(text.utf8).base64EncodedString() }
    if object.count == 1, let digits = object["hex"] as? String {
      return Data(bytes(ofHex: digits)).base64EncodedString()
    }
    if object.count == 1, let tree = object["tree"] {
      return Data(try GrammarJSON().bytes(try withBytes(tree))).base64EncodedString()
    }
    return try object.mapValues(withBytes)
  }

  private static func bytes(ofHex digits: String) -> [UInt8] {
    stride(from: 0, to: digits.count, by: 2).map { offset -> UInt8 in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
  }
}
