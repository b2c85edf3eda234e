internal import MartletEngine
package import MartletSQLite
internal import MartletValues

/// What a program hears of its connection, and what it does with the file as a whole.
///
/// Always true: a server does none of it, and says so.
extension StandingDatabase {
  private static let noChanges = "A server does not tell of changes yet."

  /// Calls `hook` for each row that changes; nil ends it.
  package func onRowChange(_ hook: ((RowChange, _ schema: String, _ table: String, _ rowid: Int64) -> Void)?) throws {
    try file("row changes", Self.noChanges).onRowChange(hook)
  }

  /// Calls `hook` before each commit, which it undoes if it throws; nil ends it.
  package func onCommit(_ hook: (() throws -> Void)?) throws {
    try file("commits", Self.noChanges).onCommit(hook)
  }

  /// Calls `hook` after each transaction that was undone; nil ends it.
  package func onRollback(_ hook: (() -> Void)?) throws {
    try file("rollbacks", Self.noChanges).onRollback(hook)
  }

  /// Asks `hook` whether to wait on for a lock; nil: not at all. At a server deadlines bound a wait.
  package func onBusy(_ hook: ((Int) -> Bool)?) { whenOpen { $0.connection.onBusy(hook) } }

  /// Tells `callback` of each statement; nil ends it.
  package func onStatement(_ callback: ((String) -> Void)?) throws {
    guard isRemote else { return whenOpen { Database(home: $0).trace(callback) } }
    try call { $0.trace(callback) }
  }

  /// Registers a tokenizer of FTS4 and FTS5.
  package func registerTokenizer(_ name: String, _ next: @escaping NextToken) throws {
    let connection = try file("tokenizers", "The tokenizer \(name) is written in Swift in this program.")
    do throws(SQLiteError) {
      try connection.registerTokenizer(name, next)
    } catch {
      throw RequestError.tokenizerNotRegistered(name, error)
    }
  }

  /// Moves pages from the log into the file.
  package func checkpoint(_ mode: CheckpointMode) throws -> CheckpointResult {
    try mapped { try file("checkpoints", "A server makes them by itself.").checkpoint(mode) }
  }

  /// Begins a copy over another database of this process.
  package func backup(
    _ name: String, into target: StandingDatabase, _ targetName: String
  ) throws -> MartletSQLite.Backup {
    let why = "Copy a server's database into a file with `martlet export`."
    let (source, target) = (try file("backups", why), try target.file("backups", why))
    return try mapped { try Backup(of: source, name, into: target, targetName) }
  }

  /// Copies up to `pages` pages, all if it is negative; false when the copy is complete.
  package func step(_ backup: MartletSQLite.Backup, pages: Int) throws -> Bool {
    try mapped { try backup.step(pages: pages, throwsLocks: true) }
  }

  private func file(_ what: String, _ why: String) throws -> MartletSQLite.Connection {
    guard let connection = try opened()?.connection else {
      throw RequestError.onlyOnFiles(what, why)
    }
    return connection
  }

  private func mapped<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw RequestError(error)
    }
  }
}
