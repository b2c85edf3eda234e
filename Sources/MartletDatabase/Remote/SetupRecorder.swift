#if Client
  import MartletAST
  import MartletValues
  import MartletQuery

  /// Collects what `Configuration.prepareDatabase` does, for a database whose connections are at a server.
  ///
  /// Always true: it runs no statement; what cannot be declared ahead (a query, a function in Swift) is refused with
  /// the reason.
  final class SetupRecorder: StatementHome {
    /// The statements in their order.
    private(set) var statements: [ASTStatement] = []

    let lastInsertRowID: Int64 = 0
    let changesCount = 0
    let totalChangesCount = 0
    let isInTransaction = false

    /// What the configuration's closures declare.
    static func record(_ configuration: Configuration) throws -> [ASTStatement] {
      let recorder = SetupRecorder()
      for preparation in configuration.preparations {
        let db = Database(home: recorder)
        do {
          try preparation(db)
        } catch {
          try? db.end()
          throw error
        }
        try db.end()
      }
      return recorder.statements
    }

    func run(_ statement: SerializedStatement) throws {
      if let failure = statement.failure { throw failure }
      guard statement.parameters.isEmpty else { throw RequestError.notDeclarable("A statement with values") }
      let tree = try ASTStatement.read(statement.bytes)
      switch tree.kind {
      case .createTable, .createView, .createTrigger, .createIndex, .drop, .raw: statements.append(tree)
      default: throw RequestError.notDeclarable("A statement that reads or writes rows")
      }
    }

    func run(script: String) throws {
      for sql in StatementSplitter.statements(of: script) { statements.append(.raw(sql)) }
    }

    func open(_ statement: SerializedStatement, outlivesCall: Bool) throws -> OpenedRows {
      throw RequestError.notDeclarable("A query")
    }

    func inTransaction<T>(_ body: () throws -> T, isUndone: (T) -> Bool) throws -> T {
      throw RequestError.notDeclarable("A transaction")
    }

    func savepoint(_ action: SavepointAction, depth: Int) throws { throw RequestError.notDeclarable("A savepoint") }

    func add(_ function: any DatabaseFunction) throws {
      throw RequestError.notCallableByServer("function", function.name)
    }
    func remove(_ function: any DatabaseFunction) throws {}
    func trace(_ options: TracingOptions, _ hook: ((TraceEvent) -> Void)?) {}
  }
#endif
