import ArgumentParser
import MartletClient
import MartletValues

/// The loop behind `martlet sql`: items in, statements run, answers printed.
///
/// Always true: a person at a terminal goes on after an error; a script ends at its first one, and the transaction that
/// it had open is undone, so that what follows never runs on what did not happen.
struct Shell {
  private(set) var database: DatabaseClient
  private(set) var session: ScriptSession
  /// What keeps a person's transaction; nil for a script, which does not think.
  private var persons: PersonsTransaction?
  private let security: SecurityOptions
  let isInteractive: Bool
  /// How many files are being read, each from the one before; one that reads itself would never end.
  let depth: Int
  /// A script goes on after an error, and fails in the end.
  private let keepsGoing: Bool
  /// The file that is read, as errors name it; nil for a script without a name.
  let file: String?
  /// The script is one line that was given on the command line, which needs no number.
  private var isOneLine = false
  /// The deadline that `--timeout` stated; nil: none.
  private let deadline: Duration?
  var run: StatementRun
  /// What the rows of a person are printed in again when they are not printed a value a line any more.
  var formatBeforeLines = OutputFormat.table
  var showsTime: Bool
  private var input = ShellInput()
  private var history = HistoryFile()
  /// The lines of the statement that is being typed.
  private var typed: [String] = []
  private var hasFailed = false
  /// What `.exit` said that the program ends with.
  private var exitStatus: Int32 = 0
  /// The file that rows go to is for one statement alone.
  var endsOutputWithStatement = false
  private var hasSaidForeignKeys = false
  /// A dump went in, and something of it does not work.
  var hasFaults = false
  var dump = DumpRecognizer()
  var load: DumpLoad?
  /// For Tab; read anew after statements that may have changed the schema.
  private var words = CompletionWords(commands: DotCommand.names)

  init(
    database: DatabaseClient, security: SecurityOptions, format: OutputFormat, isInteractive: Bool,
    keepsGoing: Bool = false, usesPager: Bool = true, deadline: Duration? = nil
  ) {
    self.database = database
    session = ScriptSession(database)
    self.security = security
    run = StatementRun(session: session, format: format)
    run.isForPerson = isInteractive
    if isInteractive, usesPager { run.pager = Pager.command(Pager.environment) }
    self.isInteractive = isInteractive
    persons = isInteractive ? PersonsTransaction(session) : nil
    self.keepsGoing = keepsGoing
    self.deadline = deadline
    depth = 0
    file = nil
    showsTime = isInteractive
  }

  /// A file that a person or a script runs: its statements run where those before it did.
  init(script shell: Shell, of file: String) {
    self.file = file
    database = shell.database
    session = shell.session
    persons = shell.persons
    security = shell.security
    run = shell.run
    isInteractive = false
    keepsGoing = shell.keepsGoing
    deadline = shell.deadline
    depth = shell.depth + 1
    showsTime = false
  }

  // MARK: - Scripts

  /// Runs what `text` holds, as a script.
  mutating func runScript(_ text: String) async throws {
    // By scalars: a return before a line's end is one character with it.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)[...]
    isOneLine = lines.count == 1
    try await runScript { lines.popFirst().map(String.init) }
  }

  /// Runs a script whose lines `next` gives, nil at the end.
  mutating func runScript(_ next: () throws -> String?) async throws {
    let status = await session.status
    do {
      while let line = try next() {
        for item in input.lineReceived(line) where try await !perform(item) {
          return try await scriptEnded(transactionBefore: status)
        }
      }
      for item in input.inputEnded() where try await !perform(item) { break }
    } catch {
      throw await failed(error, transactionBefore: status)
    }
    try await scriptEnded(transactionBefore: status)
  }

  /// Runs a file's lines as a script of its own. If it had errors, and went on after them, this script does the same;
  /// if it left with a status, everything ends with that.
  mutating func runFile(_ path: String, _ next: () throws -> String?) async throws {
    var script = Shell(script: self, of: path)
    do {
      try await script.runScript(next)
    } catch let code as ExitCode {
      if script.exitStatus != 0 || code == StandardOutput.readerLeft { throw code }
      hasFailed = hasFailed || script.hasFailed
      hasFaults = hasFaults || script.hasFaults
    }
  }

  /// Goes on with another database of the same server; the former one is left only when the new one answers.
  mutating func connect(to name: String) async throws {
    guard await session.status == .none else {
      throw CommandFailure.transactionOpen
    }
    let url: MartletURL
    do { url = try database.url.with(database: name) } catch { throw CommandFailure(error.message) }
    let other = try await DatabaseArgument.connect(
      to: url.description, security: security, createsDatabase: false,
      deadline: deadline)
    await database.close()
    database = other
    session = ScriptSession(other)
    run.session = session
    if isInteractive {
      persons = PersonsTransaction(session)
      StandardOutput.tell("Connected to \(url).\n")
      await readWords()
    }
  }

  /// Undoes the transaction that the script had begun, and says so.
  private func failed(_ error: any Error, transactionBefore: ScriptTransaction.Status) async -> any Error {
    guard transactionBefore == .none, await session.rollBack() else { return error }
    guard let failure = CommandFailure.explaining(error) as? CommandFailure else { return error }
    return failure.followed(by: "\nThe transaction that the script had open was rolled back.")
  }

  private mutating func scriptEnded(transactionBefore: ScriptTransaction.Status = .none) async throws {
    if load != nil { try await replayDump() }
    if transactionBefore == .none, await session.rollBack() {
      throw CommandFailure.scriptEndedInTransaction
    }
    if exitStatus != 0 { throw ExitCode(exitStatus) }
    if hasFailed { throw ExitCode.failure }
    if hasFaults { throw ExitCode(2) }
  }

  // MARK: - Standard input

  /// Runs what comes on standard input until its end or `.quit`.
  mutating func runInput() async throws {
    var reader = LineReader(isTerminal: isInteractive)
    if isInteractive {
      history.load()
      InterruptWatcher.survive()
      StandardOutput.tell("Connected to \(database.url). Type .help for help.\n")
      lookForPager()
      await readWords()
    }
    do {
      while true {
        switch try await nextEvent(&reader) {
        case .interrupted:
          remember(nil)
          input.interrupted()
        case .ended:
          for item in input.inputEnded() where try await !perform(item) { break }
          return try await inputEnded()
        case .line(let line):
          let items = input.lineReceived(line, isInteractive: isInteractive)
          remember(line)
          for item in items where try await !perform(item) {
            return try await inputEnded()
          }
        }
      }
    } catch {
      throw await failed(error, transactionBefore: .none)
    }
  }

  /// A pager that is not there would take the results and show nothing.
  private mutating func lookForPager() {
    guard let pager = run.pager, !Pager.isThere(pager, Pager.environment) else { return }
    run.pager = nil
    StandardOutput.tell("Note: \(CommandFailure.pagerNotThere(pager).description)\n")
  }

  /// A statement is one entry of the history, however many lines it has. Nil: it is given up.
  private mutating func remember(_ line: String?) {
    guard isInteractive else { return }
    if let line { typed.append(line) }
    guard line == nil || !input.isInsideStatement else { return }
    history.append(typed.joined(separator: "\n"))
    typed = []
  }

  private mutating func inputEnded() async throws {
    guard isInteractive else { return try await scriptEnded() }
    if await session.rollBack() { StandardOutput.complain("The open transaction was rolled back.\n") }
    if exitStatus != 0 { throw ExitCode(exitStatus) }
  }

  private func nextEvent(_ reader: inout LineReader) async throws -> LineReader.Event {
    guard isInteractive else { return try reader.next(prompt: "", history: []) }
    let status = await session.status
    let prompt = input.isInsideStatement ? "   ...> " : Self.prompt(status)
    // A person thinks longer than a server waits for a program, so it hears that somebody is still there.
    let session = session
    let watch = Task.detached {
      while status == .open, !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(CommandLimits.stayOpenMs))
        await session.stayOpen()
      }
    }
    let event = Result { try reader.next(prompt: prompt, history: history.lines, words: words) }
    watch.cancel()
    // What it has begun to ask comes to its end before the next statement begins.
    _ = await watch.result
    return try event.get()
  }

  /// Shows that a transaction is open, or that it was lost and waits for ROLLBACK.
  private static func prompt(_ status: ScriptTransaction.Status) -> String {
    switch status {
    case .none: "martlet> "
    case .open: "martlet*> "
    case .lost: "martlet!> "
    }
  }

  // MARK: - Items

  /// False if the shell should end.
  mutating func perform(_ placed: ShellInput.Placed) async throws -> Bool {
    if case .command(.quit) = placed.item { return false }
    if case .command(.exit(let status)) = placed.item {
      exitStatus = status
      return false
    }
    let endsOutput = endsOutputWithStatement && placed.item.givesOutput
    do {
      try await answer(placed)
      if endsOutput { try redirect(to: nil) }
    } catch {
      if endsOutput { try? redirect(to: nil) }
      let failure = CommandFailure.explaining(error)
      guard let failure = failure as? CommandFailure else { throw failure }
      let told = isInteractive || isOneLine ? failure : failure.placed(ScriptPlace.of(line: placed.line, in: file))
      guard isInteractive || keepsGoing else { throw told }
      hasFailed = true
      StandardOutput.tell("Error: \(told.description)\n")
    }
    return true
  }

  private mutating func answer(_ placed: ShellInput.Placed) async throws {
    switch placed.item {
    case .complaint(let sentence): throw CommandFailure(sentence)
    case .note(let sentence): StandardOutput.tell("Note: \(sentence)\n")
    case .damage: try await damageMet()
    case .statement(let sql): try await statementArrived(sql, line: placed.line)
    case .command(let command):
      if load != nil { try await replayDump() }
      try await obey(command)
    }
  }

  // MARK: - Statements

  mutating func execute(_ sql: String) async throws {
    if let pragma = ScriptPragma(sql) { return await skip(pragma) }
    let start = ContinuousClock.now
    let (run, persons) = (run, persons)
    let outcome: StatementRun.Outcome
    do {
      outcome = try await InterruptWatcher.cancelling {
        if let persons { return try await persons.run(sql, by: run) }
        return try await run.run(sql)
      }
    } catch let error as RequestError {
      throw CommandFailure(SQLPosition.describe(error, in: sql, words: words))
    }
    if isInteractive, ["CREATE", "DROP", "ALTER", "ROLLBACK"].contains(SQLTokens.firstWord(of: sql)) {
      await readWords()
    }
    guard showsTime else { return }
    let elapsed = ContinuousClock.now - start - outcome.waited
    let milliseconds =
      Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) / 1e15
    StandardOutput.complain("(\(Self.outcome(outcome, of: sql)), \(BenchReport.fixed(milliseconds, 1)) ms)\n")
  }

  private static func outcome(_ outcome: StatementRun.Outcome, of sql: String) -> String {
    if let rows = outcome.rowsRead { return (outcome.isStopped ? "stopped after " : "") + Count.rows(rows) }
    let changesRows = ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(SQLTokens.firstWord(of: sql))
    return changesRows || outcome.rowsChanged > 0 ? "\(Count.of(outcome.rowsChanged, "row")) changed" : "done"
  }

  /// What cannot be read now is completed without; the statement that comes next says what is wrong.
  private mutating func readWords() async {
    guard await session.status != .lost else { return }
    if var found = try? await query({ try await SchemaListing.words(of: $0) }) {
      let known = words.databases
      found.databases = known.isEmpty ? ((try? await database.databases()) ?? []).map(\.name) : known
      words = found
    }
  }

  /// Runs a query of the shell's own, where the statements of the session run.
  func query<Success: Sendable>(
    _ body: @Sendable (any StatementExecutor) async throws -> Success
  ) async throws -> Success {
    if let persons { return try await persons.query(body) }
    return try await session.query(body)
  }

  private mutating func skip(_ pragma: ScriptPragma) async {
    switch pragma {
    case .skipped(let note?): StandardOutput.tell("Note: \(note)\n")
    case .skipped(nil): break
    case .foreignKeys(let isOn):
      await session.deferForeignKeys(!isOn)
      if !isOn, !hasSaidForeignKeys { StandardOutput.tell("Note: \(ScriptPragma.foreignKeysNote)\n") }
      hasSaidForeignKeys = hasSaidForeignKeys || !isOn
    }
  }
}
