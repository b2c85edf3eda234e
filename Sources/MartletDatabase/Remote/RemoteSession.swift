#if Client
  import MartletAST
  import MartletValues
  import MartletClient
  import MartletQuery

  /// The statements of one closure at a server.
  ///
  /// Always true: used on the closure's thread; what a statement did is known when it has run to its end.
  final class RemoteSession: StatementHome {
    private let session: BlockingSession
    /// Statements whose results nobody asks for are sent without waiting for their answers.
    private let defersStatements: Bool
    private var openSavepoints = 0
    /// Statements that were sent in this closure.
    private var sentCount = 0
    private var lastInserted: Int64 = 0
    private var changes = 0
    /// The trees of the statements that were sent without waiting, in their order.
    private var deferredTrees: [[UInt8]] = []
    private var totalChanges = 0
    private var tracer: ((TraceEvent) -> Void)?
    /// The transactions that the program's SQL begins, if the library began none.
    private var script = ScriptTransaction()

    init(_ session: BlockingSession, defersStatements: Bool) {
      self.session = session
      self.defersStatements = defersStatements
    }

    // What the last statement did is known when its answer is here. An error is thrown by the next statement.

    var lastInsertRowID: Int64 { settled(\.lastInserted) }
    var changesCount: Int { settled(\.changes) }
    var totalChangesCount: Int { settled(\.totalChanges) }

    private func settled<Value>(_ value: KeyPath<RemoteSession, Value>) -> Value {
      try? settle()
      return self[keyPath: value]
    }

    /// Waits for what was sent without waiting. Throws the error of the first that failed.
    private func settle() throws {
      // Behind the first that failed none is told.
      defer { deferredTrees = [] }
      try session.settle(completedDeferred)
    }

    private func completedDeferred(_ rows: BlockingRows) {
      guard !deferredTrees.isEmpty else { return }
      completed(rows, of: deferredTrees.removeFirst())
    }

    var isInTransaction: Bool { session.isInTransaction || script.status != .none }

    /// The closure has ended. Throws if its SQL left a transaction open, which is undone.
    func endScript() throws {
      guard script.status != .none else { return }
      _ = session.rollBack(because: CancellationError())
      throw RequestError.transactionLeftOpen
    }

    func open(_ statement: SerializedStatement, outlivesCall: Bool) throws -> OpenedRows {
      let isFirst = sentCount == 0 || !session.isInTransaction
      let rows = RemoteRowsOfSession(try startAndSettle(statement), of: self, statement.bytes)
      if isFirst, let rule = session.repeatRule { rows.mayRepeat(statement, number: sentCount, rule) }
      return .batches(rows)
    }

    /// Sends a statement again that failed before anything of it was seen, in a read that begins anew. Nil: others were
    /// sent after it, and may have been seen.
    fileprivate func repeated(_ statement: SerializedStatement, number: Int, after pause: Duration) throws
      -> BlockingRows?
    {
      guard sentCount == number, script.status == .none else { return nil }
      try session.beginAgain(after: pause)
      return try session.start(RemoteStatement(bytes: statement.bytes), statement.parameters)
    }

    func run(_ statement: SerializedStatement) throws {
      let remote = RemoteStatement(bytes: statement.bytes)
      guard mayDefer, !remote.isRead else { return try finish(startAndSettle(statement), remote.bytes) }
      try check(statement)
      try session.sendDeferred(
        remote, statement.parameters, sql: { statement.sql }, completed: completedDeferred)
      deferredTrees.append(remote.bytes)
    }

    private func check(_ statement: SerializedStatement) throws {
      sentCount += 1
      if let failure = statement.failure { throw failure }
      if !isInTransaction { try RemoteDatabase.checkLastWrite(statement) }
      tracer?(.statement(.init(sql: statement.sql)))
    }

    /// Inside of a savepoint the program may catch an error and go on, so there each statement is waited for.
    private var mayDefer: Bool {
      defersStatements && openSavepoints == 0 && script.status == .none && session.canDefer
    }

    /// Sends the statement, then waits for those before it, whose errors come first.
    private func startAndSettle(_ statement: SerializedStatement) throws -> BlockingRows {
      let rows = try start(statement)
      do {
        try settle()
      } catch {
        rows.abandon()
        throw error
      }
      return rows
    }

    func run(script text: String) throws {
      try settle()
      sentCount += 1
      for sql in StatementSplitter.statements(of: text) {
        tracer?(.statement(.init(sql: sql)))
        if !isInTransaction, let function = LastWriteFunction.called(by: sql) {
          throw RequestError.noLastWrite(function)
        }
        let transaction = TransactionStatement(sql)
        if transaction != nil, session.isInTransaction, script.status == .none {
          throw RequestError.transactionSQLInside
        }
        // Nothing is to be decided if the script has no transaction and the statement begins none.
        guard transaction != nil || script.status != .none else {
          let statement = RemoteStatement.sql(sql)
          try finish(session.start(statement, []), statement.bytes)
          continue
        }
        try perform(transaction, isQuery: SQLTokens.looksLikeQuery(sql)) {
          let statement = RemoteStatement.sql(sql)
          try finish(session.start(statement, []), statement.bytes)
        }
      }
    }

    private func start(_ statement: SerializedStatement) throws -> BlockingRows {
      try check(statement)
      let remote = RemoteStatement(bytes: statement.bytes)
      guard script.status != .none else { return try session.start(remote, statement.parameters) }
      var rows: BlockingRows?
      try perform(nil, isQuery: remote.isRead) { rows = try session.start(remote, statement.parameters) }
      guard let rows else { throw CancellationError() }
      return rows
    }

    /// Carries out what a statement means to the transactions of the program's SQL.
    private func perform(_ statement: TransactionStatement?, isQuery: Bool, _ body: () throws -> Void) throws {
      var action = script.statementArrived(statement, isQuery: isQuery)
      var cause: (any Error)?
      while true {
        switch action {
        case .finished: return leaveWhatEnded()
        case .refuse(let error):
          leaveWhatEnded()
          throw error
        case .fail:
          leaveWhatEnded()
          throw cause ?? CancellationError()
        default:
          do {
            action = script.succeeded(sequence: try perform(action, body))
          } catch {
            if action != .probe || cause == nil { cause = error }
            action = script.failed(ScriptSession.failure(error))
          }
        }
      }
    }

    private func perform(_ action: ScriptTransaction.Action, _ body: () throws -> Void) throws -> UInt64 {
      switch action {
      case .begin(let mode): return try session.beginAndWait(mode)
      case .savepoint(let action, let number): try session.savepoint(action, number)
      case .commit: try session.finish()
      case .rollBack: _ = session.rollBack(because: CancellationError())
      case .run: try body()
      case .probe: try session.probe()
      case .finished, .refuse, .fail: break
      }
      return 0
    }

    /// Gives back the connection of a transaction that is over.
    private func leaveWhatEnded() {
      if script.status != .open, session.isInTransaction { _ = session.rollBack(because: CancellationError()) }
    }

    private func finish(_ rows: BlockingRows, _ tree: [UInt8]) throws {
      while try rows.next() != nil {}
      completed(rows, of: tree)
    }

    /// - Parameter tree: the statement's, serialized.
    func completed(_ rows: BlockingRows, of tree: [UInt8]) {
      guard let completion = rows.completion else { return }
      if completion.lastInsertRowID != 0 { lastInserted = completion.lastInsertRowID }
      let changed = Int(clamping: completion.rowsChanged)
      if changed != 0 || RemoteStatement.countsChanges(tree) { changes = changed }
      // A server may say any number.
      totalChanges &+= changed
    }

    /// The reason for rolling back a transaction in which nothing failed.
    private struct Undone: Error {}

    func inTransaction<T>(_ body: () throws -> T, isUndone: (T) -> Bool) throws -> T {
      try session.begin(.write)
      openSavepoints = 0
      deferredTrees = []
      do {
        let result = try body()
        if isUndone(result) { _ = session.rollBack(because: Undone()) } else { try session.finish() }
        return result
      } catch {
        throw session.rollBack(because: error)
      }
    }

    func savepoint(_ action: SavepointAction, depth: Int) throws {
      if script.status != .none {
        return try perform(nil, isQuery: false) { try session.savepoint(action, UInt32(clamping: depth)) }
      }
      try settle()
      try session.savepoint(action, UInt32(clamping: depth))
      switch action {
      case .set: openSavepoints += 1
      case .release: openSavepoints -= 1
      case .rollBackTo: break
      }
    }

    func add(_ function: any DatabaseFunction) throws {
      throw RequestError.notCallableByServer("function", function.name)
    }
    func remove(_ function: any DatabaseFunction) throws {
      throw RequestError.notCallableByServer("function", function.name)
    }

    /// Only starts can be told: a statement may be sent and answered with others, and its end is the server's.
    func trace(_ options: TracingOptions, _ hook: ((TraceEvent) -> Void)?) { tracer = hook }
  }

  /// The batches of one statement, whose end tells the session what it did.
  private final class RemoteRowsOfSession: BatchSource {
    /// A statement that can be sent again, because nobody has seen anything of it yet.
    private struct Repeatable {
      let statement: SerializedStatement
      let number: Int
      var rule: RepeatRule
    }

    private var rows: BlockingRows
    private var unseen: Repeatable?
    private let session: RemoteSession
    /// The session was told what the statement did, which it counts.
    private var isCounted = false
    private let tree: [UInt8]

    init(_ rows: BlockingRows, of session: RemoteSession, _ tree: [UInt8]) {
      self.rows = rows
      self.session = session
      self.tree = tree
    }

    func mayRepeat(_ statement: SerializedStatement, number: Int, _ rule: RepeatRule) {
      unseen = Repeatable(statement: statement, number: number, rule: rule)
    }

    func next() throws -> RowBatch? {
      while true {
        do {
          let batch = try rows.next()
          unseen = nil
          if batch == nil { count() }
          return batch
        } catch {
          guard let again = try repeated(after: error) else { throw error }
          rows = again
        }
      }
    }

    private func repeated(after error: any Error) throws -> BlockingRows? {
      guard let pause = unseen?.rule.pause(afterThrown: error), let unseen else { return nil }
      return try session.repeated(unseen.statement, number: unseen.number, after: pause)
    }

    private func count() {
      guard !isCounted, rows.completion != nil else { return }
      isCounted = true
      session.completed(rows, of: tree)
    }

    var resultColumns: [ResultColumns.Column] { rows.columns.columns }

    func abandon() {
      rows.abandon()
      count()
    }
  }

  extension RemoteStatement {
    /// Whether `changesCount` behind a statement is the number of rows that it changed. As in SQLite, only what writes
    /// rows has such a number: a query, and a statement that makes a table, leave it as it was.
    fileprivate static func countsChanges(_ bytes: [UInt8]) -> Bool {
      guard !mayBeRead(bytes), let tree = try? ASTStatement.read(bytes) else { return false }
      switch tree.kind {
      case .insert, .update, .delete, .with: return true
      case .raw(let raw):
        guard case .sql(let text)? = raw.parts.first?.kind, let word = SQLTokens.firstWord(of: text) else {
          return false
        }
        return ["INSERT", "REPLACE", "UPDATE", "DELETE", "WITH"].contains(word)
      default: return false
      }
    }
  }
#endif
