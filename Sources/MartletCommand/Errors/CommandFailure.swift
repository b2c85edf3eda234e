import ArgumentParser
import MartletClient
import MartletSQLite
import MartletValues

/// Why a verb could not do what it was asked, as the one sentence that a person reads.
///
/// Always true: every error that reaches a person goes through `explaining`, so that each layer's errors read alike.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
  var description: String
  /// A server's clock ended a transaction that did nothing wrong, and nothing of it was committed.
  private(set) var isEndedTransaction = false
  /// What was written may be there, and may not.
  private(set) var isOutcomeUnknown = false
  /// The command line cannot be understood, whatever there is to run it on.
  private(set) var isOfCommandLine = false
  /// The sentence begins with the place in a script.
  private var isPlaced = false

  init(_ sentence: String, isOfCommandLine: Bool = false) {
    description = sentence
    self.isOfCommandLine = isOfCommandLine
  }

  /// The same with the place in a script before it, such as `line 2: `; a failure that has one keeps it, because that
  /// is the nearer one.
  func placed(_ place: String) -> CommandFailure {
    guard !isPlaced else { return self }
    var failure = self
    failure.description = place + description
    failure.isPlaced = true
    return failure
  }

  /// The same with another sentence behind it.
  func followed(by sentence: String) -> CommandFailure {
    var failure = self
    failure.description += sentence
    return failure
  }

  /// The error as a sentence; `doing` says what was attempted if the error alone does not. `hasTimeout`: the verb
  /// has the option `--timeout`. `hasCreate`: it has `--create`, which makes the database.
  static func explaining(
    _ error: any Error, doing: String = "", hasTimeout: Bool = true, hasCreate: Bool = false
  ) -> any Error {
    let prefix = doing.isEmpty ? "" : doing + ": "
    switch error {
    case is CommandFailure, is ExitCode, is CleanExit, is ValidationError: return error
    case let error as RequestError:
      var failure = CommandFailure(prefix + sentence(error, hasTimeout: hasTimeout, hasCreate: hasCreate))
      failure.isEndedTransaction =
        error.reason == .transactionEnded && error.isRetryable && !error.isOutcomeUnknown
      failure.isOutcomeUnknown = error.isOutcomeUnknown
      return failure
    // The command line is at fault.
    case let error as ClientError where error.code == .invalidURL: return ValidationError(prefix + error.message)
    case let error as InvalidMartletURL: return ValidationError(prefix + error.message)
    case let error as ClientError:
      var failure = CommandFailure(prefix + ShownText.escapedLines(forPeople(error.message)))
      failure.isOutcomeUnknown = error.isOutcomeUnknown
      return failure
    case let error as SQLiteError: return CommandFailure(prefix + ShownText.escapedLines(punctuated(error.message)))
    case is CancellationError: return CommandFailure(prefix + "It was interrupted.")
    default: return CommandFailure(prefix + ShownText.escapedLines(punctuated(String(describing: error))))
    }
  }

  /// The message, and the node at fault if it is part of a tree; SQL text is one node, which says nothing. Names in it
  /// are those of others, who must not steer the reader's terminal.
  static func sentence(_ error: RequestError, hasTimeout: Bool = true, hasCreate: Bool = false) -> String {
    ShownText.escapedLines(words(error, hasTimeout: hasTimeout, hasCreate: hasCreate))
  }

  private static func words(_ error: RequestError, hasTimeout: Bool, hasCreate: Bool) -> String {
    // What a trigger raises are its author's words.
    let message =
      error.constraint == "TRIGGER"
      ? error.message
      : forPeople(punctuated(error.message)).replacing(
        createsDatabase, with: hasCreate ? "--create, or martlet databases create" : "martlet databases create")
    let isOutcomeUnknown = error.isOutcomeUnknown ? " The write may or may not have happened." : ""
    if error.reason == .deadline {
      // If the server's own limit was met, a longer time of the client's would not help.
      let isHelp = hasTimeout && !message.contains("write-time-max")
      return message + isOutcomeUnknown + (isHelp ? " --timeout says how long it may take." : "")
    }
    guard !error.path.isEmpty, !error.path.hasPrefix("raw") else { return message + isOutcomeUnknown }
    return "\(message) (at \(error.path))" + isOutcomeUnknown
  }

  /// The message with what there is on a command line and in the shell, in the place of what a program has.
  private static func forPeople(_ message: String) -> String {
    programsWords.reduce(message) { $0.replacing($1.words, with: $1.here) }
  }

  private static let programsWords: [(words: String, here: String)] = [
    ("(endsSessions)", "(--end-sessions)"),
    ("some tables only, so it may not send SQL text. Send the statement as a tree.", withSomeTables),
    ("Send the statement as a tree.", withoutText),
    (
      "say in the program which one it has (ClientTLS.serverName)",
      "accept just this certificate with --fingerprint"
    ),
    ("(ClientTLS.certificate and key, or --cert and --key)", "(--cert and --key)"),
    (
      "Declare temporary views and triggers in the setup of the session, and use ordinary tables or WITH in place of "
        + "temporary tables.", withoutTemporary
    ),
    (
      "Declare temporary views and triggers in the setup of the session. Use ordinary tables or WITH in place of "
        + "temporary tables.", withoutTemporary
    ),
  ]

  private static let withoutTemporary =
    "Use WITH, or ordinary tables, views and triggers, and drop them when they are not needed any more."

  /// How a program, which has no command line, makes a database that is not there.
  private static let createsDatabase = "martlet databases create, or createsDatabase in a program"

  /// What somebody can do here who may not send SQL text, where a program is told to send trees.
  private static let withoutText =
    "Statements of martlet sql are such text. Without it there are .tables, .schema, .import, and martlet export and "
    + "import of one --table; who may ask pragmas has .columns, .dump and .backup, too."

  /// The same of somebody who may use some tables only, and so may not look at the schema.
  private static let withSomeTables =
    "some tables only, so it may not send SQL text, and not look at the schema. martlet export and import take one "
    + "--table of those that it may use."

  private static func punctuated(_ text: String) -> String {
    guard let last = text.last, !".!?".contains(last) else { return text }
    return text + "."
  }
}
