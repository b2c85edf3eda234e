import MartletAST
public import MartletQuery
import MartletValues

/// A connection for as long as a closure runs: `{ db in try Reminder.all.fetchAll(db) }`.
///
/// Always true: it works until its closure ends and throws afterwards. It is used on the thread that the closure runs
/// on, so it is not `Sendable`.
public final class Database {
  @usableFromInline var home: (any StatementHome)?
  private var savepoints = 0
  private var deferredFailure: (any Error)?

  init(home: any StatementHome) { self.home = home }

  /// The closure has ended. Throws what could not be thrown where it happened.
  func end() throws {
    home = nil
    if let deferredFailure { throw deferredFailure }
  }

  @usableFromInline
  func openHome() throws -> any StatementHome {
    if let deferredFailure { throw deferredFailure }
    guard let home else { throw RequestError.closureEnded }
    return home
  }

  @usableFromInline
  func checkOpen() throws {
    if home == nil { throw RequestError.closureEnded }
  }

  // MARK: - What the last statement did

  /// The rowid of the row that was inserted last.
  public var lastInsertRowID: Int64 { home?.lastInsertRowID ?? 0 }

  /// The rowid of the row that was inserted last, as GRDB spells it.
  public var lastInsertedRowID: Int64 { lastInsertRowID }

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  public var changesCount: Int { home?.changesCount ?? 0 }

  /// How many rows all statements changed since the connection was opened (at a server: in this transaction).
  public var totalChangesCount: Int { home?.totalChangesCount ?? 0 }

  /// Whether a transaction is open, as it is in `read` and `write`.
  public var isInsideTransaction: Bool { home?.isInTransaction ?? false }

  // MARK: - SQL

  /// Runs a statement of SQL without parameters, or a script of several. The SQL is the program's own. Throws
  /// `RequestError` if the database refuses it.
  public func execute(sql: String) throws { try openHome().run(script: sql) }

  /// Runs one statement of SQL with values for its parameters. The SQL is the program's own: a user's text belongs in
  /// `arguments`, in the order of the parameters or by their names. Throws `RequestError` if the database refuses
  /// it, and `QueryBindingFailure` if a value cannot be bound, or none is there.
  public func execute(sql: String, arguments: StatementArguments) throws {
    let home = try openHome()
    try home.run(SerializedStatement(.raw(sql), parameters: try arguments.parameters(of: sql)))
  }

  /// Runs one statement of SQL whose interpolations are values, columns and tables: `\(id)` binds the value.
  public func execute(literal sql: QueryFragment) throws {
    try openHome().run(SQLQueryExpression<Void>(sql).serialized)
  }

  // MARK: - Savepoints

  /// What a closure of `inSavepoint` or `inTransaction` wants.
  public enum TransactionCompletion: TransactionOutcome {
    /// What was done stays.
    case commit
    /// What was done is undone, and nothing is thrown.
    case rollback

    /// Whether it is `rollback`.
    public var isRollback: Bool { self == .rollback }
  }

  /// How a transaction begins.
  public enum TransactionKind: Sendable {
    /// With the right to write, so that no statement of it finds that another process was faster.
    case immediate

    @available(*, unavailable, message: "Every transaction begins immediately. Leave the kind out.")
    public static var deferred: TransactionKind { .immediate }

    @available(*, unavailable, message: "Every transaction begins immediately. Leave the kind out.")
    public static var exclusive: TransactionKind { .immediate }
  }

  // Four of each, so that the compiler takes a closure for what it is. One that returns nothing, or a value, is the
  // first's; one whose type says that it may be undone is the second's; `.rollback` alone, which has no type of its
  // own, is the third's. Where nobody takes the result, as at the end of a closure that returns nothing, it is the
  // fourth's: with three, the compiler finds two ways to drop the result and takes none. The fourth has a parameter
  // more, which nobody states, so that it ranks behind the third wherever the result is taken.

  /// Runs `body` inside a savepoint. If it throws, what it did is undone, the transaction goes on, and its error is
  /// thrown.
  @discardableResult
  public func inSavepoint<T>(_ body: () throws -> T) throws -> T {
    try inSavepoint(body) { _ in false }
  }

  /// Runs `body` inside a savepoint, which is undone if it throws, as above, or if it returns `.rollback`.
  @discardableResult
  public func inSavepoint<Outcome: TransactionOutcome>(_ body: () throws -> Outcome) throws -> Outcome {
    try inSavepoint(body) { $0.isRollback }
  }

  /// The same for a closure that returns `.rollback` or `.commit` and does not say of which type.
  @_disfavoredOverload
  @discardableResult
  public func inSavepoint(_ body: () throws -> TransactionCompletion) throws -> TransactionCompletion {
    try inSavepoint(body) { $0 == .rollback }
  }

  /// The same where the result is not taken.
  @_disfavoredOverload
  public func inSavepoint(_ body: () throws -> TransactionCompletion, returning nothing: Void = ()) throws {
    _ = try inSavepoint(body) { $0 == .rollback }
  }

  private func inSavepoint<T>(_ body: () throws -> T, isUndone: (T) -> Bool) throws -> T {
    let home = try openHome()
    savepoints += 1
    let depth = savepoints
    defer { savepoints -= 1 }
    try home.savepoint(.set, depth: depth)
    do {
      let result = try body()
      if isUndone(result) { try home.savepoint(.rollBackTo, depth: depth) }
      try home.savepoint(.release, depth: depth)
      return result
    } catch {
      // The first error is the one to tell. If SQLite has rolled everything back, there is no savepoint left.
      try? home.savepoint(.rollBackTo, depth: depth)
      try? home.savepoint(.release, depth: depth)
      throw error
    }
  }

  /// Runs `body` in an immediate transaction, inside of `writeWithoutTransaction`. If it throws, what it did is undone,
  /// and its error is thrown. Throws `RequestError` if a transaction is open already.
  @discardableResult
  public func inTransaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
    try homeWithoutTransaction().inTransaction(body) { _ in false }
  }

  /// The same, undone also if `body` returns `.rollback`.
  @discardableResult
  public func inTransaction<Outcome: TransactionOutcome>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Outcome
  ) throws -> Outcome {
    try homeWithoutTransaction().inTransaction(body) { $0.isRollback }
  }

  /// The same for a closure that returns `.rollback` or `.commit` and does not say of which type.
  @_disfavoredOverload
  @discardableResult
  public func inTransaction(
    _ kind: TransactionKind = .immediate, _ body: () throws -> TransactionCompletion
  ) throws -> TransactionCompletion {
    try homeWithoutTransaction().inTransaction(body) { $0 == .rollback }
  }

  /// The same where the result is not taken.
  @_disfavoredOverload
  public func inTransaction(
    _ kind: TransactionKind = .immediate, _ body: () throws -> TransactionCompletion, returning nothing: Void = ()
  ) throws {
    _ = try homeWithoutTransaction().inTransaction(body) { $0 == .rollback }
  }

  private func homeWithoutTransaction() throws -> any StatementHome {
    guard !isInsideTransaction else {
      throw RequestError.transactionOpenAlready
    }
    return try openHome()
  }

  // MARK: - Functions and tracing

  /// Registers a function written in Swift, on this connection. Do it in `Configuration.prepareDatabase`, so that all
  /// connections of a pool have it. It takes the place of a function with its name and number of arguments, one of
  /// SQLite's included. What goes wrong is thrown by the next statement.
  public func add(function: some DatabaseFunction) { attempt { try $0.add(function) } }

  /// Takes a function away from this connection. What goes wrong is thrown by the next statement.
  public func remove(function: some DatabaseFunction) { attempt { try $0.remove(function) } }

  /// Calls `hook` with the SQL of each statement that starts on this connection, values included; nil ends it. In a
  /// transaction at a server the values are marks.
  public func trace(_ hook: ((String) -> Void)?) {
    home?.trace(.statement, hook.map { hook in { event in hook(event.expandedDescription) } })
  }

  /// Calls `hook` when a statement starts on this connection, or when it ends, or both; nil ends it.
  ///
  /// ```swift
  /// db.trace(options: .profile) { print($0.expandedDescription) }
  /// ```
  ///
  /// What runs at a server is told when it starts, whatever `options` say, and its values are marks.
  public func trace(options: TracingOptions, _ hook: ((TraceEvent) -> Void)?) { home?.trace(options, hook) }

  /// Calls `hook` when each statement starts on this connection; nil ends it.
  @_disfavoredOverload
  public func trace(_ hook: ((TraceEvent) -> Void)?) { trace(options: .statement, hook) }

  private func attempt(_ body: (any StatementHome) throws -> Void) {
    do { try body(try openHome()) } catch { deferredFailure = deferredFailure ?? error }
  }
}

/// What a closure of `inSavepoint` or `inTransaction` may return to be undone: `Database.TransactionCompletion`.
///
/// Always true: what is returned is also given to the caller, whatever it says.
public protocol TransactionOutcome: Sendable {
  /// Whether what the closure did is undone.
  var isRollback: Bool { get }
}
