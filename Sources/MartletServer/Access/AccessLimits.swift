/// The bounds of being refused, and of what is believed.
enum AccessLimits {
  /// The first refusal is said after so long, whatever its cause.
  static let firstRefusalMs = 250
  /// Far below the time that clients wait for a connection (5 s), so that they hear why they are refused.
  static let refusalMsMax = 2_000
  /// A reload waits so long for the loops to have told their sessions.
  static let reloadMsMax = 1_000
  /// A refusal is forgotten after so long without another.
  static let refusalMemoryMs = 60_000
  /// So many refused addresses are remembered; with more, the oldest are forgotten.
  static let refusedMax = 10_000
  /// Addresses whose handshakes are counted; with more, those that shake no hands now are forgotten.
  static let shakingMax = 10_000
  /// A session ends after so long, however much longer what it has shown lasts.
  static let identitySecondsMax = 366 * 86_400
  /// So many databases of a role are compared with its rules for tables when these are read.
  static let databasesTriedMax = 16
  /// So many unions of a role's lists of statements are made when they are read; others when they are asked for.
  static let shapeUnionsMax = 32
  /// A certificate that ends within so many days is told of.
  static let certificateDaysMin = 21
}
