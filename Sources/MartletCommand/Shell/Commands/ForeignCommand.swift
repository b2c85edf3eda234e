/// What people type who come from another shell: `exit`, `help`, `\d`, `show tables`.
///
/// Always true: none of them is the beginning of a statement of SQLite's, so nothing that could run is taken away.
enum ForeignCommand {
  enum Meaning: Equatable {
    case command(DotCommand)
    /// What to type in its place.
    case hint(String)
  }

  /// Nil if the line is no such word. Only asked if no statement has begun.
  static func meaning(of line: String) -> Meaning? {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return nil }
    if first.hasPrefix("\\") { return backslash(first.filter { $0 != ";" }, line) }
    let bare = words.joined(separator: " ").lowercased().filter { $0 != ";" }
    switch bare {
    case "exit", "quit", "bye", "exit()", "quit()": return .command(.quit)
    case "help", "?": return .command(.help)
    case "show tables": return .command(.tables(pattern: nil))
    case "show databases": return .command(.databases)
    case "abort": return .hint("ROLLBACK; undoes the transaction.")
    case "notee": return .hint(CommandHint.noTee)
    default: break
    }
    if words.count == 2, first.lowercased() == "tee" { return .hint(CommandHint.noTee) }
    return ofName(line).map(Meaning.command)
  }

  /// A command that ends in a name, in quotes or not.
  private static func ofName(_ line: String) -> DotCommand? {
    var words = DotCommand.words(ended(line), quotes: DotCommand.nameQuotes)
    guard words.count > 1, let name = words.popLast() else { return nil }
    return switch words.joined(separator: " ").lowercased() {
    case "use", "connect": .connect(database: name)
    case "source": .read(path: name)
    case "describe", "desc": .columns(table: name)
    case "show create table": .schema(table: name)
    default: nil
    }
  }

  private static func backslash(_ word: String, _ line: String) -> Meaning {
    let argument = DotCommand.words(ended(line)).dropFirst().first
    if word == "\\.", let argument { return .command(.read(path: argument)) }
    if word == "\\o", let argument, argument.hasPrefix("|") { return .hint("\\o \(DotCommand.noProgram)") }
    let name = DotCommand.words(ended(line), quotes: DotCommand.nameQuotes).dropFirst().first
    if let command = ofTables(word, name) ?? command(word, argument, line) { return .command(command) }
    return .hint(CommandHint.backslash(word))
  }

  /// Without what people end statements with.
  private static func ended(_ line: String) -> String {
    var line = line[...]
    while let last = line.last, last == ";" || last.isWhitespace { line.removeLast() }
    return String(line)
  }

  /// What psql shows of tables, under a name or a pattern.
  private static func ofTables(_ word: String, _ name: String?) -> DotCommand? {
    switch (word, name) {
    case ("\\d", nil), ("\\dt", nil), ("\\dt+", nil): .tables(pattern: nil)
    case ("\\dt", let pattern?), ("\\dt+", let pattern?): .tables(pattern: like(pattern))
    case ("\\dv", _): .views
    case ("\\d", let pattern?) where like(pattern) != pattern: .tables(pattern: like(pattern))
    case ("\\d", let table?): .columns(table: table)
    case ("\\d+", let pattern?) where like(pattern) != pattern: .schema(table: like(pattern))
    case ("\\d+", let table): .schema(table: table)
    case ("\\di", let table): .indexes(table: table)
    case ("\\c", let name?), ("\\connect", let name?): .connect(database: name)
    default: nil
    }
  }

  /// What a command of psql's is called here.
  private static func command(_ word: String, _ argument: String?, _ line: String) -> DotCommand? {
    switch (word, argument) {
    case ("\\q", _): .quit
    case ("\\?", _), ("\\h", _): .help
    case ("\\l", _), ("\\l+", _), ("\\list", _), ("\\conninfo", _), ("\\c", nil), ("\\connect", nil): .databases
    case ("\\x", "on"): .lines(isOn: true)
    // Where psql would look whether the rows fit the terminal: tables fit it here.
    case ("\\x", "off"), ("\\x", "auto"): .lines(isOn: false)
    case ("\\x", _): .expanded
    case ("\\a", _): .mode(.list)
    case ("\\i", let path?), ("\\ir", let path?): .read(path: path)
    case ("\\t", "on"): .headers(isOn: false)
    case ("\\t", "off"): .headers(isOn: true)
    case ("\\o", let path): .output(path: path)
    case ("\\timing", let word): .timer(isOn: word.map { $0 == "on" })
    case ("\\echo", _), ("\\qecho", _): .print(DotCommand.behindFirstWord(line))
    case ("\\!", _?): .shell(command: DotCommand.behindFirstWord(line))
    case ("\\pset", "null"): .nullText(lastWord(of: line, from: 2))
    case ("\\pset", "pager"): .pager(command: lastWord(of: line, from: 2) == "off" ? nil : "")
    default: nil
    }
  }

  /// A pattern of psql's as one of LIKE.
  private static func like(_ pattern: String) -> String {
    pattern.replacing("*", with: "%").replacing("?", with: "_")
  }

  private static func lastWord(of line: String, from index: Int) -> String {
    let words = line.split(whereSeparator: \.isWhitespace)
    return words.count > index ? words[index...].joined(separator: " ").filter { $0 != "'" } : ""
  }
}
