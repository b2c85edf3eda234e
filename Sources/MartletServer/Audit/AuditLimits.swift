/// The bounds of the audit log.
enum AuditLimits {
  /// Events that wait for the thread that writes; what comes beyond is counted and not kept.
  static let eventsMax = 16_384
  /// What those take in memory together: one that shows values may be a thousand times as long as another.
  static let eventBytesMax = 8 << 20
  /// What an event takes beside what it shows.
  static let eventBytesMin = 512
  /// Characters of Unicode behind which a name in a line is cut.
  static let textScalarsMax = 200
  /// Values of one column in a line; the number of those that were left out follows.
  static let valuesMax = 20
  /// Events that become one write at most.
  static let writeEventsMax = 1_024
  /// Milliseconds after which a write that failed is tried again.
  static let retryMs = 1_000
  /// Milliseconds that a server that ends, or that begins another file, waits for what is queued.
  static let settleMs = 2_000
  /// Microseconds between two looks meanwhile.
  static let settleLookMicroseconds: UInt32 = 1_000
}
