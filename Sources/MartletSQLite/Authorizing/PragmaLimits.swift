/// What is told of a pragma.
enum PragmaLimits {
  /// A longer name is cut.
  static let nameMax = 64
}
