/// The grammar as its own text says it: every message with its fields, every enumeration with its values.
///
/// Always true: read from `proto/`, so what a test demands of every node cannot be forgotten when a node is added.
import Foundation

struct GrammarText {
  struct Field {
    var number: Int
    var name: String
    /// A full name such as `Compound.Term`, or a scalar such as `string`.
    var type: String
    var isRepeated: Bool
  }

  /// Fields by the message's full name.
  private(set) var messages: [String: [Field]] = [:]
  /// Values by the enumeration's full name, without the unspecified one.
  private(set) var enumerations: [String: [String]] = [:]

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "proto/martlet/v1/grammar.proto"), encoding: .utf8)
    var scopes: [String] = []
    for line in text.split(separator: "\n") {
      let code = line.prefix { $0 != "/" || false }.trimmingCharacters(in: .whitespaces)
      let words = code.split(separator: " ").map(String.init)
      if words.first == "message" || words.first == "enum" || words.first == "oneof" {
        if code.hasSuffix("{}") {
          messages[(scopes + [words[1]]).joined(separator: ".")] = []
          continue
        }
        scopes.append(words[0] == "oneof" ? "" : words[1])
        if words[0] == "message" { messages[Self.name(scopes)] = [] }
        if words[0] == "enum" { enumerations[Self.name(scopes)] = [] }
      } else if code == "}" {
        scopes.removeLast()
      } else if !scopes.isEmpty, words.contains("="), code.hasSuffix(";") {
        add(words, in: Self.name(scopes))
      }
    }
    resolve()
  }

  private static func name(_ scopes: [String]) -> String {
    scopes.filter { !$0.isEmpty }.joined(separator: ".")
  }

  private mutating func add(_ words: [String], in scope: String) {
    if enumerations[scope] != nil {
      if words[2] != "0;" { enumerations[scope, default: []].append(words[0]) }
    } else {
      let rest = words[0] == "repeated" ? Array(words.dropFirst()) : words
      messages[scope, default: []].append(
        Field(number: Int(rest[3].dropLast()) ?? 0, name: rest[1], type: rest[0], isRepeated: rest.count < words.count))
    }
  }

  /// A type's name is looked up from the innermost scope outwards, as protobuf does.
  private mutating func resolve() {
    for (message, fields) in messages {
      messages[message] = fields.map { field in
        var scope = message.split(separator: ".").map(String.init)
        while true {
          let candidate = (scope + [field.type]).joined(separator: ".")
          if messages[candidate] != nil || enumerations[candidate] != nil {
            var resolved = field
            resolved.type = candidate
            return resolved
          }
          if scope.popLast() == nil { return field }
        }
      }
    }
  }
}
