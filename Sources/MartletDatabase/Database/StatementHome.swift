public import MartletQuery
import MartletSQLite
public import MartletValues

/// Where a `Database`'s statements run: a connection of this process, a transaction at a server, or a list.
///
/// Always true: used on one thread at a time, for as long as the closure that the `Database` was given to runs.
@usableFromInline
protocol StatementHome: AnyObject {
  /// Runs a query up to its first row. `outlivesCall`: a cursor, which other statements may run beside.
  func open(_ statement: SerializedStatement, outlivesCall: Bool) throws -> OpenedRows

  /// Runs a statement to its end.
  func run(_ statement: SerializedStatement) throws

  /// Runs the statements of a script one after the other.
  func run(script: String) throws

  var lastInsertRowID: Int64 { get }
  var changesCount: Int { get }
  var totalChangesCount: Int { get }
  var isInTransaction: Bool { get }

  /// If no transaction is open: runs `body` in one, which is undone if it throws, or if `isUndone` says so of what
  /// it returned.
  func inTransaction<T>(_ body: () throws -> T, isUndone: (T) -> Bool) throws -> T
  /// The same for a migration: the rows that foreign keys point to are counted when it ends, and not before, if
  /// this program can say so.
  func inMigration(_ body: () throws -> Void) throws
  func savepoint(_ action: SavepointAction, depth: Int) throws

  /// What `body` returns, and the tables that its statements read; all tables, if that is not known here.
  func recordingReads<T>(_ body: () throws -> T) throws -> RecordedValue<T>
  func add(_ function: any DatabaseFunction) throws
  func remove(_ function: any DatabaseFunction) throws
  /// Calls `hook` for what of each statement `options` name; nil ends it.
  func trace(_ options: TracingOptions, _ hook: ((TraceEvent) -> Void)?)
}

extension StatementHome {
  func inMigration(_ body: () throws -> Void) throws { try inTransaction(body) { false } }

  func recordingReads<T>(_ body: () throws -> T) throws -> RecordedValue<T> {
    RecordedValue(value: try body(), reads: .everything)
  }
}

/// A value with the tables that it was made of.
@usableFromInline
struct RecordedValue<Value> {
  let value: Value
  let reads: TableSet
}

extension RecordedValue: Sendable where Value: Sendable {}

/// The rows of a query that has begun.
@usableFromInline
enum OpenedRows {
  case statement(EmbeddedRows)
  case batches(any BatchSource)
}

/// The rows as they come from a server.
@usableFromInline
protocol BatchSource: AnyObject {
  /// The next batch, or nil after the last.
  func next() throws -> RowBatch?

  /// What the server says of the result's columns; none before the first batch.
  var resultColumns: [ResultColumns.Column] { get }

  /// Nobody wants the rest.
  func abandon()
}

/// What a closure of the program is run in.
enum ClosureMode: Sendable, Equatable {
  case read
  case write
  case withoutTransaction
}
