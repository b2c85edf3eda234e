/// The bounds of who may use a server: delays of refusals, sizes of tables, and how long what was shown lasts.
enum AccessLimits {
  /// The least time that a TLS handshake keeps its place, whoever waits for one: several round trips.
  static let handshakeMsMin = 2_000
  /// Milliseconds until the first refusal is said, whatever its cause.
  static let firstRefusalMs = 250
  /// Far below the time that clients wait for a connection (5 s), so that they hear why they are refused.
  static let refusalMsMax = 2_000
  /// Milliseconds that a reload waits for the loops to have told their sessions.
  static let reloadMsMax = 1_000
  /// Milliseconds without another refusal after which one is forgotten.
  static let refusalMemoryMs = 60_000
  /// Refused addresses that are remembered; with more, the oldest are forgotten.
  static let refusedMax = 10_000
  /// Addresses whose handshakes are counted; with more, those without a handshake that is going on are forgotten.
  static let shakingMax = 10_000
  /// Seconds after which a session ends, however much longer what it has shown lasts.
  static let identitySecondsMax = 366 * 86_400
  /// Databases of a role that are compared with its rules for tables when these are read.
  static let databasesTriedMax = 16
  /// Unions of a role's lists of statements that are made when they are read; others are made when they are asked for.
  static let shapeUnionsMax = 32
  /// If a certificate ends in fewer days, the log says so.
  static let certificateDaysMin = 21
  /// Debug builds compare sums after each event only up to this many entries.
  static let countedMax = 64
}
