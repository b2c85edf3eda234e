/// The loop behind `martlet sql`: items in, statements run, answers printed.
///
/// Always true: a person at a terminal goes on after an error; a script ends at its first one, so that what follows
/// never runs on what did not happen.
import MartletAST
import MartletClient

struct Shell {
  private let isInteractive: Bool
  private var run: StatementRun
  private var showsTime: Bool
  private var input = ShellInput()
  private var history = HistoryFile()

  init(database: RemoteDatabase, format: OutputFormat, isInteractive: Bool) {
    run = StatementRun(database: database, format: format)
    self.isInteractive = isInteractive
    showsTime = isInteractive
  }

  /// Runs what `text` holds, as a script.
  mutating func runScript(_ text: String) async throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      for item in input.lineReceived(String(line)) { _ = try await perform(item) }
    }
    for item in input.inputEnded() { _ = try await perform(item) }
  }

  /// Runs what comes on standard input until its end or `.quit`.
  mutating func runInput() async throws {
    var reader = LineReader(isTerminal: isInteractive)
    if isInteractive {
      history.load()
      StandardOutput.complain("Connected to \(run.database.url). Type .help for help.\n")
    }
    while true {
      let prompt = input.isInsideStatement ? "   ...> " : "martlet> "
      switch try reader.next(prompt: prompt, history: history.lines) {
      case .interrupted: input.interrupted()
      case .ended:
        for item in input.inputEnded() { _ = try await perform(item) }
        return
      case .line(let line):
        if isInteractive { history.append(line) }
        for item in input.lineReceived(line) {
          if try await !perform(item) { return }
        }
      }
    }
  }

  /// False where the shell should end.
  private mutating func perform(_ item: ShellInput.Item) async throws -> Bool {
    if case .command(.quit) = item { return false }
    do {
      try await answer(item)
    } catch {
      let failure = CommandFailure.explaining(error)
      guard isInteractive, let failure = failure as? CommandFailure else { throw failure }
      StandardOutput.complain("Error: \(failure.description)\n")
    }
    return true
  }

  private mutating func answer(_ item: ShellInput.Item) async throws {
    switch item {
    case .complaint(let sentence): throw CommandFailure(sentence)
    case .statement(let sql): try await execute(sql)
    case .command(let command): try await obey(command)
    }
  }

  private func execute(_ sql: String) async throws {
    let start = ContinuousClock.now
    let run = run
    let task = Task { try await run.run(sql) }
    let outcome: StatementRun.Outcome
    do {
      outcome = try await InterruptWatcher.cancelling(task)
    } catch let error as RequestError {
      throw CommandFailure(SQLPosition.describe(error, in: sql))
    }
    guard showsTime else { return }
    let elapsed = ContinuousClock.now - start
    let milliseconds =
      Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) / 1e15
    let what = outcome.rowsRead.map { Count.rows($0) } ?? "\(Count.rows(Int(outcome.rowsChanged))) changed"
    StandardOutput.complain("(\(what), \(BenchReport.fixed(milliseconds, 1)) ms)\n")
  }

  private mutating func obey(_ command: DotCommand) async throws {
    var output = StandardOutput()
    switch command {
    case .quit: break
    case .help: output.write(DotCommand.list + "\n")
    case .mode(let format): run.format = format
    case .timer(let isOn): showsTime = isOn
    case .databases: output.write("\(run.database.url)\n")
    case .tables: output.write(SchemaListing.tables(try await SchemaListing.entries(of: run.database)))
    case .schema(let table):
      let text = SchemaListing.schema(try await SchemaListing.entries(of: run.database), table: table)
      if let table, text.isEmpty { throw CommandFailure("There is no table \(CellText.escaped(table)).") }
      output.write(text)
    case .read(let path):
      let text = try FileText.read(path)
      var script = Shell(database: run.database, format: run.format, isInteractive: false)
      try await script.runScript(text)
    }
    try output.flush()
  }
}
