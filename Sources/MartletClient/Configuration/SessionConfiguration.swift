internal import MartletValues

/// The numbers that a session needs of the configuration.
struct SessionConfiguration: Sendable {
  var database: String
  var client: String
  var createsDatabase: Bool
  /// A token that says who asks; empty: none.
  var credential = ""
  /// Serialized statements that the server prepares the session's connections with.
  var setup: [[UInt8]]
  var windowBytes: Int
  var shapesMax: Int
  var waitingMax: Int
  var replyGraceMs: Int

  /// The longest frame that is taken from a server.
  var frameBytesMax = ClientConfiguration.frameBytesMax

  init(database: String, _ configuration: ClientConfiguration = ClientConfiguration()) {
    self.database = database
    client = configuration.clientName
    createsDatabase = configuration.createsDatabase
    setup = configuration.setup.map(\.bytes)
    windowBytes = configuration.streamWindowBytes
    shapesMax = configuration.shapesMax
    waitingMax = configuration.waitingMax
    replyGraceMs = configuration.replyGrace.milliseconds
  }
}
