/// How much of a pragma's name an error shows.
enum PragmaLimits {
  /// A longer name is cut.
  static let nameMax = 64
}
