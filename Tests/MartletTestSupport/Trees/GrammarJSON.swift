/// Trees as JSON and back, in protobuf's spelling.
///
/// Always true: it goes by the grammar's own text alone, so that it can stand beside the code that is made from it.
import Foundation
package import MartletAST
import MartletProtobuf

package struct GrammarJSON {
  /// JSON that is no message of the grammar, or bytes that are none.
  package struct Unreadable: Error {
    package var what: String
  }

  private struct Output: FieldWriter {
    var output = WireArray()
  }

  private let grammar: GrammarText

  package init() throws { grammar = try GrammarText() }

  package init(_ grammar: GrammarText) { self.grammar = grammar }

  // MARK: Bytes to JSON

  package func object(_ tree: ASTStatement) throws -> [String: Any] {
    try tree.serialized.withUnsafeBytes { try object($0, as: "Statement") }
  }

  private func object(_ bytes: UnsafeRawBufferPointer, as type: String) throws -> [String: Any] {
    var object: [String: Any] = [:]
    var reader = WireReader(bytes)
    while let sent = reader.next() {
      guard let field = grammar.messages[type]?.first(where: { $0.number == Int(sent.number) }) else {
        throw Unreadable(what: "\(type) has no field \(sent.number)")
      }
      let value = try value(sent, of: field)
      if field.isRepeated {
        object[field.name] = (object[field.name] as? [Any] ?? []) + [value]
      } else {
        object[field.name] = value
      }
    }
    guard !reader.isMalformed else { throw Unreadable(what: "\(type) is malformed") }
    return object
  }

  private func value(_ sent: WireReader.Field, of field: GrammarText.Field) throws -> Any {
    if grammar.messages[field.type] != nil { return try object(sent.bytes, as: field.type) }
    if let names = grammar.valueNames[field.type] { return names[Int(sent.value)] ?? Int(sent.value) }
    return switch field.type {
    case "string": String(decoding: sent.bytes, as: UTF8.self)
    case "bytes": Data(sent.bytes).base64EncodedString()
    case "bool": sent.value != 0
    case "uint32": Int(sent.value)
    case "sint64": String(sent.signed)
    case "double": Double(bitPattern: sent.value)
    default: throw Unreadable(what: "\(field.name) is a \(field.type)")
    }
  }

  // MARK: JSON to bytes

  package func bytes(_ json: Any, as type: String = "Statement") throws -> [UInt8] {
    guard let object = json as? [String: Any], let fields = grammar.messages[type] else {
      throw Unreadable(what: "\(json) is no \(type)")
    }
    let unknown = Set(object.keys).subtracting(fields.map(\.name))
    guard unknown.isEmpty else { throw Unreadable(what: "\(type) has no \(unknown.sorted())") }
    var output = Output()
    for field in fields.sorted(by: { $0.number < $1.number }) {
      guard let value = object[field.name] else { continue }
      for element in field.isRepeated ? value as? [Any] ?? [] : [value] { try write(element, of: field, to: &output) }
    }
    return output.output.bytes
  }

  private func write(_ value: Any, of field: GrammarText.Field, to output: inout Output) throws {
    let number = UInt32(field.number)
    if grammar.messages[field.type] != nil {
      output.presentBytes(number, try bytes(value, as: field.type))
    } else if let names = grammar.valueNames[field.type] {
      guard let chosen = names.first(where: { $0.value == value as? String }) else {
        throw Unreadable(what: "\(value) is no \(field.type)")
      }
      output.present(number, UInt64(chosen.key))
    } else if !writeScalar(value, field.type, number, to: &output) {
      throw Unreadable(what: "\(value) is no \(field.type)")
    }
  }

  private func writeScalar(_ value: Any, _ type: String, _ number: UInt32, to output: inout Output) -> Bool {
    switch (type, value) {
    case ("string", let text as String): output.presentText(number, text)
    case ("bytes", let text as String):
      guard let bytes = Data(base64Encoded: text) else { return false }
      output.presentBytes(number, bytes)
    case ("sint64", let text as String):
      guard let integer = Int64(text) else { return false }
      output.presentSigned(number, integer)
    case ("double", let real as NSNumber): output.presentFixed64(number, real.doubleValue.bitPattern)
    case ("bool", let flag as NSNumber), ("uint32", let flag as NSNumber): output.present(number, flag.uint64Value)
    default: return false
    }
    return true
  }
}
