internal import MartletQuery
internal import MartletValues

/// What SQLite can hold: `Int64`, `Double`, `String`, `Blob`, and `nil` for NULL; `Int` and `Bool` stand for integers.
///
/// Always true: these types and no others are bindings. A type of a program's own conforms to `Value` instead, and says
/// which of these it is kept as.
public protocol Binding: Sendable {}

/// A binding that SQLite calculates with.
public protocol Number: Binding {}

extension Int64: Number {}
extension Int: Number {}
extension Double: Number {}
extension Bool: Binding {}
extension String: Binding {}
extension Blob: Binding {}

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
