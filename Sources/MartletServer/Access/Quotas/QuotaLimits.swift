/// The bounds of counting what subjects use.
enum QuotaLimits {
  /// Subjects without a connection that are remembered because their tokens have not come back yet; with more, those
  /// that were away for longest are forgotten.
  static let absentMax = 10_000
  /// A table that is smaller is not looked through for those who may be forgotten.
  static let sweptMin = 1_024
  /// A rate or burst as large as this is no bound any more, and its arithmetic stays far from overflow.
  static let tokensMax = 1_000_000
}
