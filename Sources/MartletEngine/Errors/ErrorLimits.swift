/// How much an error may say.
enum ErrorLimits {
  /// Tables that an error of a foreign key names at most, where SQLite only says that some key does not hold.
  static let foreignKeyTablesMax = 4
}
