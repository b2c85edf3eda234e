internal import MartletQuery
internal import MartletValues

/// What SQLite can hold: `Int64`, `Double`, `String`, `Blob`, and `nil` for NULL; `Int` and `Bool` stand for integers.
///
/// Always true: these types and no others are bindings. A type of a program's own conforms to `Value` instead, and says
/// which of these it is kept as.
public protocol Binding: Sendable {
  /// The value as this type; nil where it is another.
  static func _binding(from stored: _StoredValue) -> Self?
}

/// A value as a row has it.
public struct _StoredValue: Sendable {
  let value: SQLValue
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
}

extension Int: Number {
  public static func _binding(from stored: _StoredValue) -> Int? { Int64._binding(from: stored).map { Int($0) } }
}

extension Double: Number {
  public static func _binding(from stored: _StoredValue) -> Double? {
    switch stored.value {
    case .real(let real): real
    case .integer(let integer): Double(integer)
    default: nil
    }
  }
}

extension Bool: Binding {
  public static func _binding(from stored: _StoredValue) -> Bool? { Int64._binding(from: stored).map { $0 != 0 } }
}

extension String: Binding {
  public static func _binding(from stored: _StoredValue) -> String? {
    if case .text(let text) = stored.value { text } else { nil }
  }
}

extension Blob: Binding {
  public static func _binding(from stored: _StoredValue) -> Blob? {
    if case .blob(let bytes) = stored.value { Blob(bytes: bytes) } else { nil }
  }
}

extension MartletValues.Value {
  /// A binding as the value that travels beside a tree.
  init(_ binding: (any Binding)?) {
    switch binding {
    case nil: self = .null
    case let integer as Int64: self = .integer(integer)
    case let integer as Int: self = .integer(Int64(integer))
    case let bool as Bool: self = .integer(bool ? 1 : 0)
    case let real as Double: self = .real(real)
    case let text as String: self = .text(text)
    case let blob as Blob: self = .blob(blob.bytes)
    case let other?: preconditionFailure("\(type(of: other)) is no binding. Conform it to Value instead of Binding.")
    }
  }

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
