/// `NAME=VALUE` of a command line.
struct TokenClaim: Equatable {
  var name: String
  var value: String

  /// Nil without a name or an equals sign.
  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }

  /// The claims by name. Throws for a name that comes twice.
  static func dictionary(_ claims: [TokenClaim]) throws -> [String: String] {
    var values: [String: String] = [:]
    for claim in claims where values.updateValue(claim.value, forKey: claim.name) != nil {
      throw CommandFailure.claimTwice(CellText.escaped(claim.name))
    }
    return values
  }
}
