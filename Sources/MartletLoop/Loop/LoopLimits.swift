/// The bounds of an event loop.
enum LoopLimits {
  /// Bytes of stack of a loop's thread, which decodes and compiles statements, as the engine's threads do.
  static let stackBytes = 8 << 20

  /// Connections that a listener accepts before the loop's other sockets have their turn.
  static let acceptsPerTurnMax = 64

  /// Bytes that are read of a socket at once.
  static let readBytesMax = 256 << 10
}
