internal import MartletDatabase
internal import MartletSQLite

/// What is done with a file as a whole.
extension Connection {
  /// Opens another file beside this one: its tables are `Table("users", database: schemaName)`. With a key it is an
  /// encrypted one; without one it has the key of this one, and an empty key says that it is not encrypted. Throws
  /// `Result` inside of a transaction, for the wrong key, and at a server, whose databases are apart.
  public func attach(_ location: Location, as schemaName: String, key: String? = nil) throws {
    guard !isRemote, !location.isRemote else {
      throw Result.misuse("A server's databases are apart from each other and from files. Open a connection to each.")
    }
    let needsKey = try key == nil && on { try $0.needsKeyToAttach() }
    guard let key = needsKey ? "" : key else {
      try run(Pragma.attach, location.description, schemaName)
      return
    }
    if !key.isEmpty { try checkKeys(key) }
    try run(Pragma.attachWithKey, location.description, schemaName, key)
  }

  /// Closes a file that was attached. Throws `Result` inside of a transaction.
  public func detach(_ schemaName: String) throws { try run(Pragma.detach, schemaName) }

  /// Writes the file anew without its free pages. Throws `Result` inside of a transaction.
  public func vacuum() throws { try run(Pragma.vacuum) }

  // MARK: - The log

  /// How much of the log a checkpoint moves into the file.
  public enum CheckpointMode: Sendable {
    /// What can be moved without waiting for anybody.
    case passive
    /// All of the log, once nobody writes and everybody reads the newest rows.
    case full
    /// As `full`, and the next commit begins the log anew.
    case restart
    /// As `restart`, and the log's file is cut to nothing.
    case truncate

    fileprivate var mode: MartletSQLite.CheckpointMode {
      switch self {
      case .passive: .passive
      case .full: .full
      case .restart: .restart
      case .truncate: .truncate
      }
    }
  }

  /// What a checkpoint did.
  public struct Checkpoint: Equatable, Sendable {
    /// Pages that the log had.
    public let logPages: Int
    /// Pages of the log that are in the file now.
    public let movedPages: Int
    /// Somebody who reads or writes kept the checkpoint from ending.
    public let isBusy: Bool
  }

  /// Moves pages from the write-ahead log into the file. Throws `Result` inside of a transaction, and at a server,
  /// which does it by itself.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) throws -> Checkpoint {
    let result = try on { try $0.checkpoint(mode.mode) }
    return Checkpoint(logPages: result.framesInLog, movedPages: result.framesDone, isBusy: result.isBusy)
  }

  // MARK: - Copies

  /// Begins a copy of this database over another one. Nothing is copied until `step` is called.
  ///
  /// ```swift
  /// let backup = try db.backup(usingConnection: copy)
  /// try backup.step()
  /// ```
  ///
  /// Throws `Result` if the other connection is in use, and at a server.
  public func backup(
    databaseName: Backup.DatabaseName = .main, usingConnection targetConnection: Connection,
    andDatabaseName targetDatabaseName: Backup.DatabaseName = .main
  ) throws -> Backup {
    try Backup(
      sourceConnection: self, sourceName: databaseName, targetConnection: targetConnection,
      targetName: targetDatabaseName)
  }
}
