import MartletClient
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the shell does for its dot commands.
///
/// Always true: what they read of the database they read where the statements of the session run, so inside of an open
/// transaction they show what it has changed.
extension Shell {
  mutating func obey(_ command: DotCommand) async throws {
    var output = StandardOutput(descriptor: run.descriptor)
    switch command {
    case .quit, .exit, .nothing: break
    case .help: output.write(CommandList.text(columns: run.terminalColumns))
    case .print(let text): output.write(text + "\n")
    case .mode(let format, let table):
      run.format = format
      if let table { run.insertTable = table }
    case .timer(let isOn):
      showsTime = isOn ?? !showsTime
      if isOn == nil { answer("Times are \(showsTime ? "shown" : "not shown").") }
    case .headers(let isOn): run.hasHeaders = isOn
    case .nullText(let text): run.nullText = text
    case .width(let widths): run.widths = widths
    case .pager(let command): try setPager(command)
    case .explain(let isTree): run.drawsPlans = isTree
    case .show: output.write(settings())
    case .databases: output.write(try await databases())
    case .connect(let name): try await connect(to: name)
    case .expanded: printLines(run.format != .line)
    case .lines(let isOn): printLines(isOn)
    case .tables(let pattern): output.write(try await tables(like: pattern))
    case .views: output.write(SchemaListing.tables(try await entries(), types: ["view"]))
    case .indexes(let table): output.write(try await indexes(of: table))
    case .version: output.write(try await version())
    case .columns(let table): output.write(try await columns(of: table))
    case .schema(let table): output.write(try await schema(of: table))
    case .output(let path): try redirect(to: path)
    case .once(let path):
      try redirect(to: path)
      endsOutputWithStatement = true
    case .shell(let command): try runHere(command)
    case .read(let path): try await read(path)
    case .dump(let tables): try await dump(tables, to: run.descriptor)
    case .backup(let path): try await backUp(to: path)
    case .importFile(let path, let table, let format): try await importFile(path, into: table, format)
    }
    try run.show(output.buffer)
  }

  /// A value a line, or as it was before.
  private mutating func printLines(_ isOn: Bool) {
    if isOn, run.format != .line { formatBeforeLines = run.format }
    if isOn != (run.format == .line) { run.format = isOn ? .line : formatBeforeLines }
    answer("Rows are printed in mode \(run.format.rawValue).")
  }

  /// What only a person wants to read.
  private func answer(_ sentence: String) {
    if run.isForPerson { StandardOutput.tell(sentence + "\n") }
  }

  private func settings() -> String {
    let settings: [(String, String)] = [
      ("database", "\(database.url)"),
      (".mode", run.format.rawValue),
      (".headers", run.hasHeaders.map { $0 ? "on" : "off" } ?? "as the mode has it"),
      (".nullvalue", run.nullText.map { "'\($0)'" } ?? "as the mode has it"),
      (".explain", run.drawsPlans ? "on" : "off"),
      (".output", run.descriptor == STDOUT_FILENO ? "the terminal" : "a file"),
      (".pager", run.pager ?? "off"),
      (".timer", showsTime ? "on" : "off"),
      (".width", run.widths.isEmpty ? "as much as fits" : run.widths.map(String.init).joined(separator: " ")),
    ]
    return settings.map { name, value in
      name + String(repeating: " ", count: 12 - name.count) + CellText.escaped(value) + "\n"
    }.joined()
  }

  private func schema(of table: String?) async throws -> String {
    let entries = try await entries()
    let table = table.map { SchemaListing.meant(by: $0, entries) }
    let text = SchemaListing.schema(entries, table: table)
    if let table, text.isEmpty { throw unknown(table, entries) }
    // In a file it is SQL, which must stay as it is; a terminal would obey what is in it.
    return run.descriptor == STDOUT_FILENO && StandardOutput.isOutputTerminal ? CellText.escapedLines(text) : text
  }

  private func columns(of table: String) async throws -> String {
    let entries = try await entries()
    let table = SchemaListing.meant(by: table, entries)
    let known = entries.first {
      ["table", "view"].contains($0.type) && $0.name.lowercasedASCII == table.lowercasedASCII
    }
    guard let known else { throw unknown(table, entries) }
    return try await query { try await TableDescription.text(of: known.name, entries, from: $0) }
  }

  private func tables(like pattern: String?) async throws -> String {
    let entries = try await entries()
    let pattern = pattern.map { SchemaListing.meant(by: $0, entries) }
    let tables = SchemaListing.tables(entries, pattern: pattern)
    if tables.isEmpty { answer(pattern == nil ? "There are no tables yet." : "No table or view has such a name.") }
    return tables
  }

  private func indexes(of table: String?) async throws -> String {
    let entries = try await entries()
    let tables = SchemaListing.tableNames(entries)
    let table = table.map { SchemaListing.meant(by: $0, entries) }
    if let table, !tables.contains(where: { $0.lowercasedASCII == table.lowercasedASCII }) {
      throw unknown(table, entries)
    }
    return SchemaListing.indexes(entries, table: table)
  }

  private func version() async throws -> String {
    let library = try await query { try await SchemaListing.libraryVersion(of: $0) }
    return "martlet \(ProgramVersion.text), with SQLite \(library) at the server\n"
  }

  private func unknown(_ table: String, _ entries: [SchemaListing.Entry]) -> CommandFailure {
    CommandFailure.noTable(
      CellText.escaped(table), question: Suggestion.question(table, among: SchemaListing.tableNames(entries)))
  }

  /// A script that somebody else wrote must not run what it likes here.
  private func runHere(_ command: String) throws {
    guard run.isForPerson else { throw CommandFailure.noTerminal }
    let status = system(command)
    guard status == 0 else {
      throw CommandFailure.programEnded(status)
    }
  }

  private func entries() async throws -> [SchemaListing.Entry] {
    try await query { try await SchemaListing.entries(of: $0) }
  }

  private func databases() async throws -> String {
    let here = "This session is on \(database.url).\n"
    do {
      return DatabaseListText.text(try await database.databases()) + here
    } catch let error as RequestError where error.reason == .permission || error.reason == .unsupported {
      return here
    }
  }

  private mutating func setPager(_ command: String?) throws {
    guard let command else { return run.pager = nil }
    let chosen = command.isEmpty ? Pager.command(Pager.environment) : command
    guard let chosen else {
      throw CommandFailure.noPager
    }
    guard Pager.isThere(chosen, Pager.environment) else {
      throw CommandFailure.pagerNotThere(chosen, present: run.pager)
    }
    run.pager = chosen
  }

  mutating func redirect(to path: String?) throws {
    endsOutputWithStatement = false
    if run.descriptor != STDOUT_FILENO { close(run.descriptor) }
    run.descriptor = STDOUT_FILENO
    guard let path else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure.fileUnwritable(path)
    }
    run.descriptor = descriptor
  }

  private mutating func read(_ path: String) async throws {
    guard depth < CommandLimits.readDepthMax else {
      throw CommandFailure.readTooDeep(path, depthMax: CommandLimits.readDepthMax)
    }
    var pieces = SpooledLines(pieces: try FilePieces(path), of: path)
    try await runFile(path) { try pieces.next() }
  }

  // MARK: - What takes long

  private func dump(_ tables: [String], to descriptor: Int32) async throws {
    // What is printed cannot be taken back, so a transaction that was ended is restored before.
    _ = try await entries()
    let session = session
    try await stoppable {
      try await session.query { executor in
        let schema = try await SchemaReader(source: RemoteSchemaSource(executor: AnyExecutor(executor))).read()
        try await SQLDump(schema: schema, wanted: tables, descriptor: descriptor).write(from: executor)
      }
    }
  }

  private func backUp(to path: String) async throws {
    guard await session.status == .none else { throw CommandFailure.backupInTransaction }
    let database = database
    let report = try await stoppable { try await SQLiteExport(database, to: path).run() }
    StandardOutput.complain("\(report.summary) copied to \(path).\n")
    report.tellNotes()
  }

  private func importFile(_ path: String, into table: String, _ format: TextFormat?) async throws {
    guard await session.status == .none else {
      throw CommandFailure.importInTransaction
    }
    let isThere = try await entries().contains {
      $0.type == "table" && $0.name.lowercasedASCII == table.lowercasedASCII
    }
    guard let format = format ?? TextFormat(fileName: path) else {
      // What is in the file says more than its name.
      if let kind = FileKind(ofFile: path) { throw kind.refusal(of: path) }
      throw CommandFailure(TextFormat.unknown(path, say: "--csv, --tsv, --json or --jsonl before it"))
    }
    let database = database
    let report: TransferReport
    do {
      report = try await stoppable {
        try await TextImport(
          format.records(of: path, name: path), of: path, name: path, table: table,
          target: isThere ? .appended : .made, into: database
        ).run()
      }
    } catch is CancellationError {
      throw CommandFailure.interruptedBeforeImport
    }
    StandardOutput.complain("\(report.summary)\n")
    report.tellNotes()
  }

  /// Control-C stops the work, and the shell goes on.
  private func stoppable<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    try await InterruptWatcher.cancelling { try await work() }
  }
}

/// A database or a transaction, whichever it is, if a type is asked for.
struct AnyExecutor: StatementExecutor {
  let runner: RequestRunner

  init(_ executor: any StatementExecutor) { runner = executor.runner }
}
