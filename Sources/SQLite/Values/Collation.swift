internal import MartletValues

/// How texts are compared and ordered.
public enum Collation: Sendable, Equatable {
  /// Byte by byte.
  case binary
  /// Without regard to upper and lower case of the letters A to Z.
  case nocase
  /// Without regard to spaces at the end.
  case rtrim
  /// One that the program made with `createCollation`, by its name.
  case custom(String)
}

extension Collation: CustomStringConvertible {
  /// The collation as SQL writes it: `NOCASE`, or a name in quotes.
  public var description: String {
    if case .custom(let name) = self { return name.quoted() }
    return name
  }

  /// The name by which SQLite knows the collation.
  var name: String {
    switch self {
    case .binary: "BINARY"
    case .nocase: "NOCASE"
    case .rtrim: "RTRIM"
    case .custom(let name): name
    }
  }
}
