/// The bounds of being refused, and of what is believed.
enum AccessLimits {
  /// The first refusal is said after so long, whatever its cause.
  static let firstRefusalMs = 250
  static let refusalMsMax = 5_000
  /// A refusal is forgotten after so long without another.
  static let refusalMemoryMs = 60_000
  /// So many refused addresses are remembered; with more, the oldest are forgotten.
  static let refusedMax = 10_000
  /// Addresses whose handshakes are counted apart; with more, counting begins anew.
  static let shakingMax = 10_000
  /// An identity is asked about again after so long, however long it says that it lasts.
  static let identitySecondsMax = 366 * 86_400
  /// A certificate that ends within so many days is told of.
  static let certificateDaysMin = 21
}
