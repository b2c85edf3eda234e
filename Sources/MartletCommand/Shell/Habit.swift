/// What people type who come from another shell: `exit`, `help`, `\d`, `show tables`.
///
/// Always true: none of them is the beginning of a statement of SQLite's, so nothing that could run is taken away.
enum Habit {
  enum Meaning: Equatable {
    case command(DotCommand)
    /// What to type in its place.
    case hint(String)
  }

  /// Nil where the line is no such word. Only asked where no statement has begun.
  static func meaning(of line: String) -> Meaning? {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return nil }
    if first.hasPrefix("\\") { return backslash(first, words.dropFirst().first, line) }
    let bare = words.joined(separator: " ").lowercased().filter { $0 != ";" }
    switch bare {
    case "exit", "quit", "bye": return .command(.quit)
    case "help", "?": return .command(.help)
    case "show tables": return .command(.tables(pattern: nil))
    case "show databases": return .command(.databases)
    default: break
    }
    if words.count == 2, first.lowercased() == "use" {
      return .command(.connect(database: words[1].filter { $0 != ";" }))
    }
    if words.count == 2, ["describe", "desc"].contains(first.lowercased()) {
      return .command(.schema(table: words[1].filter { $0 != ";" }))
    }
    return nil
  }

  private static func backslash(_ word: String, _ argument: String?, _ line: String) -> Meaning {
    switch (word, argument) {
    case ("\\q", _): .command(.quit)
    case ("\\?", _), ("\\h", _): .command(.help)
    case ("\\d", nil), ("\\dt", nil), ("\\dv", nil): .command(.tables(pattern: nil))
    case ("\\d", let table?), ("\\d+", let table?): .command(.schema(table: table))
    case ("\\di", let table): .command(.indexes(table: table))
    case ("\\l", _), ("\\conninfo", _): .command(.databases)
    case ("\\c", let name?), ("\\connect", let name?): .command(.connect(database: name))
    case ("\\x", _): .command(.expanded)
    case ("\\a", _): .command(.mode(.table))
    case ("\\i", let path?): .command(.read(path: path))
    case ("\\o", let path): .command(.output(path: path))
    case ("\\timing", _): .command(.timer(isOn: true))
    default: .hint("Commands begin with a point here: .tables, .schema, .help.")
    }
  }
}
