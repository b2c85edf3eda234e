/// What holds of a subject's statements beyond its permissions: rules for tables, and what is known of the subject.
public struct Restriction: Sendable, Hashable {
  public var rules: TableRules
  /// Claims such as `tenant`; conditions on rows ask for them by name.
  public var claims: [String: String]

  public init(rules: TableRules, claims: [String: String] = [:]) {
    self.rules = rules
    self.claims = claims
  }

  /// The key of a shape's plan under these rules: another one than under other rules, and than without.
  public func key(of shape: ShapeID) -> ShapeID {
    ShapeID(high: shape.high ^ rules.id.high, low: shape.low ^ rules.id.low)
  }
}
