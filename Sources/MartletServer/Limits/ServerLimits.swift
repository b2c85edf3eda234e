/// The bounds of the server that nobody sets; those that an operator or a test sets are in `Limits`.
///
/// Always true: each has its unit in its name, or is a count.
enum ServerLimits {
  /// How often the memory of the process is looked at.
  static let memoryLookMs = 250

  /// Blocks of the allocator from this size on are mapped by themselves and go back to the system when they are freed.
  /// Above a message and what it is read into: a block that each request maps anew costs the system a fault a page.
  static let directBlockBytes = 8 << 20
  /// The same if the process may have few addresses: a free block that stays in an arena is missing elsewhere.
  static let directBlockBytesIfScarce = 1 << 20
  /// Free memory at an arena's end that goes back at once.
  static let arenaEndBytes = 1 << 20

  /// Milliseconds after which a reader that made room for others is opened again at the earliest.
  static let readerPauseMs = 1_000

  /// Lines of one kind that clients can bring about are logged at most so many times in an interval.
  static let noticesMax = 20
  static let noticeIntervalMs = 10_000

  /// How long a loop that could not accept waits before it tries again.
  static let acceptPauseMs = 100

  /// The part of a loop's time that TLS handshakes may take, and what of it they may use at once.
  static let handshakePercent = 50
  static let handshakeSavedMicroseconds = 20_000

  /// What a handshake is believed to take before one has ended.
  static let handshakeNsFirst: UInt64 = 400_000

  /// Turns of the loop for which a session is listened to: in these it reads all that a socket holds, unless that is
  /// tens of thousands of messages.
  static let listenLooksMax = 64

  /// Connections of those that wait for their handshake at which a loop looks at once.
  static let handshakeLooksPerTurnMax = 32

  /// Bytes of one socket that are read before the others have their turn, and bytes that all of those that have more to
  /// read bring in a round of the loop.
  static let readBytesPerTurnMax = 128 << 10
  static let readBytesPerRoundMax = 2 << 20

  /// Frames of one socket that are taken before the others have their turn, if the time for it is not over by then.
  static let framesPerTurnMax = 256

  /// Characters of a statement's SQL, or of its plan, in a line of the log.
  static let loggedCharactersMax = 4_000

  /// Characters of a name of somebody else's that are shown: of a program, a database, a token, a key.
  static let shownNameCharactersMax = 64

  /// How many ports of the system's choice are tried until one is free at both addresses of localhost.
  static let portAttemptsMax = 16

  /// Transactions of a session that ended by themselves and are remembered, so that their statements are told why.
  static let endedTransactionsMax = 16

  /// Bytes that are read of a socket at once while memory is short.
  static let shortReadBytes = 16 << 10

  /// Bytes that a request takes beside its values, here and in the engine.
  static let requestBytesMin = 512

  /// Changes of a session's memory below this are not noted: small requests that come and go one at a time.
  static let notedStepBytes = 2 << 10

  /// Readers of a database, and connections, for which file descriptors are planned in any case.
  static let plannedReadersMin = 4
  static let plannedConnectionsMin = 16

  /// How many blocks of one size a thread keeps. glibc keeps seven of each of 64 sizes for as long as the thread lives,
  /// and no page that holds one goes back to the system: after a storm that was 4 MiB of a server with twenty threads.
  static let cachedBlocksMax = 2
}
