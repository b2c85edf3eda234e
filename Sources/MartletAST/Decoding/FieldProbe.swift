internal import SwiftProtobuf

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A decoder that reads nothing: shown one field number, it notes whether a message's field of that number is a
/// message.
///
/// Always true: the values that it is handed stay as they are. SwiftProtobuf has no other way to ask a generated
/// message for the types of its fields.
struct FieldProbe: SwiftProtobuf.Decoder {
  private var number: Int?
  /// The type of the field, if it is a message.
  private(set) var message: (any Message.Type)?
  private(set) var isRepeated = false

  init(number: Int) { self.number = number }

  mutating func nextFieldNumber() -> Int? {
    defer { number = nil }
    return number
  }

  mutating func decodeSingularMessageField<M: Message>(value: inout M?) { message = M.self }

  mutating func decodeRepeatedMessageField<M: Message>(value: inout [M]) {
    message = M.self
    isRepeated = true
  }

  // MARK: What is no message

  mutating func handleConflictingOneOf() {}
  mutating func decodeSingularFloatField(value: inout Float) {}
  mutating func decodeSingularFloatField(value: inout Float?) {}
  mutating func decodeRepeatedFloatField(value: inout [Float]) {}
  mutating func decodeSingularDoubleField(value: inout Double) {}
  mutating func decodeSingularDoubleField(value: inout Double?) {}
  mutating func decodeRepeatedDoubleField(value: inout [Double]) {}
  mutating func decodeSingularInt32Field(value: inout Int32) {}
  mutating func decodeSingularInt32Field(value: inout Int32?) {}
  mutating func decodeRepeatedInt32Field(value: inout [Int32]) {}
  mutating func decodeSingularInt64Field(value: inout Int64) {}
  mutating func decodeSingularInt64Field(value: inout Int64?) {}
  mutating func decodeRepeatedInt64Field(value: inout [Int64]) {}
  mutating func decodeSingularUInt32Field(value: inout UInt32) {}
  mutating func decodeSingularUInt32Field(value: inout UInt32?) {}
  mutating func decodeRepeatedUInt32Field(value: inout [UInt32]) {}
  mutating func decodeSingularUInt64Field(value: inout UInt64) {}
  mutating func decodeSingularUInt64Field(value: inout UInt64?) {}
  mutating func decodeRepeatedUInt64Field(value: inout [UInt64]) {}
  mutating func decodeSingularSInt32Field(value: inout Int32) {}
  mutating func decodeSingularSInt32Field(value: inout Int32?) {}
  mutating func decodeRepeatedSInt32Field(value: inout [Int32]) {}
  mutating func decodeSingularSInt64Field(value: inout Int64) {}
  mutating func decodeSingularSInt64Field(value: inout Int64?) {}
  mutating func decodeRepeatedSInt64Field(value: inout [Int64]) {}
  mutating func decodeSingularFixed32Field(value: inout UInt32) {}
  mutating func decodeSingularFixed32Field(value: inout UInt32?) {}
  mutating func decodeRepeatedFixed32Field(value: inout [UInt32]) {}
  mutating func decodeSingularFixed64Field(value: inout UInt64) {}
  mutating func decodeSingularFixed64Field(value: inout UInt64?) {}
  mutating func decodeRepeatedFixed64Field(value: inout [UInt64]) {}
  mutating func decodeSingularSFixed32Field(value: inout Int32) {}
  mutating func decodeSingularSFixed32Field(value: inout Int32?) {}
  mutating func decodeRepeatedSFixed32Field(value: inout [Int32]) {}
  mutating func decodeSingularSFixed64Field(value: inout Int64) {}
  mutating func decodeSingularSFixed64Field(value: inout Int64?) {}
  mutating func decodeRepeatedSFixed64Field(value: inout [Int64]) {}
  mutating func decodeSingularBoolField(value: inout Bool) {}
  mutating func decodeSingularBoolField(value: inout Bool?) {}
  mutating func decodeRepeatedBoolField(value: inout [Bool]) {}
  mutating func decodeSingularStringField(value: inout String) {}
  mutating func decodeSingularStringField(value: inout String?) {}
  mutating func decodeRepeatedStringField(value: inout [String]) {}
  mutating func decodeSingularBytesField(value: inout Data) {}
  mutating func decodeSingularBytesField(value: inout Data?) {}
  mutating func decodeRepeatedBytesField(value: inout [Data]) {}
  mutating func decodeSingularEnumField<E: Enum>(value: inout E) where E.RawValue == Int {}
  mutating func decodeSingularEnumField<E: Enum>(value: inout E?) where E.RawValue == Int {}
  mutating func decodeRepeatedEnumField<E: Enum>(value: inout [E]) where E.RawValue == Int {}
  mutating func decodeSingularGroupField<G: Message>(value: inout G?) {}
  mutating func decodeRepeatedGroupField<G: Message>(value: inout [G]) {}
  mutating func decodeMapField<KeyType, ValueType: MapValueType>(
    fieldType: _ProtobufMap<KeyType, ValueType>.Type, value: inout _ProtobufMap<KeyType, ValueType>.BaseType
  ) {}
  mutating func decodeMapField<KeyType, ValueType>(
    fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type, value: inout _ProtobufEnumMap<KeyType, ValueType>.BaseType
  ) where ValueType.RawValue == Int {}
  mutating func decodeMapField<KeyType, ValueType>(
    fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
    value: inout _ProtobufMessageMap<KeyType, ValueType>.BaseType
  ) {}
  mutating func decodeExtensionField(
    values: inout ExtensionFieldValueSet, messageType: any Message.Type, fieldNumber: Int
  ) {}
}
