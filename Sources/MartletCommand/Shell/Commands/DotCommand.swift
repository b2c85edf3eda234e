/// A line for the shell itself, such as `.tables`.
///
/// Always true: a line that begins with a point is one of these or a sentence that says what is wrong with it; it never
/// reaches the server as SQL.
enum DotCommand: Equatable {
  case backup(path: String)
  case columns(table: String)
  case connect(database: String)
  case databases
  /// None: all tables.
  case dump(tables: [String])
  /// Leaves with a status of the program's.
  case exit(status: Int32)
  /// A value a line, or the mode before that again.
  case expanded
  case explain(isTree: Bool)
  case headers(isOn: Bool)
  case help
  /// Nil: what the file's name says.
  case importFile(path: String, table: String, format: TextFormat? = nil)
  case indexes(table: String?)
  /// A value a line, or the mode before that, whichever it is now.
  case lines(isOn: Bool)
  /// The table that INSERT statements are for.
  case mode(OutputFormat, table: String? = nil)
  case nullText(String)
  /// The rows of the next statement alone.
  case once(path: String)
  /// Nil: back to the terminal.
  case output(path: String?)
  /// A setting of SQLite's shell that says what is so in any case.
  case nothing
  /// Nil: off; an empty text: what the environment names.
  case pager(command: String?)
  case print(String)
  case quit
  case read(path: String)
  case schema(table: String?)
  case shell(command: String)
  case show
  case tables(pattern: String?)
  /// Nil: the other way round.
  case timer(isOn: Bool?)
  case version
  case views
  /// The most cells of each column, from the first; 0 is as many as fit.
  case width([Int])

  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// Without the dot, as Tab completes them.
  static var names: [String] { all.map { String($0.name.dropFirst()) } }

  /// The commands, what they take, and what they do.
  static let all: [(name: String, takes: String, does: String)] = [
    (".backup", "FILE", "copy the database into a SQLite file"),
    (".columns", "TABLE", "a table's columns, and its indexes and what it refers to"),
    (".connect", "DATABASE", "go on with another database of the server"),
    (".databases", "", "the server's databases, and the one that this session is on"),
    (".dump", "[TABLE …]", "the database, or tables whose name is LIKE one of these, as SQL"),
    (".explain", "on|off", "draw EXPLAIN QUERY PLAN as a tree (on) or as rows"),
    (".headers", "on|off", "begin with the names of the columns; list, ascii and quote do not otherwise"),
    (".help", "", "this list"),
    (".import", "FILE TABLE", "copy a CSV, TSV or JSON file into a table, which is made if it does not exist"),
    (".indexes", "[TABLE]", "indexes, or those of one table"),
    (".mode", "MODE", "how rows are printed: \(OutputFormat.names)"),
    (".nullvalue", "TEXT", "what stands for NULL in tables, lines, lists, CSV and TSV"),
    (".once", "FILE", "the rows of the next statement go into a file"),
    (".output", "[FILE]", "where rows go: a file, or the terminal again"),
    (".pager", "on|off|COMMAND", "results that are longer than the screen go through less, or COMMAND"),
    (".print", "TEXT", "print the text"),
    (".quit", "[STATUS]", "leave (so does Control-D), with this exit status"),
    (".read", "FILE", "run the statements of a file"),
    (".schema", "[TABLE]", "the statements that made the tables, or one table"),
    (".shell", "COMMAND", "run a command of this machine"),
    (".show", "", "the settings"),
    (".tables", "[PATTERN]", "tables and views, or those whose name is LIKE the pattern"),
    (".timer", "[on|off]", "the time that each statement took"),
    (".version", "", "the versions of this program and of the server's SQLite"),
    (".views", "", "the views"),
    (".width", "N …", "the most that each column takes in a table; 0 is as much as fits"),
  ]

  /// The command may print something, and is not only a setting for what comes.
  var givesOutput: Bool {
    switch self {
    case .nothing, .explain, .headers, .mode, .nullText, .pager, .timer, .width, .expanded, .lines, .output, .once,
      .connect:
      false
    default: true
    }
  }

  /// Nil if the line is no dot command.
  init?(_ line: String) throws(Failure) {
    let words = Self.words(line)
    guard let first = words.first, first.hasPrefix(".") else { return nil }
    if Self.isSo.contains(words.map { $0.lowercased() }) {
      self = .nothing
      return
    }
    let name = try Self.name(of: first.lowercased().filter { $0 != ";" })
    let arguments = Self.withoutSemicolon(words.dropFirst(), of: name)
    guard let known = Self.all.first(where: { $0.name == name }) else { throw Self.unknown(first) }
    if name == ".shell", !arguments.isEmpty {
      // The command's own quotes are for the shell that runs it.
      self = .shell(command: Self.behindFirstWord(line))
      return
    }
    guard let command = try Self.make(name, arguments) else {
      let takes = known.takes.isEmpty ? "nothing" : known.takes
      let typed = Self.synonyms[first.lowercased()] == nil ? name : first.lowercased()
      throw Failure(description: "\(typed) takes \(takes); .help lists the commands.")
    }
    self = command
  }

  /// What scripts for SQLite's shell ask for at their top, and what is always so here.
  private static let isSo: Set<[String]> = [[".bail", "on"], [".changes", "off"], [".echo", "off"]]

  /// What SQLite's shell calls differently.
  private static let synonyms = [
    ".exit": ".quit", ".header": ".headers", ".index": ".indexes", ".indices": ".indexes", ".save": ".backup",
    ".open": ".connect", ".system": ".shell", ".sh": ".shell",
  ]

  /// The command that a word means: its name, another name for it, or the beginning of one name alone.
  private static func name(of word: String) throws(Failure) -> String {
    if let name = synonyms[word] ?? all.first(where: { $0.name == word })?.name { return name }
    if CommandHint.points[word] != nil { throw unknown(word) }
    // The beginning of one that is not there.
    if !all.contains(where: { $0.name.hasPrefix(word) }), let point = CommandHint.point(begunBy: word) {
      throw unknown(point)
    }
    let begun = all.map(\.name).filter { $0.hasPrefix(word) }
    if word.count > 1, begun.count == 1 { return begun[0] }
    if word.count > 1, begun.count > 1 {
      throw Failure(
        description: "\(word) may be \(begun.dropLast().joined(separator: ", ")) or \(begun[begun.count - 1]).")
    }
    throw unknown(word)
  }

  private static func unknown(_ word: String) -> Failure {
    if let hint = CommandHint.points[word.lowercased()] {
      return Failure(description: "There is no command \(word). \(hint)")
    }
    let names = all.map(\.name)
    return Failure(
      description: "There is no command \(CellText.escaped(word)); .help lists the commands."
        + Suggestion.question(word, among: names))
  }

  private static func make(_ name: String, _ arguments: [String]) throws(Failure) -> DotCommand? {
    switch (name, arguments.first, arguments.count) {
    case (".databases", _, 0): return .databases
    case (".help", _, _): return .help
    case (".quit", nil, 0): return .quit
    case (".quit", let word?, 1):
      guard let status = UInt8(word) else {
        throw Failure(description: "An exit status is a number from 0 to 255, and \(CellText.escaped(word)) is none.")
      }
      return .exit(status: Int32(status))
    case (".backup", let path?, 1): return .backup(path: path)
    case (".pager", let word?, 1...):
      let isOn = arguments.count == 1 ? isOn(word) : nil
      return .pager(command: isOn == false ? nil : isOn == true ? "" : arguments.joined(separator: " "))
    case (".connect", let name?, 1): return .connect(database: name)
    case (".read", let path?, 1): return .read(path: path)
    case (".import", _?, 2...): return try importFile(arguments)
    case (".columns", let table?, 1): return .columns(table: table)
    case (".nullvalue", let text?, 1): return .nullText(text)
    case (".once", let path?, _) where path.hasPrefix("|"), (".output", let path?, _) where path.hasPrefix("|"):
      throw Failure(description: "\(name) \(noProgram)")
    case (".once", let path?, 1): return .once(path: path)
    case (".print", _, _): return .print(arguments.joined(separator: " "))
    case (".show", _, 0): return .show
    case (".views", _, 0): return .views
    case (".timer", nil, 0): return .timer(isOn: nil)
    case (".dump", _, _): return .dump(tables: arguments)
    case (".version", _, 0): return .version
    case (".indexes", let table, 0...1): return .indexes(table: table)
    case (".schema", let table, 0...1): return .schema(table: table)
    case (".tables", let pattern, 0...1): return .tables(pattern: pattern)
    case (".output", let path, 0...1): return .output(path: path == "stdout" || path == "-" ? nil : path)
    case (".mode", nil, 0): throw Failure(description: ".mode takes \(OutputFormat.names).")
    case (".mode", let mode?, 1...2):
      guard let format = OutputFormat(named: mode) else {
        throw Failure(description: ".mode takes \(OutputFormat.names).")
      }
      return arguments.count == 1 || format == .insert ? .mode(format, table: arguments.dropFirst().first) : nil
    case (".explain", let word?, 1): return isOn(word).map { .explain(isTree: $0) }
    case (".headers", let word?, 1): return isOn(word).map { .headers(isOn: $0) }
    case (".timer", let word?, 1): return isOn(word).map { .timer(isOn: $0) }
    case (".width", _, _):
      let widths = arguments.compactMap { Int($0) }.map { min(max(0, $0), 1_000) }
      return widths.count == arguments.count ? .width(widths) : nil
    default: return nil
    }
  }

  /// What is said to `.output |sort` and the like.
  static let noProgram =
    "takes a file, and starts no program: martlet sql URL \"…\" | PROGRAM sends rows to one, and .pager PROGRAM shows "
    + "them through one."

  /// What is said to `.import --skip N`.
  static let noSkip =
    ".import has no --skip: the first line of CSV names the columns, and is no row. To leave out lines before it, as two "
    + "here: tail -n +3 FILE | martlet import URL - --table TABLE."

  /// SQLite's shell has the format before the file's name, or behind the table's.
  private static func importFile(_ arguments: [String]) throws(Failure) -> DotCommand? {
    var names: [String] = []
    var format: TextFormat?
    for word in arguments {
      guard word.hasPrefix("-"), word.count > 1 else {
        names.append(word)
        continue
      }
      let option = word.filter { $0 != "-" }
      if option == "skip" { throw Failure(description: noSkip) }
      guard let named = TextFormat(named: option) else {
        throw Failure(
          description: ".import has no \(CellText.escaped(word)): it takes --csv, --tsv, --json and --jsonl.")
      }
      format = named
    }
    guard names.count == 2 else { return nil }
    return .importFile(path: names[0], table: names[1], format: format)
  }

  private static func isOn(_ word: String) -> Bool? {
    switch word {
    case "on", "1", "yes", "auto": true
    case "off", "0", "no": false
    default: nil
    }
  }

  /// What people end a line with who have typed statements before. Where any text may stand it is part of that.
  private static func withoutSemicolon(_ words: ArraySlice<String>, of name: String) -> [String] {
    var words = Array(words)
    guard ![".print", ".nullvalue", ".pager"].contains(name), let last = words.last, last.hasSuffix(";") else {
      return words
    }
    words.removeLast()
    let rest = last.dropLast()
    return rest.isEmpty ? words : words + [String(rest)]
  }

  /// The line without its first word, and as it stands otherwise.
  static func behindFirstWord(_ line: String) -> String {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    return words.count > 1 ? String(words[1].drop(while: \.isWhitespace)) : ""
  }

  /// What SQLite takes around a name, each with what ends it.
  static let nameQuotes: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]

  /// Words between blanks; quotes keep blanks inside a word, and a doubled one is one, as in SQL.
  static func words(_ line: String, quotes: [Character: Character] = ["\"": "\"", "'": "'"]) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      if let end = quote {
        if character != end || rest.first == end {
          word?.append(character)
          if character == end { rest.removeFirst() }
        } else {
          quote = nil
        }
      } else if let end = quotes[character] {
        quote = end
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
