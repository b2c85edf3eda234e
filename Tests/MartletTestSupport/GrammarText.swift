/// The grammar as its own text says it: every message with its fields, every enumeration with its values.
///
/// Always true: read from `proto/`, so what a test demands of every node cannot be forgotten when a node is added.
import Foundation
package import MartletAST

package struct GrammarText {
  package struct Field {
    package var number: Int
    package var name: String
    /// A full name such as `Compound.Term`, or a scalar such as `string`.
    package var type: String
    package var isRepeated: Bool
  }

  /// Fields by the message's full name.
  package private(set) var messages: [String: [Field]] = [:]
  /// Values by the enumeration's full name, without the unspecified one.
  package private(set) var enumerations: [String: [String]] = [:]
  /// All of them by number.
  package private(set) var valueNames: [String: [Int: String]] = [:]

  package init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
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
      if let number = Int(words[2].dropLast()) { valueNames[scope, default: [:]][number] = words[0] }
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

extension GrammarText {
  /// Every field and value of the grammar, as `Message.field` and `Enumeration.VALUE`.
  package var allNames: Set<String> {
    var names: Set<String> = []
    for (message, fields) in messages { names.formUnion(fields.map { "\(message).\($0.name)" }) }
    for (enumeration, values) in enumerations { names.formUnion(values.map { "\(enumeration).\($0)" }) }
    return names
  }

  /// Those that a tree uses, and the functions that it calls as `name()`.
  package func names(in tree: ASTStatement) throws -> Set<String> {
    var names: Set<String> = []
    visit(try GrammarJSON(self).object(tree), as: "Statement", &names)
    return names
  }

  private func visit(_ json: Any, as type: String, _ names: inout Set<String>) {
    if let list = json as? [Any] {
      for element in list { visit(element, as: type, &names) }
    } else if let object = json as? [String: Any], let fields = messages[type] {
      for field in fields {
        guard let value = object[field.name] else { continue }
        names.insert("\(type).\(field.name)")
        if type == "Call", field.name == "function", let function = value as? String { names.insert("\(function)()") }
        visit(value, as: field.type, &names)
      }
    } else if let value = json as? String, enumerations[type] != nil {
      names.insert("\(type).\(value)")
    }
  }
}
