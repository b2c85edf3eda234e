/// A line for the shell itself, such as `.tables`.
///
/// Always true: a line that begins with a point is one of these or a sentence that says what is wrong with it; it never
/// reaches the server as SQL.
enum DotCommand: Equatable {
  case tables
  case schema(table: String?)
  case databases
  case timer(isOn: Bool)
  case mode(OutputFormat)
  case read(path: String)
  case help
  case quit

  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  static let list = """
    .databases           the database that this session is on
    .help                this list
    .mode table|json|csv how rows are printed
    .quit                leave (so does Control-D)
    .read FILE           run the statements of a file
    .schema [TABLE]      the statements that made the tables, or one table
    .tables              tables and views
    .timer on|off        the time that each statement took
    Statements end with a semicolon and may span lines. Arrow keys edit the line and go back through the history.
    """

  /// Nil where the line is no dot command.
  init?(_ line: String) throws(Failure) {
    let words = Self.words(line)
    guard let first = words.first, first.hasPrefix(".") else { return nil }
    let arguments = words.dropFirst()
    guard arguments.count <= 1 else {
      throw Failure(description: "\(first) takes at most one argument; .help lists the commands.")
    }
    switch (first, arguments.first) {
    case (".tables", nil): self = .tables
    case (".schema", let table): self = .schema(table: table)
    case (".databases", nil): self = .databases
    case (".timer", "on"): self = .timer(isOn: true)
    case (".timer", "off"): self = .timer(isOn: false)
    case (".timer", _): throw Failure(description: ".timer takes on or off.")
    case (".mode", let name):
      guard let format = OutputFormat(rawValue: name ?? "") else {
        throw Failure(description: ".mode takes table, json or csv.")
      }
      self = .mode(format)
    case (".read", let path?): self = .read(path: path)
    case (".read", nil): throw Failure(description: ".read takes the path of a file of statements.")
    case (".help", _): self = .help
    case (".quit", _), (".exit", _): self = .quit
    default: throw Failure(description: "There is no command \(first) as it stands; .help lists the commands.")
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
