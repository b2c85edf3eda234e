/// The type that the values of a name in a JSON file have in common.
///
/// Always true: no value changes when a column of the type takes it. If the values have no type in common, or a real
/// number cannot hold one of the whole numbers, the column leaves every value as it is.
struct JSONColumnType {
  private enum Kind: Equatable { case integer, real, text, mixed }

  private var kind: Kind?
  /// Some whole number cannot be a real one as well.
  private var hasLargeInteger = false

  /// The type as a table declares it; TEXT if no value has said otherwise.
  var word: String {
    switch kind {
    case .integer: "INTEGER"
    case .real: hasLargeInteger ? "BLOB" : "REAL"
    case .text, nil: "TEXT"
    case .mixed: "BLOB"
    }
  }

  mutating func seen(_ value: JSONValue) {
    let seen: Kind
    switch value {
    case .null: return
    case .integer(let integer):
      seen = .integer
      if Double(exactly: integer) == nil { hasLargeInteger = true }
    case .boolean: seen = .integer
    case .real: seen = .real
    case .text, .document: seen = .text
    }
    switch (kind, seen) {
    case (nil, _): kind = seen
    case (.integer, .real), (.real, .integer): kind = .real
    case (let known?, _) where known != seen: kind = .mixed
    default: break
    }
  }
}
