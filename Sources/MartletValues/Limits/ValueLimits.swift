/// The bounds of values and names that nobody sets.
package enum ValueLimits {
  /// Bytes of the name of a database, a role or a token; as many characters.
  static let nameBytes = 1...64

  /// Bytes of the key of an encrypted file.
  static let keyBytesMax = 4_096

  /// Bytes of the text of a condition on rows, in UTF-8.
  static let rowRuleBytesMax = 4_096

  /// Bytes of a statement's first word that are looked at; no keyword is as long.
  static let wordBytesMax = 64

  /// A longer time counts as one of so many seconds, of which the milliseconds do not overflow.
  static let durationSecondsMax: Int64 = 1 << 40

  /// Rows of one batch, however few bytes they have: a server's batches have fewer by far unless they are made larger
  /// than the default, and what reads one may take 32 bytes for each row.
  package static let batchRowsMax = 1 << 16

  /// Memory that a column keeps for the next batch: more than one of the usual size needs. What a huge row needed
  /// beyond this goes back.
  static let keptColumnBytesMax = 256 << 10
}
