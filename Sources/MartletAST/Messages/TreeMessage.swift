internal import MartletProtobuf
internal import MartletValues

/// One message of the grammar: it reads and writes its own fields, and knows its parts.
///
/// Always true: the generated code conforms, and nothing else does.
protocol TreeMessage: Equatable, Sendable {
  init()

  /// Takes one field that was sent. Returns false if this grammar has no such field, or has it with another type.
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool

  /// Writes the fields that are not their defaults, by their numbers, and then those that are not known.
  func write(to encoder: inout TreeEncoder)

  /// Shows each message that is one of its fields to the visitor, by the fields' numbers.
  func visitParts(_ visitor: inout some TreeVisitor)

  var unknownFields: UnknownFields { get set }
}

extension TreeMessage {
  // A message without messages in it has no parts.
  func visitParts(_ visitor: inout some TreeVisitor) {}
}
