internal import SwiftProtobuf

/// Which fields of the grammar's messages are messages themselves, asked of the generated code once.
///
/// Always true: index 0 is `Statement`, and every index in a field is one of `messages`.
struct GrammarShape: Sendable {
  struct Field: Sendable {
    /// Which of `messages` it holds.
    var message: Int
    var isRepeated: Bool
  }

  /// By field number; nil if the field is no message, or there is none.
  typealias Fields = [Field?]

  /// Fields with higher numbers are not looked into; a test compares it with the grammar.
  static let fieldNumberMax = 63

  static let statement = GrammarShape(root: ASTStatement.self)

  private(set) var messages: [Fields] = []
  private var indexes: [ObjectIdentifier: Int] = [:]

  private init(root: any Message.Type) {
    _ = add(root)
  }

  private mutating func add(_ type: any Message.Type) -> Int {
    if let index = indexes[ObjectIdentifier(type)] { return index }
    let index = messages.count
    indexes[ObjectIdentifier(type)] = index
    messages.append([])
    messages[index] = fields(of: type)
    return index
  }

  private mutating func fields(of type: any Message.Type) -> Fields {
    (0...Self.fieldNumberMax).map { number in
      var probe = FieldProbe(number: number)
      var message = type.init()
      // A probe throws nothing, whatever the message does with it.
      try? message.decodeMessage(decoder: &probe)
      return probe.message.map { Field(message: add($0), isRepeated: probe.isRepeated) }
    }
  }
}
