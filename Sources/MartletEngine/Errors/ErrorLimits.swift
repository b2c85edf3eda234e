/// How much an error may say.
enum ErrorLimits {
  /// How many tables an error of a foreign key names at most. SQLite only says that some key does not hold.
  static let foreignKeyTablesMax = 4
}
