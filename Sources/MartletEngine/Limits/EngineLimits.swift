/// The fixed bounds of the engine; those that an operator or a test sets are in `Limits`.
///
/// Always true: each has its unit in its name, or is a count.
package enum EngineLimits {
  /// Between two checks of deadlines and other limits of time.
  static let tickMs = 50

  /// The longest wait of a thread at once; a longer one goes on with the next. The arithmetic of the clock has room.
  static let waitNsMax: UInt64 = 3_600_000_000_000

  /// How often the files are looked at while nobody writes.
  static let filesLookMs = 200

  /// An older look at the files does not count for a commit that is about to begin.
  static let commitLookMs = 5

  /// Frames of the log that are looked at for the last commit.
  static let logTailFramesMax: Int64 = 1_000

  /// How much is shown of the name of another process.
  static let processNameBytesMax = 64

  /// How often one of the engine's own statements is tried if it is interrupted, which nobody can have asked for.
  static let statementAttemptsMax = 3

  /// No bound for the values of a statement with so many operators is less: SQLite must be able to read the schema
  /// within it.
  static let operatorsMax = 8_192
  static let boundValueBytesMin = 256 << 10

  /// A statement with more operators does not run. One with more than `operatorsMax` runs if the schema is short enough
  /// for the bound of its values.
  static let operatorsOnShortValuesMax = 16_384

  /// Operators that a loop lets go through the same value, of up to `inlineValueBytesMax`: each takes up to 2 ns for a
  /// byte, and none can be ended.
  static let inlineOperatorsMax = 64

  /// Savepoints that are set at a time in one transaction.
  static let savepointsMax = 1_000

  /// Damaged pages that a report names.
  package static let damagedPagesMax = 100

  /// What a check tells of one table's content, and of its foreign keys. SQLite itself stops after as many faults.
  static let tableFaultsMax = 100

  /// Views and triggers that a check compiles, and how much of the text of each it reads to see what fires a trigger.
  /// One that does not compile may take as long as a compilation may, so after so many of them the others are left out.
  static let checkedDefinitionsMax = 10_000
  static let faultyDefinitionsMax = 100
  static let definitionHeadCharacters = 4_096

  /// Lines of SQLite's plan that are shown, and how long SQLite may take to make them.
  static let planLinesMax = 50
  static let planLinesNs: UInt64 = 1_000_000_000

  /// How much an error shows of the name of a column, which may be a whole expression.
  static let shownNameCharactersMax = 64

  /// How many tables an error of a foreign key names at most. SQLite only says that some key does not hold.
  static let foreignKeyTablesMax = 4

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

  /// Sessions that are looked at for shares at a time, of those whose reads wait and are looked at.
  static let waitingSessionsLookedAtMax = 64

  /// Long reads leave one of this many parts of a pool's connections to others, and transactions have one of this many
  /// parts at most.
  static let longLeaseDivisor = 4
  static let transactionLeaseDivisor = 2

  /// Reads that are known to be brief are served so many times in a row while others that may be brief wait, and a
  /// shape is known to be brief after so many brief reads.
  static let knownLeasesMax = 4
  static let knownReadsMin = 4

  /// While no more wait for the writer than so many, a transaction may do nothing for the whole time that
  /// `transactionContendedIdleMs` says; the more wait beyond, the shorter the time.
  static let contendedWaitersFree = 64

  /// Looks at the budget of steps while a read on an event loop uses it up.
  static let inlineLooksMin = 20

  /// Reads that wait for a connection and are looked at, others each time, when one that runs asks whether it must give
  /// its own up, or a paused one has to.
  static let waitersLookedAtMax = 128

  /// Sessions whose long writes are remembered.
  static let penalizedSessionsMax = 4_096

  /// Long writes of a session that count.
  static let writePenaltiesMax = 6

  /// How many more sessions without jobs a queue remembers than it has jobs, for what they have used.
  static let idleSessionsMax = 256

  /// A monitor keeps the memory for so many arrivals that came at once.
  static let arrivalsKept = 256

  /// A session's queue keeps the memory for so many jobs when it is empty.
  static let sessionSlotsKept = 16

  /// How far a session that sent nothing for a while may be behind the others at most.
  static let savedNsMax: UInt64 = 20_000_000

  /// How often a group looks for writes that came while its members ran. Each look takes as many as it has members at
  /// most.
  static let groupJoinsMax = 3
  /// A group of so many members commits at once: its commit costs each of them little, and meanwhile those who come are
  /// made ready for the next one.
  static let groupJoinMembersMax = 32
  /// A group that has run for so many nanoseconds commits at once: about as long as some commits take.
  static let groupJoinNs: UInt64 = 2_000_000

  /// Debug builds check a pure machine after each event. Checks that look at every entry run only up to this many.
  static let countedMax = 64

  /// Writes of a shape that succeed before one runs without a savepoint beside others.
  static let savepointSuccessesMin: UInt32 = 32
  /// One that takes its transaction with it makes its neighbours run again, and doubles that number, so often at most.
  static let savepointLossesMax: UInt8 = 11

  /// A read transaction that has done nothing for so many milliseconds ends if a session waits to begin one that has
  /// fewer: by two at least, or by one. Far longer than an honest client's way on a busy machine.
  static let idleReadMs = 200
  static let idleLoneReadMs = 1_000

  /// A database that was used for at least so many milliseconds, and never without for longer, is in steady use: it is
  /// not closed for others, though nobody asks for anything at that very moment.
  package static let steadyUseMs = 1_000

  /// Picoseconds that copying a byte of the log takes: what is assumed before the first copy, and the bounds of what is
  /// believed. 500, 10,000 and 10 megabytes in a second.
  static let copyPicosecondsFirst: UInt64 = 2_000
  static let copyPicosecondsMin: UInt64 = 100
  static let copyPicosecondsMax: UInt64 = 100_000

  /// Copies of fewer bytes tell nothing of how long others take.
  static let copyBytesTold = 1 << 20
  /// What is owed for the log takes at most the time for which others may wait for a transaction, divided by this.
  static let owedDivisor = 2

  /// A transaction that kept others waiting for no longer is a brief one, and for how long it is remembered whether
  /// those of its session are.
  static let briefHoldNs: UInt64 = 20_000_000
  static let knownHolderMs = 10_000

  /// How often those of long ago are forgotten at most, if there is no place for another session.
  static let knownHoldersSweepMs = 1_000

  /// Of the time that ordinary writes have after a transaction, so much may go to others that begin on trial: a tenth.
  /// If that is less than one brief transaction, none does.
  static let trialDivisor: UInt64 = 10

  /// After a transaction that was let in on trial and was long: how long nobody else is, so that a new session for each
  /// long transaction gains next to nothing.
  static let trialPauseMs = 60_000

  /// The part of the time that readers may spend on a schema that others change. The next change waits meanwhile, for
  /// at most so many milliseconds.
  static let schemaSharePercent = 10
  static let schemaPauseMaxMs = 2_000

  /// How much of that readers may spend at once after nobody had changed the schema for a while.
  static let schemaSavedMs = 500

  /// For so many milliseconds after a session changed the schema, its transactions count as changing it again.
  static let schemaChangerMs = 10_000

  /// How often members of a group run again after an interruption without a cause; the next one counts as a failure.
  static let interruptionsMax = 8

  /// The longest time of a write is this many times that of VACUUM. The writer then copies the log that VACUUM leaves
  /// into the file, which takes half as long again, and others wait for that too.
  static let vacuumTimeDivisor = 2

  /// How often room on the disk is looked at.
  static let diskLookMs = 250

  /// After a checkpoint that was not complete: how soon the next one is tried, and how soon if the log is over its
  /// limit.
  static let checkpointRetryMs = 1_000
  static let checkpointUrgentRetryMs = 20

  /// Of this many flushes, one tells the shared cache which plans the reader of a loop uses.
  static let plansKeptEveryFlushes: UInt64 = 256

  // MARK: - Turns

  /// A read that has run for longer is heavy.
  static let lightSliceNs: UInt64 = 4_000_000

  /// Time after which heavy reads change places.
  static let heavySliceNs: UInt64 = 10_000_000

  /// While light reads never cease, heavy ones get a turn of `heavyTurnNs` after this much of the light ones' time.
  static let lightRunNs: UInt64 = 16_000_000
  static let heavyTurnNs: UInt64 = 4_000_000

  /// Time after which a heavy read may be put back to the start for one that waits for a seat. The time doubles with
  /// each restart, and no more often than `seatDoublingsMax`.
  static let seatTimeNs: UInt64 = 100_000_000
  static let seatDoublingsMax = 5

  /// How often a running read asks whether others wait.
  static let turnAskNs: UInt64 = 200_000

  /// Time that an unknown job is presumed to take, so that a new one does not wait behind those that are known to be
  /// slow.
  static let presumedJobNs: UInt64 = 100_000

  /// A session or subject that waits for a time that is shared is next by its age after so many turns of others, and
  /// `passesEach` for each one that waits.
  static let passesLeast: UInt64 = 16
  static let passesEach: UInt64 = 4

  /// A tenth of a time that is shared goes by age, of which so much is saved.
  static let turnsByAgeDivisor: UInt64 = 10
  static let turnsByAgeSavedNs: Int64 = 20_000_000

  /// The least that a job is charged, so that a session's many tiny jobs cannot keep others waiting for ever.
  static let jobNsMin: UInt64 = 10_000

  /// A loop's preparing of a statement that took less is not counted. Reading, checking and compiling take longer; a
  /// known statement usually takes less.
  static let countedPreparationNsMin: UInt64 = 20_000

  /// Pages whose checksums are compared before others have their turn.
  static let verifiedPagesPerSlice = 1_024

  // MARK: - Databases that come and go

  /// Checks, and the pause between two of them, while the engine waits until others have closed a database: one second
  /// in all.
  static let freeAttemptsMax = 1_000
  static let freePauseMicroseconds: UInt32 = 1_000

  /// The same for a database that is in use and is to be closed: for a second.
  static let takeAttemptsMax = 50
  static let takePauseMicroseconds: UInt32 = 20_000

  /// Idle databases that one opening closes to make room for its own.
  static let roomAttemptsMax = 32

  /// Commits that one recorded bound serves.
  static let sequenceBlock: UInt64 = 1 << 20

  /// No count of commits or microseconds gets near this. A larger number is damage, or comes from a wrong clock.
  static let sequenceMax: UInt64 = 1 << 61

  // MARK: - Memory

  /// Bytes that any holder may have while there is room at all: a request or an answer of ordinary size.
  package static let memorySmallBytes = 128 << 10

  /// A large holder may have one of this many parts of the room for large ones; a small one, of all room that is left.
  static let memoryLargeParts = 8
  static let memorySmallParts = 256

  /// Setups may come to one of this many parts of the budget before they are shared out among subjects, and those that
  /// nobody has may never come to more.
  static let memorySetupParts = 16

  /// What SQLite may take for one statement, however little is left of the budget.
  static let statementMemoryBytesMin = 8 << 20

  /// Bytes that a holder may have even if no room is left: a short request.
  static let memoryShareBytesMin = 8 << 10

  /// Bytes by which an account must change before the process's total does. The rest of each account is not counted.
  static let memoryStepBytes = 64 << 10

  /// The memory of an answer that is smaller is not counted.
  static let countedAnswerBytesMin = 16 << 10

  /// Less than this is not worth walking through the allocator's lists.
  static let memoryExcessBytesMin = 2 << 20

  /// How often the excess must be seen, so that what is in use for a moment is left alone.
  static let memoryExcessSightingsMin = 2

  /// The pause after an attempt, as a multiple of the time that it took.
  static let memoryReturnPauseFactor = 100

  /// A database that could not be opened anew is tried again for who comes, so many milliseconds later at the earliest.
  static let reopeningRetryMs = 1_000
}
