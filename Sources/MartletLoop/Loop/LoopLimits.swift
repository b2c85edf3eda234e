/// The bounds of an event loop.
enum LoopLimits {
  /// Bytes of stack of a loop's thread, which decodes and compiles statements, as the engine's threads do.
  static let stackBytes = 8 << 20

  /// Threads that libuv starts for what is offloaded, and those that must be there beside them when a server starts.
  static let workers = 4
  static let spareThreads = 2

  /// libuv takes no more from `UV_THREADPOOL_SIZE`.
  static let workersMax = 1_024

  /// Connections that wait with the system until a loop accepts them; the system may have a lower bound.
  static let backlogMax: Int32 = 1_024

  /// How often a socket is asked to listen if another one asks at the same moment, and the longest pause between.
  static let listenAttemptsMax = 10
  static let listenPauseMicrosecondsMax: UInt32 = 10_000

  /// How often the lock of a socket's file is taken anew because its last holder has just removed it.
  static let lockAttemptsMax = 100

  /// Bytes that are written to a socket at once: libuv counts them with 32 bits.
  static let writeBytesMax = 1 << 30

  /// Connections that a listener accepts before the loop's other sockets have their turn.
  static let acceptsPerTurnMax = 64

  /// Bytes that are read of a socket at once.
  static let readBytesMax = 256 << 10
}
