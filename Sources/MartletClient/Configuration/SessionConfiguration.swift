/// The numbers that a session needs of the configuration.
struct SessionConfiguration: Sendable {
  var database: String
  var client = "martlet-swift"
  var createsDatabase = false
  /// A token that says who asks; empty: none.
  var credential = ""
  /// Serialized statements that the server prepares the session's connections with.
  var setup: [[UInt8]] = []
  var windowBytes = 1 << 20
  var shapesMax = 1_024
  var waitingMax = 10_000
  var replyGraceMs = 1_000

  /// The longest frame that is taken from a server.
  var frameBytesMax = ClientConfiguration.frameBytesMax
}
