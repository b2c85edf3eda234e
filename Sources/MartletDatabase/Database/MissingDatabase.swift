import MartletValues

/// Stands where a program has not said which database it means.
///
/// Always true: whatever is asked of it throws, with a sentence that says what to do.
package final class MissingDatabase: DatabaseWriter {
  private let error: RequestError

  /// - Parameter advice: what to do, as a sentence.
  package init(advice: String) { error = .noDatabase(advice: advice) }

  package func close() {}
  package func read<T>(_ body: (Database) throws -> T) throws -> T { throw error }
  package func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T { throw error }
  package func write<T>(_ body: (Database) throws -> T) throws -> T { throw error }
  package func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T { throw error }
  package func writeWithoutTransaction<T>(_ body: (Database) throws -> T) throws -> T { throw error }
  package func writeWithoutTransaction<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T { throw error }
}
