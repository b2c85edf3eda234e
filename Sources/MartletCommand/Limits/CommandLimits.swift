/// The bounds of the command line and its shell.
///
/// Always true: each has its unit in its name, or is a count.
enum CommandLimits {
  /// Lines that the shell remembers.
  static let historyLinesMax = 1_000

  /// The longest sequence of bytes that a terminal sends for a key.
  static let keyBytesMax = 16

  /// The longest line that can be typed.
  static let lineCharactersMax = 1 << 20

  /// How long the load tool's connections may take to be greeted.
  static let connectDeadlineMs = 10_000

  /// How long replies may take after the last request was sent.
  static let drainDeadlineMs = 60_000

  /// Connections to the listener of metrics.
  static let metricsConnectionsMax = 64

  /// Rows of a plan that are drawn.
  static let planRowsMax = 10_000

  /// Longer names are not compared: it would take time of the product of both lengths.
  static let comparedNameCharactersMax = 64

  /// How deep files that are read with `.read` may read others.
  static let readDepthMax = 16

  /// The longest record of CSV, or of JSON.
  static let recordBytesMax = 16 << 20

  /// What fits one transaction within the server's limits on its time and on the write-ahead log.
  static let atomicImportBytesMax = 32 << 20

  /// So often an import's transaction is begun if the server ends it before its commit.
  static let importAttemptsMax = 5

  /// Statements that `martlet status` asks for.
  static let statusShapesMax = 200

  /// Sessions that `martlet status` asks for.
  static let statusSessionsMax = 1_000
}
