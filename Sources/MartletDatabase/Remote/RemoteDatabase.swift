#if Client
  import MartletValues
  import MartletClient
  import MartletSQLite

  /// A database at a server: the same calls as those of a file, over connections that are pooled.
  ///
  /// It connects when it is first used. A `read` or `write` is a transaction at the server, whose begin travels with
  /// its first statement; a statement that is given the database itself is one round trip.
  public final class RemoteDatabase: DatabaseWriter {
    let client: DatabaseClient
    /// The options that the database was opened with.
    public let configuration: Configuration
    private let threads = ClosureThreads()
    /// Told of what is written through this object; nobody tells it of what others write.
    let observers = CommitObservers()

    /// `martlet://host:port/database`, `martlet+tls://host:port/database` or `martlet+unix:///path/to.sock?db=name`.
    /// Throws if the URL is none of these, and what `prepareDatabase` throws; nothing is connected yet.
    public init(_ url: String, configuration: Configuration = Configuration()) throws {
      self.configuration = configuration
      var options = ClientConfiguration()
      options.createsDatabase = configuration.remote.createsDatabase
      options.connectionsMax = configuration.remote.maximumConnectionCount
      options.connectTimeout = configuration.remote.connectTimeout
      options.streamDeadline = configuration.remote.statementTimeout
      options.requestDeadline = min(options.requestDeadline, configuration.remote.statementTimeout)
      options.streamWindowBytes = max(DatabaseLimits.windowBytesMin, configuration.remote.windowBytes)
      options.tls = configuration.remote.tls
      options.credential = configuration.remote.credential
      options.recorder = configuration.remote.recorder
      options.allowsCredentialInClear = configuration.remote.allowsCredentialInClear
      options.setup = try SetupRecorder.record(configuration).map { try RemoteStatement($0) }
      if let label = configuration.label { options.clientName = label }
      client = try DatabaseClient(url, configuration: options)
    }

    /// Where the server is, and which of its databases it is: `martlet://host:port/database`.
    public var url: String { "\(client.url)" }

    /// The same as `url`.
    public var path: String { url }

    /// Pings the server, so that a wrong address or database shows at once.
    public func ping() async throws { try await client.ping() }

    /// Closes the connections. What waits or runs fails.
    public func close() async {
      await client.close()
      observers.committed(.everything)
    }

    // MARK: - Closures

    private func run<T>(_ mode: ClosureMode, canceller: RequestCanceller, _ body: (Database) throws -> T) throws -> T {
      try threads.checkOutside()
      let session = BlockingSession(client, canceller: canceller)
      return try threads.run {
        let home = RemoteSession(session, defersStatements: configuration.remote.defersStatements)
        let db = Database(home: home)
        do {
          switch mode {
          case .read: try session.begin(.read)
          case .write: try session.begin(.write)
          case .withoutTransaction: break
          }
          let result = try body(db)
          try db.end()
          try home.endScript()
          try session.finish()
          if mode != .read { observers.committed(.everything) }
          return result
        } catch {
          try? db.end()
          let cause = session.rollBack(because: error)
          let isUnknown = isOutcomeUnknown(cause)
          // Without a transaction the statements before the error are committed.
          if mode == .withoutTransaction || isUnknown { observers.committed(.everything) }
          let isCancelled = canceller.isCancelled && (cause as? RequestError)?.code == .cancelled && !isUnknown
          throw isCancelled ? CancellationError() : cause
        }
      }
    }

    private func run<T: Sendable>(_ mode: ClosureMode, _ body: @escaping @Sendable (Database) throws -> T) async throws
      -> T
    {
      try Task.checkCancellation()
      let canceller = RequestCanceller()
      return try await withTaskCancellationHandler {
        try await ClosureThreads.offload { try self.run(mode, canceller: canceller, body) }
      } onCancel: {
        canceller.cancel()
      }
    }

    public func read<T>(_ body: (Database) throws -> T) throws -> T {
      try run(.read, canceller: RequestCanceller(), body)
    }

    public func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
      try await run(.read, body)
    }

    public func write<T>(_ body: (Database) throws -> T) throws -> T {
      try run(.write, canceller: RequestCanceller(), body)
    }

    public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
      try await run(.write, body)
    }

    @discardableResult
    public func writeWithoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
      try run(.withoutTransaction, canceller: RequestCanceller(), body)
    }

    @discardableResult
    public func writeWithoutTransaction<T: Sendable>(
      _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
      try await run(.withoutTransaction, body)
    }
  }

  extension RemoteDatabase: ObservableDatabase {
    var isEmbedded: Bool { false }

    /// Tells observers of a statement on its own that has run to its end, or may have.
    func ended(_ completion: Completion?) {
      if completion?.rowsChanged != 0 { observers.committed(.everything) }
    }
  }

  /// Whether what failed may have been written all the same.
  private func isOutcomeUnknown(_ error: any Error) -> Bool {
    (error as? RequestError)?.isOutcomeUnknown ?? (error as? ClientError)?.isOutcomeUnknown ?? false
  }
#endif
