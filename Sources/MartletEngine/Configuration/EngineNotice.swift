/// What an operator should know: something that the engine met or did by itself.
///
/// Always true: the text is a sentence without its full stop and holds no data of a row.
package struct EngineNotice: Sendable, Equatable {
  /// How much an operator should mind.
  package enum Level: Sendable, Equatable {
    case notice
    case warning
    case error
  }

  package var level: Level
  /// The database that the notice is about; empty if it is about all.
  package var database: String
  package var text: String

  package init(_ level: Level, database: String, _ text: String) {
    self.level = level
    self.database = database
    self.text = text
  }
}
