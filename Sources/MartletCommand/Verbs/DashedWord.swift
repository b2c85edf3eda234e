import ArgumentParser

/// A word of a command line with one dash and several letters, as SQLite's shell has its options.
///
/// Always true: no verb has such an option. The parser would take the letters for options of one letter each, and an h
/// among them for the help.
enum DashedWord {
  /// What is wrong with the first such word; nil if there is none. What stands behind `--` is text.
  static func refusal(_ words: [String]) -> CommandFailure? {
    guard let word = words.prefix(while: { $0 != "--" }).first(where: isOne) else { return nil }
    let name = String(word.dropFirst().prefix { $0 != "=" && $0 != ":" })
    if words.first == SQLCommand.configuration.commandName, let hint = ofSQLite(name) {
      return .dashedWord(word, hint)
    }
    return .dashedWord(word, "Options have two dashes, as in --\(CellText.escaped(name)).")
  }

  private static func isOne(_ word: String) -> Bool {
    word.count > 2 && word.first == "-" && word.dropFirst().first?.isLetter == true
  }

  /// What does the same as an option of SQLite's shell, or why there is nothing to do.
  private static func ofSQLite(_ name: String) -> String? {
    if let hint = hints[name] { return hint }
    return OutputFormat(named: name) == nil ? nil : "--format \(name) prints rows so."
  }

  private static let endsAtError = "A script ends at its first error in any case, and --keep-going lets it go on."

  private static let hints = [
    "bail": endsAtError,
    "batch": "What comes on standard input is a script if that is no terminal.",
    "cmd": "Write the command before the statements: martlet sql URL < FILE runs both.",
    "echo": "A script is not repeated; an error names its line.",
    "header": "--headers begins with the names of the columns.",
    "headers": "--headers begins with the names of the columns.",
    "help": "--help explains the verb.",
    "html": "--format markdown is the nearest to HTML.",
    "init": "martlet sql URL < FILE runs a file.",
    "interactive": "Without statements, and at a terminal, the shell opens by itself.",
    "newline": "Lines end as the format has it: --format.",
    "noheader": "--no-headers leaves the names of the columns out.",
    "noheaders": "--no-headers leaves the names of the columns out.",
    "nullvalue": ".nullvalue TEXT, in a script before the statements, says what stands for NULL.",
    "readonly": "A role, or martlet serve --deny, says what a client may not do.",
    "separator": "--format csv, tabs and list have a comma, a tab and a bar between values.",
    "stats": "martlet status URL shows what the server does.",
    "version": "martlet --version prints the version.",
  ]
}
