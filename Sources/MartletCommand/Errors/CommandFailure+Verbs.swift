/// What a verb cannot do with what it was told on the command line, and what a command of the shell cannot do.
///
/// Always true: a condition has one member, whoever meets it. Names come escaped, as a terminal may show them.
extension CommandFailure {
  static func noVerb(_ name: String, among names: [String]) -> CommandFailure {
    CommandFailure(
      "There is no command '\(CellText.escaped(name))'.\(Suggestion.question(name, among: names))",
      isOfCommandLine: true)
  }

  static func dashedWord(_ word: String, _ hint: String) -> CommandFailure {
    CommandFailure("There is no option \(CellText.escaped(word)). \(hint)", isOfCommandLine: true)
  }

  static let tlsOptionsWithoutTLS = CommandFailure(
    "--ca, --cert, --key and --fingerprint are for TLS. Write the URL as martlet+tls://HOST/NAME.",
    isOfCommandLine: true)

  static let fingerprintNotForLoad = CommandFailure(
    "--fingerprint is for tpcb. For the others give the authority's file with --ca.", isOfCommandLine: true)

  static let noDatabaseInURL = CommandFailure(
    "Name the database in the URL: martlet://HOST:PORT/NAME, or martlet+unix:///PATH.sock?db=NAME.",
    isOfCommandLine: true)

  /// What may stand behind a sentence about the form of a URL.
  static func didYouMean(url: String) -> String { " Did you mean \(CellText.escaped(url))?" }

  /// Somebody has named a file, as SQLite's own shell takes it.
  static func fileForURL(_ path: String) -> String {
    " \(CellText.escaped(path)) names a file. martlet serve --data FOLDER serves the files of a folder, NAME.sqlite as "
      + "martlet://localhost/NAME; martlet import URL FILE copies one into a database."
  }

  static func portOutOfRange(_ port: Int) -> CommandFailure { CommandFailure("The port \(port) is out of range.") }

  static func unknownHost(_ host: String) -> CommandFailure { CommandFailure("The host \(host) is not known here.") }

  static func metricsAddressTaken(_ address: String) -> CommandFailure {
    CommandFailure(
      "The server cannot listen at \(address) for metrics: another program listens there, maybe another Martlet "
        + "server. Stop it, or choose another address.")
  }

  /// `words` are the system's.
  static func metricsNotServed(at address: String, _ words: String) -> CommandFailure {
    CommandFailure("The server cannot listen at \(address) for metrics (\(words)). Choose another address.")
  }

  /// `names` are those that this client may open.
  static func noDatabase(_ name: String, among names: [String]) -> CommandFailure {
    CommandFailure(
      "There is no database called \(name) here that this client may open. martlet databases URL lists those that "
        + "are.\(Suggestion.question(name, among: names))")
  }

  static let dropNotConfirmed = CommandFailure("Dropping cannot be undone. Say --yes if nobody can be asked.")

  static let otherName = CommandFailure("That is not its name; nothing was dropped.")

  static func claimTwice(_ name: String) -> CommandFailure {
    CommandFailure("--claim names '\(name)' twice. Give it one value.", isOfCommandLine: true)
  }

  static func tokenNotPrinted(_ id: String, isRevoked: Bool) -> CommandFailure {
    CommandFailure(
      "The token could not be printed, and is shown only once. "
        + (isRevoked ? "None was made." : "Revoke it: its id is \(id)."))
  }

  static let tokenExpired = CommandFailure("A token that has expired already is of no use. Name a later day.")
}

// MARK: - The shell

extension CommandFailure {
  static let noTerminal = CommandFailure(".shell works at a terminal only.")

  static func programEnded(_ status: Int32) -> CommandFailure {
    CommandFailure(
      status > 0 && status & 0x7F == 0 ? "The command ended with \((status >> 8) & 0xFF)." : "The command was ended.")
  }

  static let noPager = CommandFailure("less is not installed. Install it, or name another with .pager COMMAND.")

  /// `present`: the pager that stays; nil: there is none.
  static func pagerNotThere(_ command: String, present: String? = nil) -> CommandFailure {
    let rest = present.map { "the pager stays \(CellText.escaped($0))" } ?? "results are printed at once"
    return CommandFailure(
      "The pager \(CellText.escaped(command)) is not there, so \(rest). Name another with .pager COMMAND, or in PAGER.")
  }

  static func readTooDeep(_ path: String, depthMax: Int) -> CommandFailure {
    CommandFailure("Files are read from files more than \(depthMax) deep; \(path) may read itself.")
  }

  static let importInTransaction = CommandFailure(
    "An import is a transaction of its own. COMMIT or ROLLBACK first.")

  static let backupInTransaction = CommandFailure(
    "A copy has what is committed, without the changes of the open transaction. COMMIT or ROLLBACK first.")

  static let transactionOpen = CommandFailure("A transaction is open. COMMIT or ROLLBACK first.")

  static let dumpOfDamagedFile = CommandFailure(
    "SQLite's shell met damage in the file while it wrote this dump, so rows are missing from it, and nothing of it is "
      + "kept. Use a backup of the file, or save what can be read with sqlite3 FILE .recover | sqlite3 NEW and import "
      + "NEW.")

  static let scriptEndedInTransaction = CommandFailure(
    "The script ended inside of a transaction, so it was rolled back. End it with COMMIT.")
}
