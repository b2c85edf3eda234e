/// A line for the shell itself, such as `.tables`.
///
/// Always true: a line that begins with a point is one of these or a sentence that says what is wrong with it; it never
/// reaches the server as SQL.
enum DotCommand: Equatable {
  case backup(path: String)
  case connect(database: String)
  case databases
  case dump(table: String?)
  case expanded
  case explain(isTree: Bool)
  case headers(isOn: Bool)
  case help
  case importFile(path: String, table: String)
  case indexes(table: String?)
  case mode(OutputFormat)
  /// Nil: back to the terminal.
  case output(path: String?)
  /// Nil: off; an empty text: what the environment names.
  case pager(command: String?)
  case quit
  case read(path: String)
  case schema(table: String?)
  case tables(pattern: String?)
  case timer(isOn: Bool)
  /// The most cells of each column, from the first; 0 is as many as fit.
  case width([Int])

  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// The commands, what they take, and what they do.
  static let all: [(name: String, takes: String, does: String)] = [
    (".backup", "FILE", "copy the database into a SQLite file"),
    (".connect", "DATABASE", "go on with another database of the server"),
    (".databases", "", "the server's databases, and the one that this session is on"),
    (".dump", "[TABLE]", "the database, or one table, as SQL"),
    (".explain", "on|off", "draw EXPLAIN QUERY PLAN as a tree (on) or as rows"),
    (".headers", "on|off", "begin CSV and TSV with the names of the columns"),
    (".help", "", "this list"),
    (".import", "FILE TABLE", "copy a CSV file into a table, which is made where it does not exist"),
    (".indexes", "[TABLE]", "indexes, or those of one table"),
    (".mode", OutputFormat.allCases.map(\.rawValue).joined(separator: "|"), "how rows are printed"),
    (".output", "[FILE]", "where rows go: a file, or the terminal again"),
    (".pager", "on|off|COMMAND", "results that are longer than the screen go through less, or COMMAND"),
    (".quit", "", "leave (so does Control-D)"),
    (".read", "FILE", "run the statements of a file"),
    (".schema", "[TABLE]", "the statements that made the tables, or one table"),
    (".tables", "[PATTERN]", "tables and views, or those whose name is LIKE the pattern"),
    (".timer", "on|off", "the time that each statement took"),
    (".width", "N …", "the most that each column takes in a table; 0 is as much as fits"),
  ]

  static let list: String = {
    let width = all.map { $0.name.count + $0.takes.count + 1 }.filter { $0 < 24 }.max() ?? 0
    let lines = all.map { command in
      let left = command.takes.isEmpty ? command.name : "\(command.name) \(command.takes)"
      let padding = left.count > width ? "\n" + String(repeating: " ", count: width) : ""
      return left + padding + String(repeating: " ", count: max(0, width - (padding.isEmpty ? left.count : width)))
        + "  " + command.does
    }
    return lines.joined(separator: "\n") + """

      Statements end with a semicolon and may span lines. Tab completes, the arrow keys edit the line and go back
      through the history, Control-R searches it, Control-C stops a statement.
      """
  }()

  /// Nil where the line is no dot command.
  init?(_ line: String) throws(Failure) {
    let words = Self.words(line)
    guard let first = words.first, first.hasPrefix(".") else { return nil }
    // What SQLite's shell calls differently.
    let synonyms = [
      ".exit": ".quit", ".header": ".headers", ".index": ".indexes", ".indices": ".indexes", ".save": ".backup",
      ".open": ".connect",
    ]
    let name = synonyms[first] ?? first
    let arguments = Array(words.dropFirst())
    guard let known = Self.all.first(where: { $0.name == name }) else {
      throw Failure(description: "There is no command \(first) as it stands; .help lists the commands.")
    }
    guard let command = try Self.make(name, arguments) else {
      let takes = known.takes.isEmpty ? "nothing" : known.takes
      throw Failure(description: "\(first) takes \(takes); .help lists the commands.")
    }
    self = command
  }

  private static func make(_ name: String, _ arguments: [String]) throws(Failure) -> DotCommand? {
    switch (name, arguments.first, arguments.count) {
    case (".databases", _, 0): return .databases
    case (".help", _, _): return .help
    case (".quit", _, _): return .quit
    case (".backup", let path?, 1): return .backup(path: path)
    case (".pager", let word?, 1...):
      let isOn = arguments.count == 1 ? isOn(word) : nil
      return .pager(command: isOn == false ? nil : isOn == true ? "" : arguments.joined(separator: " "))
    case (".connect", let name?, 1): return .connect(database: name)
    case (".read", let path?, 1): return .read(path: path)
    case (".import", let path?, 2): return .importFile(path: path, table: arguments[1])
    case (".dump", let table, 0...1): return .dump(table: table)
    case (".indexes", let table, 0...1): return .indexes(table: table)
    case (".schema", let table, 0...1): return .schema(table: table)
    case (".tables", let pattern, 0...1): return .tables(pattern: pattern)
    case (".output", let path, 0...1): return .output(path: path == "stdout" || path == "-" ? nil : path)
    case (".mode", let mode?, 1):
      // SQLite's names for the two that people use most.
      let format = ["column": OutputFormat.table, "box": .table, "tabs": .tsv][mode] ?? OutputFormat(rawValue: mode)
      guard let format else { throw Failure(description: ".mode takes \(OutputFormat.names).") }
      return .mode(format)
    case (".explain", let word?, 1): return isOn(word).map { .explain(isTree: $0) }
    case (".headers", let word?, 1): return isOn(word).map { .headers(isOn: $0) }
    case (".timer", let word?, 1): return isOn(word).map { .timer(isOn: $0) }
    case (".width", _, _):
      let widths = arguments.compactMap { Int($0) }.map { min(max(0, $0), 1_000) }
      return widths.count == arguments.count ? .width(widths) : nil
    default: return nil
    }
  }

  private static func isOn(_ word: String) -> Bool? {
    switch word {
    case "on", "1", "yes", "auto": true
    case "off", "0", "no": false
    default: nil
    }
  }

  /// Words between blanks; quotes keep blanks inside a word.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let end = quote {
        if character == end { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let complete = word { words.append(complete) }
    return words
  }
}
