/// What the shell does for its dot commands.
///
/// Always true: what they read of the database they read where the statements of the session run, so inside of an open
/// transaction they show what it has changed.
import MartletAST
import MartletClient

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Shell {
  mutating func obey(_ command: DotCommand) async throws {
    var output = StandardOutput(descriptor: run.descriptor)
    switch command {
    case .quit: break
    case .help: output.write(DotCommand.list + "\n")
    case .mode(let format): run.format = format
    case .timer(let isOn): showsTime = isOn
    case .headers(let isOn): run.hasHeaders = isOn
    case .width(let widths): run.widths = widths
    case .pager(let command): try setPager(command)
    case .explain(let isTree): run.drawsPlans = isTree
    case .databases: output.write(try await databases())
    case .connect(let name): try await connect(to: name)
    case .expanded: run.format = run.format == .line ? .table : .line
    case .tables(let pattern): output.write(SchemaListing.tables(try await entries(), pattern: pattern))
    case .indexes(let table): output.write(SchemaListing.indexes(try await entries(), table: table))
    case .schema(let table):
      let text = SchemaListing.schema(try await entries(), table: table)
      if let table, text.isEmpty { throw CommandFailure("There is no table \(CellText.escaped(table)).") }
      output.write(text)
    case .output(let path): try redirect(to: path)
    case .read(let path): try await read(path)
    case .dump(let table): try await dump(table, to: run.descriptor)
    case .backup(let path): try await backUp(to: path)
    case .importFile(let path, let table): try await importFile(path, into: table)
    }
    try output.flush()
  }

  private func entries() async throws -> [SchemaListing.Entry] {
    try await session.query { try await SchemaListing.entries(of: $0) }
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
      throw CommandFailure("less is not installed: install it, or name another with .pager COMMAND.")
    }
    run.pager = chosen
  }

  private mutating func redirect(to path: String?) throws {
    if run.descriptor != STDOUT_FILENO { close(run.descriptor) }
    run.descriptor = STDOUT_FILENO
    guard let path else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure("The file \(path) cannot be written: \(String(cString: strerror(errno))).")
    }
    run.descriptor = descriptor
  }

  private mutating func read(_ path: String) async throws {
    guard depth < Self.depthMax else {
      throw CommandFailure("Files are read from files more than \(Self.depthMax) deep; \(path) may read itself.")
    }
    var pieces = SpooledLines(pieces: try FilePieces(path))
    var script = Shell(script: self)
    try await script.runScript { try pieces.next() }
  }

  private func dump(_ table: String?, to descriptor: Int32) async throws {
    try await session.query { executor in
      let schema = try await SchemaReader(source: RemoteSchemaSource(executor: AnyExecutor(executor))).read()
      try await SQLDump(schema: schema, table: table, descriptor: descriptor).write(from: executor)
    }
  }

  private func backUp(to path: String) async throws {
    let report = try await SQLiteExport(database, to: path).run()
    StandardOutput.complain("\(report.summary) copied to \(path).\n")
  }

  private func importFile(_ path: String, into table: String) async throws {
    guard await session.status == .none else {
      throw CommandFailure("An import is a transaction of its own: COMMIT or ROLLBACK first.")
    }
    let isThere = try await entries().contains { $0.name.lowercased() == table.lowercased() && $0.type == "table" }
    let report = try await CSVImport(path, table: table, target: isThere ? .appended : .made, into: database).run()
    StandardOutput.complain("\(report.summary)\n")
  }
}

/// A database or a transaction, whichever it is, where a type is asked for.
struct AnyExecutor: StatementExecutor {
  let runner: StatementRunner

  init(_ executor: any StatementExecutor) { runner = executor.runner }
}
