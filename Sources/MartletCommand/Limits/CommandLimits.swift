/// The bounds of the command line and its shell.
///
/// Always true: each has its unit in its name, or is a count.
enum CommandLimits {
  /// Columns of the rows that are sent as a list: what a server allows if its operator sets nothing else. Wider rows go
  /// one by one.
  static let listColumnsMax = 512

  /// Lines that the shell remembers.
  static let historyLinesMax = 1_000

  /// The longest sequence of bytes that a terminal sends for a key.
  static let keyBytesMax = 16
  /// Milliseconds in which the rest of such a sequence comes; Escape behind which nothing comes was pressed.
  static let escapeMs: Int32 = 50

  /// The longest line that can be typed.
  static let lineCharactersMax = 1 << 20

  /// How long the load tool's connections may take to be greeted.
  static let connectDeadlineMs = 10_000

  /// Requests of the load tool that may be in flight on one connection. A server has a limit of its own.
  static let pipelineMax = 100

  /// How often the shell tells a server that somebody still thinks about an open transaction: well below the time that
  /// a server waits for a program, which is 5 s unless it was told otherwise.
  static let stayOpenMs = 1_500

  /// How long replies may take after the last request was sent.
  static let drainDeadlineMs = 60_000

  /// Connections to the listener of metrics.
  static let metricsConnectionsMax = 64

  /// Rows of a plan that are drawn.
  static let planRowsMax = 10_000

  /// Levels of a plan that are drawn: more than those of any plan that a person can read.
  static let planDepthMax = 200

  /// Longer names are not compared: it would take time of the product of both lengths.
  static let comparedNameCharactersMax = 64

  /// How deep files that are read with `.read` may read others.
  static let readDepthMax = 16

  /// The longest record of CSV, or of JSON.
  static let recordBytesMax = 16 << 20

  /// What fits one transaction within the server's limits on its time and on the write-ahead log.
  static let atomicImportBytesMax = 32 << 20

  /// How often an import's transaction is begun if the server ends it before its commit.
  static let importAttemptsMax = 5

  /// Statements that `martlet status` asks for.
  static let statusShapesMax = 200

  /// Sessions that `martlet status` asks for.
  static let statusSessionsMax = 1_000

  /// How long a connection to the listener of metrics may take for its one request, and for that and the answer.
  static let metricsRequestSeconds: Int64 = 2
  static let metricsConnectionSeconds: Int64 = 10

  /// How long the listener of metrics may take to close what is open.
  static let metricsCloseMs = 500

  /// How long queries of people, and imports, may run if nothing else is said. The server has a limit of its own.
  static let patienceSeconds = 600

  /// Tables whose columns the shell completes, and how long it asks for those of one.
  static let completedTablesMax = 200
  static let completedTableSeconds = 2

  /// A query that takes longer shows how far it is, and how often that is looked at then.
  static let progressFirstSeconds = 1
  static let progressLookMs = 200

  /// How often it is looked whether the program has stood still after Control-Z, and goes on.
  static let suspendLooksMax = 100
  static let suspendLookMicroseconds: UInt32 = 10_000

  /// How often it is looked whether somebody reads a pipe that is to be written.
  static let readerLookMs = 50

  /// How often at most a line of progress is drawn.
  static let progressIntervalNs: UInt64 = 100_000_000

  /// Bytes of rows that a scan of the load tool may be sent at once, and how many more it is given each time it has had
  /// as many.
  static let scanCreditBytes = 8 << 20
  static let scanCreditStepBytes = 1 << 20

  /// Batches of an import that are on their way at once.
  static let batchesInFlightMax = 3

  /// A batch is sent when it has grown to about this size: well under a frame, and enough to make a commit worth it.
  static let batchBytesMax = 1 << 20
  /// A batch of an import is sent when it has so many rows, however few bytes they are.
  static let batchRowsMax = 20_000

  /// What is read of a file at once, and what is read of a pipe or written to the standard output.
  static let filePieceBytes = 256 << 10
  static let outputPieceBytes = 64 << 10

  /// Rows and bytes by which a table's columns are measured before they are printed.
  static let windowRowsMax = 1_000
  static let windowBytesMax = 1 << 20

  /// Bytes of the log that wait behind those that are being written.
  static let logBytesMax = 1 << 20

  /// How long the end of the process waits for them.
  static let logFlushMs = 1_000

  /// A longer blob shows its first bytes and its size.
  static let blobBytesShownMax = 32

  /// A column that is cut shorter than this says nothing.
  static let cutColumnCellsMin = 8

  /// Words that the shell shows side by side to complete a name.
  static let shownWordsMax = 100

  /// How long a health check waits, and how much of an answer it keeps.
  static let healthProbeSeconds: Int64 = 5
  static let healthProbeBytesMax = 4_096

  /// Rows that point nowhere, and pairs of tables with such rows, that are named.
  static let orphanRowsMax = 3
  static let orphanKindsMax = 5

  /// Damaged pages that `martlet checksums` names.
  static let damagedPagesShownMax = 20

  /// Columns of a file: as many as SQLite takes in one table (SQLITE_MAX_COLUMN with its default, which Debian's
  /// library keeps).
  static let columnsMax = 2_000

  /// The longest name of its own that a certificate has room for.
  static let commonNameCharactersMax = 64

  // MARK: - Files of SQLite and their dumps

  /// The longest value and the longest statement of a file that is read or made here. Nobody else waits for it.
  static let fileValueBytesMax = 1 << 30
  static let fileStatementBytesMax = 16 << 20

  /// How much of a statement of a dump is looked at to see that it inserts values.
  static let recognizedCharactersMax = 64 << 10

  /// How many tokens of a statement that failed are searched for words of other databases.
  static let hintTokensMax = 1_000

  /// How much of the text of an index is looked at to see that it is a unique one.
  static let indexHeadCharacters = 40

  // MARK: - A person's transaction

  /// Statements of a transaction that are remembered so that it can be run again, and bytes of them.
  static let rememberedStatementsMax = 500
  static let rememberedBytesMax = 1 << 20

  /// How often in a row one transaction is begun anew.
  static let transactionAttemptsMax = 3

  /// A longer statement is cut when it is named.
  static let shownStatementCharactersMax = 40

  // MARK: - The load tool

  /// How long a load may run, and on how many connections if its workload is transactions.
  static let loadSecondsMax = 86_400
  static let transactionConnectionsMax = 1_000
}
