// What reads and writes throw, so that a program which imports no more than this can name it.
@_exported public import struct MartletValues.RequestError

#if Client
  @_exported public import struct MartletClient.ClientError
#endif

/// A database that can be read, embedded or remote: it runs closures in transactions.
///
/// Always true: a `read` sees one snapshot and cannot write; a `write` is one immediate transaction, which is undone
/// if its closure throws. Neither may begin inside of another on the same thread.
public protocol DatabaseReader: AnyObject, Sendable {
  /// Where the database is: the path of its file, `:memory:`, or the URL of a server's.
  var path: String { get }

  /// Runs `body` with a snapshot of the database, on the calling thread.
  ///
  /// Swift chooses it in a synchronous function, and at the top level of main.swift, where `await` is a warning.
  ///
  /// Throws what `body` throws; `RequestError` if it begins inside of another closure of the database on this
  /// thread, and if `body` writes; of a remote database, `ClientError` if the server cannot be reached.
  func read<T>(_ body: (Database) throws -> T) throws -> T

  /// Runs `body` with a snapshot of the database, on a thread that may block. Cancelling the task ends the statement
  /// that runs, and throws `CancellationError`.
  func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T

  /// Closes the file, or the connections to the server. What waits fails. Of a type that is a file's, it is called
  /// without `await`.
  func close() async
}

extension DatabaseReader {
  /// Empty: the database does not say where it is.
  public var path: String { "" }
}

/// A database that can be read and written.
public protocol DatabaseWriter: DatabaseReader {
  /// Runs `body` in a write transaction and commits it, on the calling thread.
  ///
  /// Throws as `read` does, and `RequestError` if the commit fails: nothing of it was written then, unless the error
  /// says that the outcome is not known.
  ///
  /// A result that nobody takes is a warning of the compiler, because most often it is a statement that was made and
  /// not run: `.execute(db)` is missing.
  func write<T>(_ body: (Database) throws -> T) throws -> T

  /// Runs `body` in a write transaction and commits it, on a thread that may block. Cancelling the task ends the
  /// statement that runs, undoes the transaction, and throws `CancellationError`.
  func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T

  /// Runs `body` where it can write, without a transaction around it: each statement commits itself.
  @discardableResult
  func writeWithoutTransaction<T>(_ body: (Database) throws -> T) throws -> T

  /// The same on a thread that may block.
  @discardableResult
  func writeWithoutTransaction<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T
}

/// Several queries in one read: a value that a view or a program asks for by its type.
public protocol FetchKeyRequest<Value>: Hashable, Sendable {
  /// The value that the request fetches.
  associatedtype Value: Sendable

  /// Runs the queries. They all see the snapshot that `db` reads.
  func fetch(_ db: Database) throws -> Value
}

extension DatabaseReader {
  /// What a request fetches, from one snapshot.
  public func fetch<Request: FetchKeyRequest>(_ request: Request) throws -> Request.Value {
    try read { try request.fetch($0) }
  }

  /// The same on a thread that may block.
  public func fetch<Request: FetchKeyRequest>(_ request: Request) async throws -> Request.Value {
    try await read { try request.fetch($0) }
  }
}
