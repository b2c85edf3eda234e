/// The rule for names of databases, roles, issuers and claims, and the sentence that says it.
///
/// Always true: such a name is the name of one file in its directory, and needs no quotation marks anywhere.
public enum SimpleName {
  /// How many bytes it has, which are as many characters.
  public static let lengths = ValueLimits.nameBytes

  public static func isValid(_ text: String) -> Bool {
    lengths.contains(text.utf8.count) && text.utf8.allSatisfy(isPart)
  }

  /// One of `A-Z a-z 0-9 _ -`.
  @inlinable public static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// - Parameter name: whose name it is, at the beginning of a sentence: `A database's name`.
  public static func rule(_ name: String) -> String {
    "\(name) is \(lengths.lowerBound) to \(lengths.upperBound) letters, digits, underscores and hyphens."
  }
}
