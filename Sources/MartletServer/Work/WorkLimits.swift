/// Bounds of what sessions ask for that no loop can do.
enum WorkLimits {
  /// Requests of one kind that wait for their turn.
  static let waitingMax = 1_000
  /// How often those that wait are asked whether they are still there.
  static let sweepMs = 20
  /// Databases that are being opened at once, and those of which the opening takes long: a log that has to be read
  /// again, a schema of thousands of tables, a slow disk.
  static let openings = WorkLanes.Widths(quick: 4, slow: 8, slowMs: 100)
  /// Databases that are being made, renamed or dropped at once, and those that take long: somebody has it open, a large
  /// file goes.
  static let changes = WorkLanes.Widths(quick: 4, slow: 8, slowMs: 100)
  /// Topics that are remembered as slow.
  static let slowTopicsMax = 1_000
  /// How long whoever opens a database waits for a loop to say which of its own it does not use, or to let go of one.
  static let letGoMsMax = 1_000
  /// How long a database's content is looked at that nobody could open anew, for somebody who wants it.
  static let recoveryMsMax = 60_000
  /// How many databases one answer lists.
  static let listedMax = 1_000
  /// Bytes of the shapes and the sessions of one answer.
  static let inspectionBytesMax = 256 << 10
  /// How old what an answer tells may be.
  static let inspectionAgeMsMax = 100
  /// How long the next answer waits for a loop to take one.
  static let handOverMsMax = 1_000
  /// A topic is remembered as slow if its job took this many times as long as `slowMs`, so that a job that others held
  /// up does not count.
  static let rememberedFactor = 3
}
