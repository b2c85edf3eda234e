internal import MartletDatabase
internal import MartletSQLite

/// Transactions and savepoints as closures.
///
/// Always true: an error undoes what its closure did, and comes out.
extension Connection {
  /// When a transaction takes the right to write.
  public enum TransactionMode: String, Sendable {
    /// With its first write. At a server the first statement decides whether it reads or writes.
    case deferred = "DEFERRED"
    /// At once.
    case immediate = "IMMEDIATE"
    /// At once; readers go on, because the database has a write-ahead log.
    case exclusive = "EXCLUSIVE"
  }

  /// Runs `block` in a transaction, and commits it. If it throws, what it did is undone, and its error is thrown.
  /// Throws `Result` if a transaction is open already, and if the commit fails.
  public func transaction(_ mode: TransactionMode = .deferred, block: () throws -> Void) throws {
    try exclusively {
      try call { try $0.run(script: mode == .deferred ? TransactionSQL.begin : TransactionSQL.beginImmediate) }
      do {
        try block()
        try call(writes: true) { try $0.run(script: TransactionSQL.commit) }
      } catch {
        undo()
        throw error
      }
    }
  }

  private func undo() {
    guard isInTransaction else { return }
    // The first error is the one to tell; SQLite may have undone the transaction itself.
    _ = try? call(writes: true) { try $0.run(script: TransactionSQL.rollBack) }
  }

  /// Runs `block` in a savepoint: if it throws, what it did is undone, the transaction around it goes on, and its error
  /// is thrown. Outside of a transaction it is one.
  ///
  /// - Parameter name: for whoever reads the program; SQLite is given a number.
  public func savepoint(_ name: String = "", block: () throws -> Void) throws {
    try exclusively {
      guard isInTransaction else { return try transaction(.deferred, block: block) }
      savepoints += 1
      let number = savepoints
      defer { savepoints -= 1 }
      try call { try $0.savepoint(.set, number: number) }
      do {
        try block()
        try call { try $0.savepoint(.release, number: number) }
      } catch {
        // The first error is the one to tell. If SQLite has undone everything, there is no savepoint left.
        _ = try? call(writes: true) { try $0.savepoint(.rollBackTo, number: number) }
        _ = try? call { try $0.savepoint(.release, number: number) }
        throw error
      }
    }
  }
}
