/// The bounds of the codec that nobody sets.
///
/// Always true: each has its unit in its name, or is a count.
enum WireLimits {
  /// The decoded form may be this many times as large as the message, but never beyond `decodedBytesMax`.
  static let decodedGrowthMax = 8

  /// Messages within one message (steps, conditions, parameters, columns), and fields that are not known. A loop
  /// unpacks them in one go, in a few milliseconds.
  static let partsMax = 1 << 16

  /// The fewest bytes of a message within another: its key and its length.
  static let partBytesMin = 2

  /// The memory of decoded messages begins with a block of this size, which stays. Each further one is twice as large
  /// as the one before, up to the second number, or as large as what must fit into it.
  static let arenaBytesMin = 32 << 10
  static let arenaBlockBytesMax = 1 << 20

  /// A decoder gives back memory beyond this when it holds no beginning of a frame.
  static let keptFrameBytesMax = 16 << 10

  /// A connection's output begins with this much memory.
  static let outputBytesMin = 512

  /// A connection's output gives back memory beyond this when it is empty.
  static let keptOutputBytesMax = 16 << 10

  /// How many blocks of memory for output a loop keeps for its connections.
  static let spareOutputsMax = 8

  /// The largest block that is kept. An output doubles when it grows, so most end below twice the bytes at which a
  /// session is flushed.
  static let spareOutputBytesMax = 512 << 10

  /// The memory that even a small message may take: a NULL has two bytes on the wire, and the size of any value in
  /// memory.
  static let decodedBytesMin = 4 << 20
}
