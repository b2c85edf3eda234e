#if Client
  import MartletValues
  public import MartletClient
  public import MartletQuery

  /// Single statements at a server, without a transaction: one round trip each, and rows as they arrive.
  ///
  /// Always true: a statement is sent again by itself only if it had no effect and the program has no row of it. Once:
  /// a query that loses its connection, and any statement that was refused or lost before it began. A few times: a
  /// query whose snapshot the server ended.
  extension Statement {
    /// Runs the statement on its own and returns how many rows it changed.
    ///
    /// Throws `RequestError` if the server refuses it, `ClientError` if no answer comes, which says whether it
    /// may have run all the same, and `QueryBindingFailure`, before it is sent, if a value cannot be bound.
    ///
    /// `deadline` counts from the call; without one, the nearest `withDeadline` or the configuration's holds.
    @discardableResult
    public func execute(_ database: RemoteDatabase, deadline: Duration? = nil) async throws -> Int {
      let (statement, parameters) = try database.prepared(serialized)
      // Also if no answer comes, since it may have run.
      defer { database.ended(nil) }
      return Int(clamping: try await database.client.execute(statement, parameters, deadline: deadline).rowsChanged)
    }
  }

  extension Statement where QueryValue: QueryRepresentable {
    /// All rows, in one round trip. Throws as `execute` does, and `QueryDecodingError` if a column does not hold what
    /// the type asks for.
    @inlinable
    public func fetchAll(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> [QueryValue.QueryOutput] {
      try await database.collect(serialized, deadline) { try decode($0) }
    }

    /// The first row, or nil if there is none. Throws as `fetchAll` does.
    @inlinable
    public func fetchOne(_ database: RemoteDatabase, deadline: Duration? = nil) async throws -> QueryValue.QueryOutput?
    {
      try await database.first(SingleRow<QueryValue>.self, serialized, deadline)
    }
  }

  extension Statement {
    /// All rows as tuples, in one round trip. Throws as `fetchAll` does.
    @inlinable
    public func fetchAll<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)]
    where QueryValue == (First, Second, repeat each Other) {
      try await database.collect(serialized, deadline) { try decode($0) }
    }

    /// The first row as a tuple, or nil if there is none. Throws as `fetchAll` does.
    @inlinable
    public func fetchOne<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)?
    where QueryValue == (First, Second, repeat each Other) {
      try await database.first(TupleRow<First, Second, repeat each Other>.self, serialized, deadline)
    }
  }

  extension RemoteDatabase {
    func prepared(_ statement: SerializedStatement) throws -> (RemoteStatement, [Value]) {
      if let failure = statement.failure { throw failure }
      try Self.checkLastWrite(statement)
      return (RemoteStatement(bytes: statement.bytes), statement.parameters)
    }

    /// A statement on its own that asks for the last write would be told 0.
    static func checkLastWrite(_ statement: SerializedStatement) throws {
      if let function = LastWriteFunction.called(by: statement.bytes, sql: { statement.sql }) {
        throw RequestError.noLastWrite(function)
      }
    }

    /// All rows, each batch as `decode` has it.
    @inlinable
    func collect<Row>(
      _ statement: SerializedStatement, _ deadline: Duration?, _ decode: (RowBatch) throws -> [Row]
    ) async throws -> [Row] {
      var repeats = repeats(deadline)
      while true {
        do {
          var rows: [Row] = []
          let batches = try await batches(statement, repeats)
          for try await batch in batches { rows += try explaining(statement, batches) { try decode(batch) } }
          ended(batches)
          return rows
        } catch {
          unfinished(statement)
          try await repeats.wait(after: error)
        }
      }
    }

    /// The first row, or nil if there is none.
    @usableFromInline
    func first<Shape: RowShape>(
      _ shape: Shape.Type, _ statement: SerializedStatement, _ deadline: Duration?
    ) async throws -> Shape.Output? {
      do {
        let batches = try await batches(statement, deadline: deadline)
        for try await batch in batches where batch.rowCount > 0 {
          var decoder = RowDecoder(batch: batch)
          let row = try explaining(statement, batches) {
            do { return try Shape.row(&decoder) } catch { throw decoder.explain(error) }
          }
          // The end, which says whether anything was changed, is not waited for.
          unfinished(statement)
          return row
        }
        ended(batches)
        return nil
      } catch {
        unfinished(statement)
        throw error
      }
    }

    /// Errors of decoding say what is known of the result.
    @usableFromInline
    func explaining<Rows>(
      _ statement: SerializedStatement, _ batches: RowBatchSequence, _ decode: () throws -> Rows
    ) throws -> Rows {
      do { return try decode() } catch { throw statement.explain(error, batches.columns.columns) }
    }

    @usableFromInline
    func batches(_ statement: SerializedStatement, deadline: Duration?) async throws -> RowBatchSequence {
      let (statement, parameters) = try prepared(statement)
      return try await client.batches(statement, parameters, deadline: deadline)
    }

    /// For a query all of whose rows are collected before the program is given one.
    @usableFromInline
    func repeats(_ deadline: Duration?) -> CollectionRepeats {
      CollectionRepeats(client.configuration, deadline: deadline)
    }

    @usableFromInline
    func batches(_ statement: SerializedStatement, _ repeats: CollectionRepeats) async throws -> RowBatchSequence {
      let (statement, parameters) = try prepared(statement)
      return try await client.batches(statement, parameters, deadline: repeats.rest, repeats: false)
    }

    @usableFromInline
    func ended(_ batches: RowBatchSequence) { ended(batches.completion) }

    /// Tells observers of a statement on its own whose end nobody sees, if it may have written.
    @usableFromInline
    func unfinished(_ statement: SerializedStatement) {
      if !RemoteStatement.mayBeRead(statement.bytes) { ended(nil) }
    }

    /// The rows of a query as they arrive: `for try await row in database.rows(Item.all)`. The server sends no more
    /// than a window ahead; the query ends when the loop does. Iterate it once. `deadline` counts from the first row
    /// that is asked for.
    public func rows<S: Statement>(
      _ statement: S, deadline: Duration? = nil
    ) -> RemoteRows<S.QueryValue> where S.QueryValue: QueryRepresentable {
      let serialized = statement.serialized
      return RemoteRows(database: self, statement: serialized, deadline: deadline)
    }
  }

  /// Whether a query whose rows were being collected is sent again, within the one deadline of all attempts.
  @usableFromInline
  struct CollectionRepeats {
    private var rule: RepeatRule
    private let deadline: MonotonicTime?

    init(_ configuration: ClientConfiguration, deadline: Duration?) {
      self.deadline = deadline.map { Deadline.now().advanced(by: $0) }
      rule = RepeatRule(configuration, until: self.deadline ?? Deadline.current ?? .distantFuture)
    }

    /// What is left of the deadline that was named; nil: none was.
    var rest: Duration? { deadline.map { .milliseconds($0.milliseconds(since: Deadline.now())) } }

    /// Throws the error if nothing is sent again.
    @usableFromInline
    mutating func wait(after error: any Error) async throws {
      guard !Task.isCancelled, let pause = rule.pause(afterThrown: error) else { throw error }
      if pause > .zero { try await Task.sleep(for: pause) }
    }
  }

  /// The rows of a query at a server, decoded as they arrive.
  public struct RemoteRows<Value: QueryRepresentable>: AsyncSequence {
    public typealias Element = Value.QueryOutput

    let database: RemoteDatabase
    let statement: SerializedStatement
    let deadline: Duration?

    public func makeAsyncIterator() -> Iterator {
      Iterator(database: database, statement: statement, deadline: deadline)
    }

    /// Takes rows from the server's stream, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
      let database: RemoteDatabase
      let statement: SerializedStatement
      let deadline: Duration?
      private var batches: RowBatchSequence.Iterator?
      private var sequence: RowBatchSequence?
      private var decoder = RowDecoder(batch: RowBatch())
      private var row = 0
      private var count = 0
      /// Observers were told of what it writes.
      private var isTold = false

      init(database: RemoteDatabase, statement: SerializedStatement, deadline: Duration?) {
        self.database = database
        self.statement = statement
        self.deadline = deadline
      }

      /// The next row, or nil after the last.
      public mutating func next() async throws -> Value.QueryOutput? {
        while row >= count {
          guard let batch = try await nextBatch() else { return nil }
          decoder = RowDecoder(batch: batch)
          row = 0
          count = batch.rowCount
        }
        decoder.move(toRow: row)
        row += 1
        do { return try Value(decoder: &decoder).queryOutput } catch {
          throw statement.explain(decoder.explain(error), sequence?.columns.columns ?? [])
        }
      }

      /// Observers hear of a write with its first rows, because it is committed then and the loop may be left.
      private mutating func nextBatch() async throws -> RowBatch? {
        do {
          if batches == nil {
            sequence = try await database.batches(statement, deadline: deadline)
            batches = sequence?.makeAsyncIterator()
          }
          if let batch = try await batches?.next() {
            tell()
            return batch
          }
        } catch {
          tell()
          throw error
        }
        if let sequence, !isTold { database.ended(sequence) }
        sequence = nil
        return nil
      }

      private mutating func tell() {
        if !isTold { database.unfinished(statement) }
        isTold = true
      }
    }
  }
#endif
