public import MartletValues

/// A remote database or an open transaction. Every request throws `RequestError` (what the server answered),
/// `ClientError` (what stood between) or `CancellationError` (the task was cancelled and the server stopped).
///
/// Always true: a request is sent again by itself only if it had no effect. Once: a read that loses its connection
/// before its first row, and a request outside of a transaction whose connection was lost before it was sent, or that a
/// server refused because it is shutting down. A few times (`ClientConfiguration.readRepeatsMax`): a read whose
/// snapshot the server ended.
public protocol StatementExecutor: Sendable {
  /// How requests reach the server.
  var runner: RequestRunner { get }
}

extension StatementExecutor {
  /// Runs a statement and returns what it changed; its rows are dropped.
  ///
  /// `deadline` counts from the call; without one, the nearest `withDeadline` or the configuration's holds.
  @discardableResult
  public func execute(
    _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> Completion {
    try await runner.collect(.execute(statement, parameters), deadline: deadline, keepsRows: false).completion
  }

  /// Runs a query and streams its rows. Returns when the first rows or the end have arrived.
  public func rows(
    _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> RowSequence {
    RowSequence(owner: try await runner.stream(statement, parameters, deadline: deadline))
  }

  /// Runs a query and streams its rows in the batches in which they arrive, column by column.
  public func batches(
    _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> RowBatchSequence {
    RowBatchSequence(owner: try await runner.stream(statement, parameters, deadline: deadline))
  }

  /// The same for a caller that sends the query again by a rule of its own.
  package func batches(
    _ statement: RemoteStatement, _ parameters: [Value], deadline: Duration?, repeats: Bool
  ) async throws -> RowBatchSequence {
    RowBatchSequence(owner: try await runner.stream(statement, parameters, deadline: deadline, repeats: repeats))
  }

  /// Runs a query and returns all of its rows.
  public func fetchAll(
    _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> [Row] {
    try await runner.collect(.execute(statement, parameters), deadline: deadline).rows
  }

  /// Runs a query and returns its first row, or nil if there is none. What follows is not fetched.
  public func fetchOne(
    _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> Row? {
    var rows = try await rows(statement, parameters, deadline: deadline).makeAsyncIterator()
    return try await rows.next()
  }

  /// Runs a query and decodes all of its rows.
  public func fetchAll<T: Decodable>(
    _ type: T.Type, _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> [T] {
    let decoder = RowDecoder()
    return try await fetchAll(statement, parameters, deadline: deadline).map { try decoder.decode(type, from: $0) }
  }

  /// Runs a query and decodes its first row, or returns nil if there is none.
  public func fetchOne<T: Decodable>(
    _ type: T.Type, _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws -> T? {
    try await fetchOne(statement, parameters, deadline: deadline)?.decode(type)
  }

  /// Runs the steps in one round trip. `atomic`: all in one transaction, and the first step that fails undoes them all
  /// and is thrown, its path starting with `steps[n]`, counted from 0. Otherwise a step that fails is a result.
  @discardableResult
  public func batch(
    _ steps: [BatchStep], atomic: Bool = true, deadline: Duration? = nil
  ) async throws -> [StepResult] {
    try await runner.collect(.batch(steps, isAtomic: atomic), deadline: deadline).steps
  }

  /// Builds a batch and runs it:
  ///
  ///     let results = try await database.batch { batch in
  ///       let parent = batch.add(insertParent, ["Anna"])
  ///       batch.add(insertChild, [parent.lastInsertRowID, "Tea"])
  ///     }
  @discardableResult
  public func batch(
    atomic: Bool = true, deadline: Duration? = nil, _ build: (inout BatchBuilder) throws -> Void
  ) async throws -> [StepResult] {
    var builder = BatchBuilder()
    try build(&builder)
    return try await batch(builder.steps, atomic: atomic, deadline: deadline)
  }
}
