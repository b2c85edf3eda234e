import ArgumentParser
import MartletClient

/// `martlet sql`: statements of SQL text against a running server, or a shell.
///
/// Always true: rows are streamed; the exit code is 0 only if every statement succeeded.
struct SQLCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Run SQL text on a database, or open a shell.",
    discussion: """
      With SQL, runs its statements (separated by semicolons) and prints their rows. Without, opens a shell if \
      standard input is a terminal, and otherwise runs the script that comes in. A script ends at its first error, \
      and a transaction that it had open is rolled back; with --keep-going it goes on, and fails in the end.

      BEGIN, COMMIT, ROLLBACK, SAVEPOINT and RELEASE work as in SQLite. A dump (sqlite3 FILE .dump) goes in as a copy \
      of its tables, as import does it.

      In JSON a blob is base64; in CSV it is hexadecimal, NULL is an empty field and an empty text is "".

      EXAMPLES:
        martlet sql martlet://localhost/shop "select * from items limit 10"
        martlet sql martlet://localhost/shop --format json "select count(*) as items from items"
        martlet sql martlet://localhost/shop < schema.sql
        martlet sql martlet://localhost/shop .tables
        sqlite3 shop.sqlite .dump | martlet sql --create martlet://localhost/shop
        martlet sql 'martlet+unix:///run/martlet.sock?db=shop'
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The statements to run, or one of the shell's commands, such as .tables.")
  var sql: String?

  @Option(help: ArgumentHelp("How rows are printed: \(OutputFormat.names).", valueName: "format"))
  var format: OutputFormat = .table

  @Flag(
    inversion: .prefixedNo,
    help: "Begin with the names of the columns, or do not. (default: no in list, ascii and quote, otherwise yes)")
  var headers: Bool?

  @Flag(help: "Make the database if it does not exist.")
  var create = false

  @Flag(help: "In a script, go on after an error; the exit status says that there was one.")
  var keepGoing = false

  @Flag(help: "In the shell, print long results at once and not page by page.")
  var noPager = false

  /// The words of a command line of this verb with a text that begins with a comment behind all others, where the
  /// parser takes it for no option. The name of an option has no blank.
  static func withTextLast(_ words: [String]) -> [String] {
    guard words.first == configuration.commandName, !words.contains("--"),
      let index = words.firstIndex(where: {
        $0.hasPrefix("--") && $0.first { $0.isWhitespace || $0 == "=" } ?? "=" != "="
      })
    else { return words }
    var others = words
    let text = others.remove(at: index)
    return others + ["--", text]
  }

  func run() async throws {
    if sql != nil { try ScriptLines.checkArguments() }
    let isInteractive = sql == nil && StandardOutput.isInputTerminal
    let connected = try await create ? database.connectMaking() : database.connectPresent()
    var shell = Shell(
      database: connected.client, security: database.security, format: format, isInteractive: isInteractive,
      keepsGoing: keepGoing, usesPager: !noPager, deadline: database.deadline)
    shell.run.hasHeaders = headers
    var failure: (any Error)?
    do {
      if let sql { try await shell.runScript(sql) } else { try await shell.runInput() }
    } catch {
      failure = error
    }
    // A person may have gone on with another database.
    if shell.database === connected.client {
      await connected.close(after: failure)
    } else {
      await shell.database.close()
    }
    if let failure { throw CommandFailure.explaining(failure) }
  }
}

extension OutputFormat: ExpressibleByArgument {
  init?(argument: String) { self.init(named: argument) }
}
