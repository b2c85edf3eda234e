internal import MartletQuery
internal import MartletValues

/// What SQLite can hold: `Int64`, `Double`, `String`, `Blob`, and `nil` for NULL; `Int` and `Bool` stand for integers.
///
/// Always true: these types and no others are bindings. A type of a program's own conforms to `Value` instead, and says
/// which of these it is kept as.
public protocol Binding: Sendable {
  /// The value as this type; nil if it is another.
  static func _binding(from stored: _StoredValue) -> Self?

  /// The value as a statement has it.
  var _stored: _StoredValue { get }
}

/// A value as a row has it.
public struct _StoredValue: Sendable {
  let value: SQLValue
}

extension _StoredValue {
  init(_ value: SQLValue) { self.value = value }

  static let null = _StoredValue(.null)
  static let unkept = _StoredValue(SQLValue.unkept)
}

/// A binding that SQLite calculates with.
public protocol Number: Binding {}

extension Int64: Number {
  /// A real number that is an integer is one too, because a REAL column holds 3 as 3.0.
  public static func _binding(from stored: _StoredValue) -> Int64? {
    switch stored.value {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real)
    default: nil
    }
  }

  public var _stored: _StoredValue { _StoredValue(.integer(self)) }
}

extension Int: Number {
  public static func _binding(from stored: _StoredValue) -> Int? { Int64._binding(from: stored).map { Int($0) } }
  public var _stored: _StoredValue { _StoredValue(.integer(Int64(self))) }
}

extension Double: Number {
  public static func _binding(from stored: _StoredValue) -> Double? {
    switch stored.value {
    case .real(let real): real
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  public var _stored: _StoredValue { _StoredValue(.real(self)) }
}

extension Bool: Binding {
  public static func _binding(from stored: _StoredValue) -> Bool? { Int64._binding(from: stored).map { $0 != 0 } }
  public var _stored: _StoredValue { _StoredValue(.integer(self ? 1 : 0)) }
}

extension String: Binding {
  public static func _binding(from stored: _StoredValue) -> String? {
    if case .text(let text) = stored.value { text } else { nil }
  }

  public var _stored: _StoredValue { _StoredValue(.text(self)) }
}

extension Blob: Binding {
  public static func _binding(from stored: _StoredValue) -> Blob? {
    if case .blob(let bytes) = stored.value { Blob(bytes: bytes) } else { nil }
  }

  public var _stored: _StoredValue { _StoredValue(.blob(bytes)) }
}

extension MartletValues.Value {
  /// A binding as the value that travels beside a tree.
  init(_ binding: (any Binding)?) { self = binding?._stored.value ?? .null }

  /// The value as a program gets it: `Int64`, `Double`, `String`, `Blob` or nil.
  var binding: (any Binding)? {
    switch self {
    case .null, .rows: nil
    case .integer(let integer): integer
    case .real(let real): real
    case .text(let text): text
    case .blob(let bytes): Blob(bytes: bytes)
    }
  }
}
