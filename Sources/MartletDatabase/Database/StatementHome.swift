public import MartletAST
public import MartletQuery

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

  /// Where no transaction is open: runs `body` in one, which is undone where it throws.
  func inTransaction<T>(_ body: () throws -> T) throws -> T
  func savepoint(_ action: SavepointAction, depth: Int) throws
  func add(_ function: any DatabaseFunction) throws
  func remove(_ function: any DatabaseFunction) throws
  func trace(_ hook: ((String) -> Void)?)
}

/// The rows of a query that has begun.
@usableFromInline
enum OpenedRows {
  case statement(EmbeddedRows)
  case batches(any BatchSource)
}

/// Rows as they come from a server.
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
