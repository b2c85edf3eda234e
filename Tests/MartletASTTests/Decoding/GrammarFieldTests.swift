/// Every field of every message, by the grammar's own text and not by the code that is made from it.
import MartletProtobuf
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletAST

@Suite struct GrammarFieldTests {
  private let grammar: GrammarText
  /// The fields that lead from `Statement` to each message.
  private let ways: [String: [GrammarText.Field]]

  init() throws {
    grammar = try GrammarText()
    var ways: [String: [GrammarText.Field]] = ["Statement": []]
    var waiting = ["Statement"]
    while !waiting.isEmpty {
      let name = waiting.removeFirst()
      for field in grammar.messages[name] ?? [] where grammar.messages[field.type] != nil && ways[field.type] == nil {
        ways[field.type] = (ways[name] ?? []) + [field]
        waiting.append(field.type)
      }
    }
    self.ways = ways
  }

  /// A statement that holds the message of this name, which holds these bytes.
  private func statement(_ message: String, _ bytes: [UInt8]) throws -> [UInt8] {
    try #require(ways[message]).reversed().reduce(bytes) { inner, field in
      RawFields.key(field.number, .delimited) + RawFields.varint(inner.count) + inner
    }
  }

  /// The field with a value that is not its default.
  private func bytes(of field: GrammarText.Field) -> [UInt8] {
    switch field.type {
    case "bool", "uint32", "sint64": RawFields.key(field.number, .varint) + [1]
    case "double": RawFields.key(field.number, .fixed64) + [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]
    case "string", "bytes": RawFields.key(field.number, .delimited) + [2, 0x68, 0x69]
    default:
      grammar.messages[field.type] == nil
        ? RawFields.key(field.number, .varint) + [1] : RawFields.key(field.number, .delimited) + [0]
    }
  }

  @Test func `each field is read, and written as it was read`() throws {
    #expect(ways.count == grammar.messages.count)
    for (message, fields) in grammar.messages {
      for field in fields {
        let bytes = try statement(message, bytes(of: field))
        let tree = try ASTStatement.decode(bytes)
        #expect(tree.serialized == bytes, "\(message).\(field.name)")
        #expect(tree.hasOnlyKnownFields, "\(message).\(field.name)")
        #expect(try ASTStatement.decode(tree.serialized) == tree, "\(message).\(field.name)")
      }
    }
  }

  @Test func `a field with another type than the grammar's is not known, and is written again`() throws {
    for (message, fields) in grammar.messages {
      for field in fields {
        let other: [UInt8] = RawFields.key(field.number, .fixed32) + [0, 0, 0, 0]
        let bytes = try statement(message, other)
        let tree = try ASTStatement.decode(bytes)
        #expect(tree.serialized == bytes && !tree.hasOnlyKnownFields, "\(message).\(field.name)")
      }
    }
  }

  @Test func `of a field that may stand once, a message may not stand twice, and of others the last counts`() throws {
    for (message, fields) in grammar.messages {
      for field in fields where !field.isRepeated {
        let once = bytes(of: field)
        let twice = try statement(message, once + once)
        if grammar.messages[field.type] != nil {
          #expect(throws: RequestError.treeMalformed, "\(message).\(field.name)") { try ASTStatement.decode(twice) }
        } else {
          #expect(try ASTStatement.decode(twice).serialized == statement(message, once), "\(message).\(field.name)")
        }
      }
    }
  }

  @Test func `values of a later grammar keep their numbers`() throws {
    for (message, fields) in grammar.messages {
      for field in fields where grammar.enumerations[field.type] != nil {
        for number in [99, Int(Int32.max)] {
          let bytes = try statement(message, RawFields.key(field.number, .varint) + RawFields.varint(number))
          #expect(try ASTStatement.decode(bytes).serialized == bytes, "\(message).\(field.name)")
        }
      }
    }
  }

  @Test func `a copy that changes leaves the other as it was`() throws {
    let first = ASTStatement.select { $0.where = .call(.equal, .column("a"), .parameter(1)) }
    var second = first
    second.select.where.call.arguments[1] = .parameter(2)
    second.select.columns.append(.all())
    #expect(first == .select { $0.where = .call(.equal, .column("a"), .parameter(1)) })
    #expect(second.select.columns.count == 1 && second != first)
    #expect(second.select.where.call.arguments.map(\.parameter.index) == [0, 2])
  }
}

extension ASTStatement {
  /// Whether no message of the tree has a field that this grammar does not have.
  fileprivate var hasOnlyKnownFields: Bool {
    var finder = UnknownFinder()
    finder.visit(self)
    return finder.found.isEmpty
  }
}

private struct UnknownFinder: TreeVisitor {
  var found: [UnknownFields] = []

  mutating func came(to node: any TreeMessage) {
    if !node.unknownFields.isEmpty { found.append(node.unknownFields) }
  }
}
