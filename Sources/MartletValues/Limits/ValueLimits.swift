/// The bounds of values and names that nobody sets.
enum ValueLimits {
  /// Bytes of the name of a database, a role or a token; as many characters.
  static let nameBytes = 1...64

  /// Bytes of the key of an encrypted file.
  static let keyBytesMax = 4_096

  /// Memory that a column keeps for the next batch: more than one of the usual size needs. What a huge row needed
  /// beyond this goes back.
  static let keptColumnBytesMax = 256 << 10
}
