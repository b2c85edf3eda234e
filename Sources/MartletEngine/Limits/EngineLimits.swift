/// The fixed bounds of the engine; those that an operator or a test sets are in `Limits`.
///
/// Always true: each has its unit in its name, or is a count.
package enum EngineLimits {
  /// How often limits of time are looked at.
  static let tickMs = 50

  /// How often the files are looked at while nobody writes.
  static let filesLookMs = 200

  /// An older look at the files does not count for a commit that is about to begin.
  static let commitLookMs = 5

  /// How much is shown of the name of another process.
  static let processNameBytesMax = 64

  /// How often one of the engine's own statements is tried if it is interrupted, which nobody can have asked for.
  static let statementAttemptsMax = 3

  /// Damaged pages that a report names.
  package static let damagedPagesMax = 100

  /// Lines of SQLite's plan that are shown.
  static let planLinesMax = 50

  /// The most that the process gives itself of the machine's memory; a larger budget is an operator's decision.
  package static let memoryBudgetBytesMax = 1 << 30

  /// The shortest and the longest pause between two attempts to give memory back.
  static let memoryReturnPauseMsMin = 1_000
  static let memoryReturnPauseMsMax = 60_000

  /// Reads of a heavy shape that the loop declines before it tries one again: at first, and at most.
  static let inlineDeclinesMin = 16
  static let inlineDeclinesMax = 4_096

  /// What a slow read adds, and what makes the reads of its shape heavy. One may only mean that another program had the
  /// processor, so it takes three nearly in a row.
  static let inlineSlownessStep = 8
  static let inlineSlownessMax = 24

  /// Writes of a long shape that go to the long ones before one is tried as a short one: at first, and at most.
  static let longWriteTurnsMin: UInt16 = 16
  static let longWriteTurnsMax: UInt16 = 4_096

  /// So many of the sessions that wait are looked at for shares at a time.
  static let waitingSessionsLookedAtMax = 64

  /// Sessions whose long writes are remembered.
  static let penalizedSessionsMax = 4_096

  /// Long writes of a session that count.
  static let writePenaltiesMax = 6

  /// How far a session that sent nothing for a while may be behind the others at most.
  static let savedNs: UInt64 = 20_000_000

  /// Debug builds check a pure machine after each event. Checks that look at every entry run only up to so many.
  static let countedMax = 64

  /// So often members of a group run again after interruptions without a cause; then such a one counts as a failure.
  static let interruptionsMax = 8

  /// The longest time of a write is so many times that of VACUUM. The writer then copies the log that it leaves into
  /// the file, which takes half as long again, and others wait for that too.
  static let vacuumTimeDivisor = 2

  /// How often room on the disk is looked at.
  static let diskLookMs = 250

  /// After a checkpoint that was not complete: how soon the next one is tried, and how soon if the log is over its
  /// limit.
  static let checkpointRetryMs = 1_000
  static let checkpointUrgentRetryMs = 20
}
