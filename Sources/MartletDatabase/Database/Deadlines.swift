@_exported public import func MartletValues.withDeadline

/// Deadlines of single reads and writes, on every kind of database.
///
/// Always true: a deadline holds for everything that the closure asks of the database, for the wait before it begins,
/// and not for code of the program's own, which nobody stops.
extension DatabaseReader {
  /// `read` with a deadline that counts from the call. Throws `RequestError` with the code `deadlineExceeded` if it
  /// passes.
  public func read<T>(deadline: Duration, _ body: (Database) throws -> T) throws -> T {
    try withDeadline(deadline) { try read(body) }
  }

  /// The same on a thread that may block.
  public func read<T: Sendable>(
    deadline: Duration, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withDeadline(deadline) { try await read(body) }
  }
}

extension DatabaseWriter {
  /// `write` with a deadline that counts from the call. If it passes before the commit, nothing was written and
  /// `RequestError` with the code `deadlineExceeded` is thrown; if the commit's own answer is late, the error says
  /// that the outcome is not known.
  public func write<T>(deadline: Duration, _ body: (Database) throws -> T) throws -> T {
    try withDeadline(deadline) { try write(body) }
  }

  /// The same on a thread that may block.
  public func write<T: Sendable>(
    deadline: Duration, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withDeadline(deadline) { try await write(body) }
  }
}
