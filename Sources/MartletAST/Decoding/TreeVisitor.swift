internal import SwiftProtobuf

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Comes to every message of a tree, the outer ones first.
///
/// Always true: it recurses as deep as the tree, which decoding has bounded.
protocol TreeVisitor: Visitor {
  mutating func came(to node: any Message)
}

extension TreeVisitor {
  mutating func visit<Node: Message>(_ node: Node) throws {
    came(to: node)
    try node.traverse(visitor: &self)
  }

  mutating func visitSingularMessageField<Node: Message>(value: Node, fieldNumber: Int) throws { try visit(value) }

  // A field that is not a message holds none.
  mutating func visitUnknown(bytes: Data) throws {}
  mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) throws {}
  mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) throws {}
  mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) throws {}
  mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) throws {}
  mutating func visitSingularStringField(value: String, fieldNumber: Int) throws {}
  mutating func visitSingularBytesField(value: Data, fieldNumber: Int) throws {}
  mutating func visitSingularEnumField<Value: Enum>(value: Value, fieldNumber: Int) throws {}
  mutating func visitMapField<Key, Value: MapValueType>(
    fieldType: _ProtobufMap<Key, Value>.Type, value: _ProtobufMap<Key, Value>.BaseType, fieldNumber: Int
  ) throws {}
  mutating func visitMapField<Key, Value>(
    fieldType: _ProtobufEnumMap<Key, Value>.Type, value: _ProtobufEnumMap<Key, Value>.BaseType, fieldNumber: Int
  ) throws where Value.RawValue == Int {}
  mutating func visitMapField<Key, Value>(
    fieldType: _ProtobufMessageMap<Key, Value>.Type, value: _ProtobufMessageMap<Key, Value>.BaseType, fieldNumber: Int
  ) throws {}
}
