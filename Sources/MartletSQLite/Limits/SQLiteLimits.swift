/// The bounds of this module that nobody sets; those of a connection are in its `ConnectionSetup`.
///
/// Always true: each has its unit in its name, or is a count.
package enum SQLiteLimits {
  // MARK: - Looks at time and memory

  /// Pages that are read between two looks at whether the statement may go on.
  static let pagesPerLook = 8

  /// Pages that SQLite may read after it was told to end. Every step but the dropping of a table looks at that before.
  static let pagesToEndMax = 64

  /// Allocations of a compilation between two looks at the clock.
  static let allocationsPerLook = 8
  /// A compilation of fewer allocations is short: a query of a table makes some 30, a join of three 250, and what
  /// SQLite takes a hundred milliseconds for makes thousands.
  static let allocationsOfShortCompilation = 256

  /// A compilation that has taken more of its thread's time is one that others do not wait for.
  static let longCompilationNs: UInt64 = 4_000_000

  /// Steps between two looks of a statement whose steps may take long.
  static let slowLookSteps = 8

  /// Bytes that a function of ours goes through between two looks.
  static let workLookBytes = 4_096

  /// Bytes that a function reads or writes in about the time of one step of the virtual machine.
  static let bytesPerStep = 64

  /// Smaller allocations are counted by thread, and the process hears of what a metered statement gathers of them:
  /// else they are bounded by the number of connections and statements, and a number that all threads share would cost
  /// each read.
  static let countedBytesMin = 4_096

  /// Only larger ones may fail: values, sorters, hash tables of statements. Pages of a cache are smaller, and SQLite
  /// bounds those itself.
  static let refusableBytesMin = 128 << 10

  /// Bytes of blocks below `refusableBytesMin` that any statement may gather, whatever its bound.
  static let freeBlockBytes = 1 << 20

  /// In steps of so many bytes the process hears of the smallest blocks of a statement.
  static let toldBlockBytes = 256 << 10

  /// A schema whose reading took longer had the time of a statement's compilation, which is tried again then.
  static let longSchemaReadingNs: UInt64 = 1_000_000

  // MARK: - Names and statements

  /// Bytes of a compiled statement from which on its operators are counted, which costs as much as compiling it. A
  /// smaller one has no more than some 300.
  static let countedStatementBytesMin = 8 << 10
  /// The same for one that calls functions which read the whole of a value.
  static let countedSlowStatementBytesMin = 2 << 10

  /// Bytes of a compiled statement above which nobody looks how far its failure reaches: what a savepoint costs is
  /// little beside such a statement.
  static let failureStatementBytesMax = 64 << 10

  /// An operator that reads the digits of a text, about 2 ns a byte, in parts; what comparing bytes is of that, and
  /// what copying them.
  static let operatorParts = 16
  static let comparisonParts = 2
  static let copyParts = 1

  /// What comparing is of that with a collation that looks at each letter.
  static let collationParts = 5
  /// What seeking a key is with one: 12 ns a byte in an index of 64 long keys, and 2 without.
  static let collatedSeekParts = 3 * operatorParts
  /// What finding a key's place in an index, taking it away, or comparing it with another is of that.
  static let keyParts = 8
  /// What looking for one more path in a document is of that, if the document's parsed form is kept.
  static let pathParts = 4
  /// What a format of a date is of that, which may ask for a new calculation with each two bytes.
  static let formatParts = 8 * operatorParts
  /// What cutting a text into words is of that, and finding their stems: 14 to 23 ns a byte.
  static let wordParts = 12 * operatorParts

  /// How many times as much the letters by threes take, which are almost as many as the bytes: 400 ns a byte. And each
  /// index of the first letters of words: 80 to 500.
  static let trigramFactor = 20
  static let prefixFactor = 3

  /// What reading JSON is of that: some 24 ns a byte.
  static let jsonParts = 12 * operatorParts

  /// What writing a member of a document is of that, which `json_each` and `json_tree` do for each use of a column.
  static let memberParts = jsonParts / 4
  /// What reading a column of a virtual table is of that, which copies it.
  static let columnParts = 4
  /// What reading a column of a row is of that, if the row fills many pages.
  static let rowColumnParts = 1

  /// Documents whose parsed form SQLite keeps for the next function of the statement.
  static let keptDocumentsMax = 4

  /// Arguments that are looked at if nobody knows how many there are.
  static let unknownArguments = 4
  /// Arguments that a function may have.
  static let argumentsMax = 127

  /// Instructions of a program whose values are followed to columns and parameters.
  static let followedInstructionsMax = 30_000

  /// Columns and parameters whose values one register may hold, as far as they are told apart.
  static let followedOriginsMax = 16

  /// Tables and views of texts that are explained for one statement.
  static let explainedContentsMax = 4

  /// What a statement counts for that SQLite does not explain.
  static let unknownOperators = 4_096

  /// Operators of what SQLite compiles for one token of an ALTER TABLE, at most and as far as it matters.
  static let operatorsPerToken = 4

  /// Registers that one instruction reads, as far as they are followed.
  static let operandsMax = 4_096

  /// Rounds in which the values of a program are followed from register to register.
  static let spreadRoundsMax = 8

  /// A pattern for MATCH that is longer counts for each of its bytes.
  static let patternBytesMax = 256 << 10

  /// Constants and parameters of which a pattern for MATCH is put together.
  static let patternPartsMax = 64

  /// Instructions that are looked at to find where the patterns of a statement come from.
  static let patternLooksMax = 1_000_000

  /// What a full-text table does for one word of a phrase, in parts of what FTS4 does for a word alone.
  static let phraseWordWork = 4

  /// So many words are one of that in any case: each is read, and looked for in a list of columns if it is in braces.
  static let lightWordsPerWork = 256

  /// Letters that came with this version of Unicode, or later, may be unknown to SQLite.
  static let unicodeMajor = 6

  /// Bytes of a constant that is short.
  static let shortConstantBytesMax = 256

  /// How much of a pragma's name an error shows.
  static let shownPragmaCharactersMax = 64

  /// Compiled statements of transactions that a connection keeps: one for each depth of savepoints, and a few more.
  static let transactionStatementsMax = 64

  /// Bytes of an argument of a virtual table. The characters that a tokenizer is told to take or to leave cost the
  /// square of their number, each time a connection first uses the table, and nothing can end that: 130,000 take 2.7 s.
  package static let virtualTableArgumentBytesMax = 4_096

  /// Rows of `sqlite_stat1` and `sqlite_sequence` for each object of the schema: `ANALYZE` puts one there for each
  /// index or table.
  static let internalRowsPerObject = 2
  /// Rows of `sqlite_stat4` for each object of the schema: `ANALYZE` takes so many samples of each index.
  static let samplesPerObject = 24
  /// Bytes of a row of these tables.
  static let internalRowBytes = 256
  /// Bytes that each of these tables may have, however few rows it may have.
  static let internalBytesMin = 1 << 20
  /// The rows are counted again after changes that are one of so many parts of them.
  static let internalTallyDivisor = 64
  /// The rows are counted again after the database has grown by so many pages.
  static let internalTallyPages = 64

  // MARK: - Functions

  /// A comparison with a pattern counts as work if its text is longer.
  static let countedTextBytesMin = 256

  /// Bytes that a row of an aggregate with an order takes beside its values.
  static let sortedRowBytes = 160

  /// Bytes of the steps in which such an aggregate tells the process of its memory.
  static let sortedStepBytes = 256 << 10

  /// Bytes of the steps in which `snippet` tells the process of its memory.
  static let snippetStepBytes = 1 << 20

  /// A deeper text of JSON is malformed, as it is for SQLite.
  static let jsonDepthMax = 2_000

  /// A patch searches an object of fewer nodes one by one.
  static let patchTableNodesMin = 32

  /// Functions of JSON with many paths are there for each number of arguments from this on. Each costs a connection
  /// memory and a moment when it is opened.
  static let manyPathsMin: Int32 = 33

  /// Below this product of two lengths in bytes SQLite's own comparison with a pattern is quicker than ours.
  static let directPatternProductMax = 64 << 10

  // MARK: - Files

  /// Bytes of frames that wait to be written: most commits, and room for the largest page with its header. SQLite's own
  /// file system writes nothing, and says that the disk is full, if it is handed a multiple of 128 KiB.
  package static let frameBufferBytesMax = 120 << 10

  /// Memory of that buffer beyond this, which a large commit took, goes back. The next such commit may be far off.
  static let keptFrameBytesMax = 64 << 10

  /// Frames whose sums are kept: 256 KiB, for a log of 64 MiB of pages of 4,096 bytes. Frames behind them are compared
  /// with their headers.
  package static let frameSumsMax = 16_384

  // MARK: - Parameters, bound rows and columns

  /// The highest number that a parameter may have: SQLite's own bound, which it has unless it is built with another.
  package static let parameterNumberMax = 32_766

  /// Columns `c0`, `c1`, ... of `martlet_rows`.
  static let rowsColumnsMax = 512

  /// Rows that the planner presumes in a list that it has not seen.
  static let presumedRows: Int64 = 100

  /// A query is tried out with tables that have its words as columns, if it has no more of them.
  static let columnsTriedMax = 500
}
