/// The limits and time-outs that several parts agree on, or that an operator or a test sets, with their units in their
/// names.
///
/// Always true: `check()` holds for the values that a server starts with, so no two limits contradict each other.
public struct Limits: Sendable, Equatable {
  // MARK: Frames and connections

  /// The longest frame that a session may send after its hello. A longer one ends the connection. No frame of rows is
  /// longer either, so it holds the largest row that a table can have.
  public var frameBytesMax = 5_632 << 10
  /// The longest frame before the hello was taken. A longer one ends the connection.
  public var frameBeforeHelloBytesMax = 16 << 10
  /// What one message may take in memory while it is decoded; also at most eight times its size, or 4 MiB if that is
  /// more.
  public var decodedBytesMax = 32 << 20
  /// Connections of all clients at once. One more is told so and closed.
  public var connectionsMax = 10_000
  /// Requests of one connection that are in flight at once. One more is refused.
  public var requestsPerConnectionMax = 100
  /// Transactions of one connection that are open at once. One more is refused.
  public var transactionsPerConnectionMax = 8
  /// How long a new connection may take to say hello, a handshake of TLS included. After that it ends.
  public var helloDeadlineMs = 10_000
  /// How long the database that a hello named may take to open, the wait for others' openings included.
  public var openDeadlineMs = 30_000
  /// TLS handshakes that run at once, a quarter of them of one address.
  public var handshakesMax = 1_024
  /// How many an address of another machine may begin in a second.
  public var handshakesPerSecondMax = 200
  /// How long the rest of a frame may take after its first byte. After that the connection ends.
  public var frameCompletionDeadlineMs = 30_000
  /// How long a connection may be open without a request or a transaction. After that it ends.
  public var connectionIdleMs = 15 * 60_000
  /// Bytes of answers that may wait for a client. Above them no more of its requests are read and no more of its rows
  /// made, until half of them are gone.
  public var outputPauseBytes = 256 << 10
  /// How long a client may take less than a batch of rows of what waits for it. After that its connection ends. Rows
  /// that it asked for and gives no credit for are dropped after as long, counted from the deadline of their request or
  /// its last credit.
  public var outputStallMs = 60_000
  /// How long what is in flight may take when the server ends; 0: nothing is waited for.
  public var shutdownDrainMs = 10_000
  /// An event loop that does not answer for this long, or a statement that runs this long past its deadline, is
  /// reported.
  public var watchdogMs = 1_000
  /// How long closing may take beyond `shutdownDrainMs`; what has not come back by then is left behind.
  public var shutdownCloseMs = 800
  /// How long a connection that was refused may take to read why; at most a quarter of `shutdownCloseMs` if the server
  /// ends.
  public var lingerMs = 1_000
  /// How often a session looks at its deadlines.
  public var sessionTickMs = 100
  /// Shapes of statements that one inspection tells of; if it asks for more, it gets as many.
  public var inspectedShapesMax = 1_000
  /// Sessions that one inspection tells of; if it asks for more, it gets as many.
  public var inspectedSessionsMax = 1_000

  // MARK: Memory

  /// What the process may use for requests, results, and SQLite's values and caches; 0: a share of what there is.
  public var memoryBudgetBytes = 0
  /// How long a connection that holds more than its share waits, unread, before its long requests are refused.
  public var memoryPauseMs = 5_000
  /// How long a reader's connection must have been idle before its page cache goes.
  public var idleCacheMs = 2_000
  /// How long a reader must have been idle before it closes, unless it is one of the `idleReadersKept` that were used
  /// last.
  public var idleReaderMs = 10_000
  /// This many idle readers of a database stay open: what one has compiled and registered is 50 KB in small pieces.
  public var idleReadersKept = 4
  /// How long the reader of an event loop must have been idle before its page cache goes, which is larger and warmer.
  public var inlineIdleCacheMs = 10_000
  /// A plan or a compiled statement that nobody has used for one to two times this long goes, except those used last.
  /// The statements of a connection that is idle as a whole go with its page cache.
  public var cacheRoundMs = 10_000
  /// This many plans of a database stay, however long ago they were used.
  public var idlePlansKept = 64
  /// They go all the same if they are longer than this together.
  public var idlePlanBytesKept = 512 << 10
  /// The same for the compiled statements of a connection.
  public var idleStatementsKept = 16
  /// The same for what they hold in memory.
  public var idleStatementBytesKept = 128 << 10

  // MARK: Statements

  /// A serialized tree; values travel beside it.
  public var statementBytesMax = 1 << 20
  /// Levels of a tree. A deeper one is refused.
  public var nestingMax = 100
  /// Nodes of a tree. One with more is refused.
  public var nodesMax = 10_000
  /// Values of a list parameter of one column. A longer list is refused.
  public var listValuesMax = 100_000
  /// As many columns as the engine's table over a bound list has.
  public var listColumnsMax = 512
  /// Rows of a list parameter of several columns. A longer list is refused.
  public var bulkRowsMax = 1_000_000
  /// The highest number of a parameter; a statement with a higher one is refused.
  public var parametersMax = 10_000
  /// Joins of one FROM. A statement with more is refused.
  public var joinsMax = 16
  /// Columns of a result, and of what else lists columns. A statement with more is refused.
  public var resultColumnsMax = 2_000
  /// Bytes of the SQL that a statement becomes. A longer one is refused.
  public var sqlBytesMax = 256 << 10
  /// Bytes of a value, and of a row that SQLite makes. A longer one is an error of its statement.
  public var valueBytesMax = 5 << 20
  /// Steps of a batch, and conditions of a step. More are refused.
  public var batchStepsMax = 1_000
  /// Temporary views and triggers that a session declares.
  public var setupStatementsMax = 100
  /// Bytes of the serialized trees of a setup together.
  public var setupBytesMax = 256 << 10

  /// Bytes of the longest value of a statement's parameters times the operators of the statement, if the value is
  /// longer than `inlineValueBytesMax`: SQLite cannot be ended between two operators, which take up to 2 ns for a byte.
  public var longValueWorkMax = 1 << 30

  // MARK: What SQLite itself is told

  /// The depth of SQLite's own parse tree, in which a chain of operators is as deep as it is long.
  public var expressionDepthMax = 1_000
  /// Queries of a compound, as UNION makes one. SQLite refuses more.
  public var compoundSelectsMax = 100
  /// Instructions of the program that a statement becomes. SQLite refuses a longer one.
  public var statementOperationsMax = 250_000
  /// Arguments of a function. SQLite refuses more.
  public var functionArgumentsMax = 100
  /// Rows that aggregates written in Swift collect on one connection, until their groups end.
  public var functionGroupBytesMax = 256 << 20
  /// Triggers within triggers; a cascade of foreign keys down a tree is one per level.
  public var triggerDepthMax = 500
  /// Bytes of a pattern of LIKE or GLOB. A statement with a longer one fails.
  public var likePatternBytesMax = 256

  /// The phrases and NEARs of a pattern for MATCH, for reading and for writing, because nothing can end SQLite within
  /// one row: four for each word of a phrase, twice the square of the phrases of a NEAR, and one for each 256 single
  /// words. A row of two million equal words takes some 4 ms for each. A pattern that counts more is refused.
  public var patternWorkMax = 1_024
  public var patternWriteWorkMax = 256

  /// The processor's time that SQLite may take to compile one statement, for reading and for writing. Views, common
  /// tables and joins can make more of a short text than SQLite can compile in a lifetime.
  public var compileMsMax = 250
  public var compileWriteMsMax = 50

  /// The largest schema of a database: tables, indexes, views and triggers, and bytes of their SQL. Each connection
  /// reads all of it, once it opens the file and after each change.
  public var schemaObjectsMax = 20_000
  public var schemaBytesMax = 16 << 20

  // MARK: Rows

  /// A batch of rows is sent when it has grown to about this size.
  public var rowBatchBytes = 64 << 10
  /// The largest row of a result: with the batch that it completes it still fits a frame. Every row that SQLite can
  /// store is smaller, so what was stored can be read.
  public var rowBytesMax: Int { frameBytesMax - 2 * rowBatchBytes }
  /// The credit of a request that names none: bytes of rows that it gets before it gives more.
  public var creditDefaultBytes = 256 << 10
  /// The largest credit of a request, far more than any result needs. It is a number and takes no memory, because the
  /// engine gets credit in small pieces whatever the client gave.
  public var creditMaxBytes = 1 << 50
  /// The longest message of a setup: its trees, and a few bytes around each.
  public var setupFrameBytesMax: Int { max(frameBeforeHelloBytesMax, setupBytesMax + 16 * setupStatementsMax + 1_024) }
  /// Rows of RETURNING are held until the commit.
  public var returningBytesMax = 16 << 20

  // MARK: Time

  /// The deadline of a request that names none.
  public var deadlineDefaultMs = 5_000
  /// The longest deadline of a request; one that names a longer one has this.
  public var deadlineMaxMs = 10 * 60_000
  /// The longest deadline of a write, from its arrival; a longer one is refused. All writes of a database share one
  /// writer.
  public var writeTimeMaxMs = 30_000
  /// A write that runs for longer while others wait is undone, and waits again among the long writes.
  public var writeSliceMs = 20
  /// The first turn of a long write while others wait; each further one of the same write is four times as long. Short,
  /// because one write in a hundred or so meets such a turn.
  public var longWriteTurnMs = 25
  /// The longest turn of a long write while others wait.
  public var longWriteTurnMaxMs = 1_600
  /// How much unused time of their share long writes may save for later. It is enough for a rare long write to come to
  /// its longest turn, and too little for so many long turns that one in a hundred of the other writes would meet one.
  public var longWriteSavedMs = 600
  /// The part of the writer's time that long writes get while others wait.
  public var longWriteSharePercent = 10
  /// How long a transaction may do nothing. After that it ends, and what it wrote is undone.
  public var transactionIdleMs = 5_000
  /// How long a transaction may be open in all. After that it ends, and what it wrote is undone.
  public var transactionTotalMs = 30_000
  /// How long a write transaction may do nothing while others wait for the writer.
  public var transactionContendedIdleMs = 50
  /// The shortest that this time becomes if very many wait: still an honest client's round trip on a busy machine.
  public var transactionContendedIdleMinMs = 20
  /// How long a write transaction may keep others waiting in all. Its commit and the copy of what it wrote count too,
  /// for at most half of that.
  public var transactionContendedTotalMs = 3_000
  /// How long a stream that waits for its client keeps its connection if others wait for one.
  public var pausedStreamMs = 20

  // MARK: Engine

  /// Databases that the directory has when another one is made, whether they are open or not.
  public var databasesInDirectoryMax = 10_000
  /// Databases that are open for one subject. Those that nobody uses at the moment close if others are needed.
  public var databasesOpenMax = 100
  /// Databases that are open for all subjects: one alone cannot keep the others out.
  public var databasesOpenTotalMax: Int { databasesOpenMax + databasesOpenMax / 8 }

  /// Of these, databases that are kept for subjects with fewer than this number.
  public var databasesOpenReserved: Int { (databasesOpenTotalMax - databasesOpenMax) / 3 }
  /// How long a database that nobody uses stays open.
  public var databaseIdleMs = 10 * 60_000
  /// Connections of the reader pool of a database, for sessions without a setup. More reads wait.
  public var readerConnectionsMax = 32
  /// Reads of the pool that run at the same time.
  public var readerThreads = 2
  /// Reads that have run for more than a moment and are in progress, running or parked while others run. Each has a
  /// thread.
  public var heavyReadsMax = 40
  /// The rest of a paused stream's rows that is kept in memory while others use its connection.
  public var streamCopyBytesMax = 1 << 20
  /// Bytes that the copies of all paused streams take together.
  public var streamCopiesBytesMax = 32 << 20
  /// Different setups for which one database, and each event loop, keeps connections beside those of the reader pool.
  public var setupsPerDatabaseMax = 16
  /// How long a setup that nobody has stays, in case its client comes back; less if memory is short.
  public var setupIdleMs = 30_000
  /// Connections of a reader pool for the sessions of all setups; those without a setup have `readerConnectionsMax`.
  public var setupReaderConnectionsMax = 32
  /// Virtual-machine steps that a read may take on an event loop before it moves to the reader pool.
  public var inlineStepsMax = 2_000
  /// How long an event loop stays with one connection, and with those that were not finished in an earlier turn, before
  /// the others have their turn.
  public var loopTurnMicroseconds = 2_000
  /// The part of an event loop's time for statements that it does not know.
  public var loopNewShapesPercent = 10
  /// How much of that part may be saved, and used at once after a time without new statements.
  public var loopNewShapesSavedMicroseconds = 10_000
  /// How long an event loop may keep its snapshot when nobody has committed since.
  public var inlineSnapshotMs = 5
  /// Virtual-machine steps between two looks at deadline, budget and cancellation. An event loop's reader looks more
  /// often.
  public var progressSteps = 1_000
  /// A read on an event loop that takes longer than this, though in few steps, runs on the reader pool the next time.
  public var inlineMicrosecondsMax = 1_000
  /// A read on an event loop that has not ended by then moves to the reader pool.
  public var inlineStopMicroseconds = 4_000
  /// Bound values that are longer together make a read too heavy for an event loop.
  public var inlineArgumentBytesMax = 64 << 10
  /// A read that meets or makes a longer value moves from an event loop to the reader pool.
  public var inlineValueBytesMax = 128 << 10
  /// Longer trees and SQL texts are read and compiled on other threads than an event loop's.
  public var inlineStatementBytesMax = 8 << 10
  /// Longer lists make a read too heavy for an event loop.
  public var inlineListValuesMax = 256
  /// How long SQLite waits for a lock of another connection; only recovery after a crash holds one.
  public var busyTimeoutMs = 1_000
  /// Reads that wait for a connection of the pool.
  public var readQueueMax = 10_000
  /// Plans that a database keeps. The one that was not used for longest goes for a new one.
  public var plansMax = 4_096
  /// Long statements that wait to be planned.
  public var planQueueMax = 1_000
  /// Trees and SQL text of all cached plans.
  public var planBytesMax = 64 << 20
  /// Compiled statements that a connection keeps. The one that was not used for longest goes for a new one.
  public var statementsPerConnectionMax = 256
  /// What the compiled statements that a connection keeps hold in memory, with the columns of their results. A single
  /// one that is larger is kept until the next.
  public var statementBytesPerConnectionMax = 8 << 20
  /// Writes of a database that wait. One more is refused, or takes the place of one of the session or subject that has
  /// the most.
  public var writeQueueMax = 10_000
  /// Writes that one commit takes together. The others wait for the next one.
  public var groupMembersMax = 512
  /// Bytes that a group of writes, with what it holds until its commit, may have before it commits.
  public var groupBytesMax = 32 << 20
  /// A commit that wrote to more tables than this is reported as one that may have written to every table.
  public var commitTablesMax = 1_000
  /// The log is copied into the file when it has grown to this, and again each time that it has grown by as much.
  public var walCheckpointBytes = 4 << 20
  /// A snapshot is evicted if the log has grown by more since it was taken.
  public var walBytesMax = 256 << 20
  /// The page cache of each pooled reader and of each writer; on a server at most a 64th of its memory budget.
  public var pageCacheBytes = 8 << 20
  /// The page cache of an event loop's reader: one per loop and open database, filled only by pages that are read.
  public var inlinePageCacheBytes = 128 << 20
  /// Writes are refused while less is free where the databases are.
  public var diskFreeBytesMin = 64 << 20
  /// What all statements of the process may have in temporary files together. One statement may have half of it.
  public var temporaryBytesMax = 16 << 30

  /// The page cache of one connection has at most one of this many parts of the memory budget. A server logs it if that
  /// is less than was configured.
  package static let pageCacheBudgetDivisor = 64

  /// A memory budget below this has no room for the largest requests beside anything else.
  package static let memoryBudgetBytesMin = 64 << 20

  /// Without a budget, a wait, a cache or a collection.
  private static let mayBeZero: Set = [
    "memoryBudgetBytes", "shutdownDrainMs", "shutdownCloseMs", "busyTimeoutMs", "pageCacheBytes",
    "inlinePageCacheBytes",
    "functionGroupBytesMax",
  ]

  /// More than any limit needs, so that sums and products of several do not overflow.
  private static let largest = 1 << 50

  public init() {}

  /// Makes what is a part of the budget fit into it.
  public mutating func fit(memoryBudgetBytes budget: Int) {
    memoryBudgetBytes = budget
    inlinePageCacheBytes = min(inlinePageCacheBytes, budget / 8)
    pageCacheBytes = min(pageCacheBytes, budget / Self.pageCacheBudgetDivisor)
    returningBytesMax = min(returningBytesMax, budget / 16)
    groupBytesMax = min(groupBytesMax, budget / 16)
    planBytesMax = min(planBytesMax, budget / 16)
    statementBytesPerConnectionMax = min(statementBytesPerConnectionMax, budget / 64)
    functionGroupBytesMax = min(functionGroupBytesMax, budget / 8)
  }

  /// Temporary files may take half of the free room where they are, and one mebibyte in any case.
  public mutating func fit(freeForTemporaryFiles free: UInt64) {
    temporaryBytesMax = min(temporaryBytesMax, max(1 << 20, Int(clamping: free / 2)))
  }

  /// A sentence about the first number that makes no sense, or the first relation that does not hold; nil if all is
  /// well.
  public func check() -> String? {
    // By reflection, so that a limit that is added later is checked too, before a server starts with it.
    for case (let name?, let number as Int) in Mirror(reflecting: self).children {
      if number < 0 || (number == 0 && !Self.mayBeZero.contains(name)) { return "\(name) must be at least 1" }
      if number > Self.largest { return "\(name) must not exceed \(Self.largest)" }
    }
    let relations: [(Bool, String)] = [
      (frameBeforeHelloBytesMax <= frameBytesMax, "frameBeforeHelloBytesMax must not exceed frameBytesMax"),
      (statementBytesMax < frameBytesMax, "statementBytesMax must be below frameBytesMax"),
      (setupBytesMax < frameBytesMax, "setupBytesMax must be below frameBytesMax"),
      (rowBatchBytes * 2 <= frameBytesMax, "rowBatchBytes must be at most half of frameBytesMax"),
      (
        valueBytesMax + 8 * (resultColumnsMax + 1) <= rowBytesMax,
        "valueBytesMax must leave room for a row of it in frameBytesMax"
      ),
      (creditDefaultBytes <= creditMaxBytes, "creditDefaultBytes must not exceed creditMaxBytes"),
      (rowBatchBytes <= creditDefaultBytes, "rowBatchBytes must not exceed creditDefaultBytes"),
      (
        memoryBudgetBytes == 0 || memoryBudgetBytes >= Self.memoryBudgetBytesMin,
        "memoryBudgetBytes must be at least \(Self.memoryBudgetBytesMin)"
      ),
      (deadlineDefaultMs <= deadlineMaxMs, "deadlineDefaultMs must not exceed deadlineMaxMs"),
      (writeTimeMaxMs <= deadlineMaxMs, "writeTimeMaxMs must not exceed deadlineMaxMs"),
      (writeSliceMs <= longWriteTurnMs, "longWriteTurnMs must not be below writeSliceMs"),
      (longWriteTurnMs <= longWriteTurnMaxMs, "longWriteTurnMs must not exceed longWriteTurnMaxMs"),
      (longWriteTurnMaxMs <= writeTimeMaxMs, "longWriteTurnMaxMs must not exceed writeTimeMaxMs"),
      ((1...100).contains(longWriteSharePercent), "longWriteSharePercent must be 1 to 100"),
      ((1...100).contains(loopNewShapesPercent), "loopNewShapesPercent must be 1 to 100"),
      (
        transactionContendedIdleMinMs <= transactionContendedIdleMs,
        "transactionContendedIdleMinMs must not exceed transactionContendedIdleMs"
      ),
      (transactionIdleMs <= transactionTotalMs, "transactionIdleMs must not exceed transactionTotalMs"),
      (walCheckpointBytes < walBytesMax, "walCheckpointBytes must be below walBytesMax"),
      (heavyReadsMax >= readerThreads, "heavyReadsMax must cover readerThreads"),
      (streamCopyBytesMax <= streamCopiesBytesMax, "streamCopyBytesMax must not exceed streamCopiesBytesMax"),
      (nodesMax >= nestingMax, "nodesMax must be at least nestingMax"),
      (readerConnectionsMax >= readerThreads, "readerConnectionsMax must cover readerThreads"),
      (inlineArgumentBytesMax <= inlineValueBytesMax, "inlineArgumentBytesMax must not exceed inlineValueBytesMax"),
      (rowBatchBytes <= inlineValueBytesMax, "rowBatchBytes must not exceed inlineValueBytesMax"),
      (compileWriteMsMax <= compileMsMax, "compileWriteMsMax must not exceed compileMsMax"),
      (nestingMax <= expressionDepthMax, "nestingMax must not exceed expressionDepthMax"),
      (writeQueueMax >= groupMembersMax, "writeQueueMax must cover groupMembersMax"),
    ]
    return relations.first { !$0.0 }?.1
  }
}
