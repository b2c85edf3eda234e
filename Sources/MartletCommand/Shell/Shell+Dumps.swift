import MartletAST
import MartletClient
import MartletValues

/// What the shell does with a script that begins as a dump does.
///
/// Always true: a dump goes in as a whole or not at all, and not at all if its writer met damage; of what only looked
/// like one every statement runs at the server, in its order, and an error names the line on which its statement
/// begins.
extension Shell {
  mutating func statementArrived(_ sql: String, line: Int) async throws {
    let status = await session.status
    guard !isInteractive, load != nil || status == .none else { return try await execute(sql) }
    switch dump.statementArrived(sql) {
    case .no: try await execute(sql)
    case .perhaps: try hold(sql, line)
    case .statement:
      do {
        try hold(sql, line)
        // The rows are to come to those of a table that is there, so the dump is no whole database.
        if let table = DumpRecognizer.tableMadeIfMissing(sql), await isThere(table) { throw DumpLoad.NotWhole() }
      } catch is DumpLoad.NotWhole {
        try await replayDump()
      }
    case .complete:
      guard let held = load else { return try await execute(sql) }
      load = nil
      dump = DumpRecognizer()
      try await copy(held, endingAt: line)
    case .skipped: break
    case .notAfterAll:
      try await replayDump()
      try await execute(sql)
    }
  }

  /// The dump lacks what its writer could not read. Of another script the line is a comment.
  mutating func damageMet() async throws {
    let status = await session.status
    guard !isInteractive, load != nil || status != .none else { return }
    load = nil
    _ = await session.rollBack()
    // What is left of it must not run on what did not happen, if the script goes on after errors.
    dump.damageMet()
    throw CommandFailure.dumpOfDamagedFile
  }

  private func isThere(_ table: String) async -> Bool {
    let query = ASTStatement.select(["name"], from: .table("sqlite_schema"))
    let rows = try? await self.query { try await $0.fetchAll(RemoteStatement(query)) }
    return (rows ?? []).contains { (try? $0.get(String.self, 0))?.lowercasedASCII == table.lowercasedASCII }
  }

  private mutating func hold(_ sql: String, _ line: Int) throws {
    if load == nil { load = try DumpLoad(firstLine: line) }
    do {
      try load?.append(sql, line: line)
    } catch let failure as CommandFailure {
      // What was held is not run without it, even if the script goes on after errors.
      load = nil
      dump.damageMet()
      throw failure
    }
  }

  private mutating func copy(_ held: DumpLoad, endingAt line: Int) async throws {
    do {
      let report = try await held.copy(into: database)
      StandardOutput.complain("The dump was imported: \(report.summary).\n")
      report.tellNotes()
      hasFaults = hasFaults || !report.faults.isEmpty
    } catch {
      guard let failure = CommandFailure.explaining(error) as? CommandFailure else { throw error }
      // All of it was copied at once, so the statement at fault is not known.
      throw failure.placed(ScriptPlace.of(lines: held.firstLine...max(line, held.firstLine), in: file))
    }
  }

  /// What looked like a dump is a script: its statements run at the server, from the first.
  mutating func replayDump() async throws {
    guard let held = load else { return }
    load = nil
    dump = DumpRecognizer(isOver: true)
    var pieces = try held.spooled()
    while let number = try pieces.next() {
      var statement = ShellInput()
      var items: [ShellInput.Placed] = []
      while items.isEmpty, let line = try pieces.next() { items = statement.lineReceived(line) }
      for placed in items {
        _ = try await perform(ShellInput.Placed(item: placed.item, line: Int(number) ?? placed.line))
      }
    }
  }
}
