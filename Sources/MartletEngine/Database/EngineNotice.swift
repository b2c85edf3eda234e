/// Something that an operator should read of, though no request can be told: the engine has no log of its own.
public struct EngineNotice: Sendable, Equatable {
  public enum Level: Sendable, Equatable {
    /// The engine has dealt with it.
    case warning
    /// It goes on until somebody does something.
    case error
  }

  public var level: Level
  public var database: String
  /// A sentence, without data of a client.
  public var text: String

  public init(_ level: Level, database: String, _ text: String) {
    self.level = level
    self.database = database
    self.text = text
  }
}
