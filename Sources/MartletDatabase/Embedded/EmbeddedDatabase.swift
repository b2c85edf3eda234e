import MartletEngine
import MartletSQLite
import MartletValues

/// A database file, or a database in memory, that this process opened itself.
///
/// Always true: writes go to the writer's one connection; if there are no readers, reads do too.
final class EmbeddedDatabase: Sendable {
  let file: EmbeddedFile
  private let writer: ConnectionLeases
  private let readers: ConnectionLeases
  private let threads = ClosureThreads()

  init(path: String, configuration: Configuration, readerCount: Int?) throws {
    let file = EmbeddedFile(path: path, configuration: configuration)
    self.file = file
    let label = configuration.label ?? "database"
    let access: Connection.Access = configuration.readonly ? .reader : .writer
    writer = ConnectionLeases(most: 1) { _ in try EmbeddedConnection(file, access: access, label: "\(label).writer") }
    if let readerCount {
      readers = ConnectionLeases(most: readerCount) { number in
        try EmbeddedConnection(file, access: .reader, label: "\(label).reader.\(number)")
      }
    } else {
      readers = writer
    }
    try writer.openFirst()
  }

  private func leases(for mode: ClosureMode) throws -> ConnectionLeases {
    if mode == .read { return readers }
    guard !file.configuration.readonly else {
      throw RequestError.databaseReadOnly
    }
    return writer
  }

  func run<T>(_ mode: ClosureMode, _ body: (Database) throws -> T) throws -> T {
    try threads.checkOutside()
    let leases = try leases(for: mode)
    let connection = try leases.take(until: Deadline.current)
    let result = Result { try threads.run { try connection.perform(mode, cancellation: nil, body) } }
    let seen = connection.seen
    // The next one runs while this one waits for the disk.
    leases.give(back: connection)
    return try Self.result(result, of: mode, after: file.syncs.settle(seen)).get()
  }

  /// The result of a closure. One that succeeded fails after all if the disk may not have what it saw.
  private static func result<T>(
    _ result: Result<T, any Error>, of mode: ClosureMode, after failure: RequestError?
  ) -> Result<T, any Error> {
    guard let failure, case .success = result else { return result }
    return .failure(mode == .read ? RequestError.diskFailed : failure)
  }

  func run<T: Sendable>(
    _ mode: ClosureMode, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    let leases = try leases(for: mode)
    let deadline = Deadline.current
    let connection = try await leases.take(until: deadline)
    let cancellation = CancellationFlag()
    let (threads, syncs) = (threads, file.syncs)
    return try await withTaskCancellationHandler {
      try await ClosureThreads.offload { (done: @escaping @Sendable (Result<T, any Error>) -> Void) in
        let result = Result {
          if cancellation.isCancelled { throw CancellationError() }
          return try Deadline.inherit(deadline) {
            try threads.run { try connection.perform(mode, cancellation: cancellation, body) }
          }
        }
        let seen = connection.seen
        // The next one runs while this one waits for the disk.
        leases.give(back: connection)
        syncs.settle(seen) { failure in done(Self.result(result, of: mode, after: failure)) }
      } refused: {
        leases.give(back: connection)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Waits for nobody: a closure that runs is finished, and each connection lets go of the file when its holder is
  /// done with it.
  func close() {
    readers.close()
    writer.close()
    // Whoever waits for a commit learns by fetching that there will be none.
    file.feed.ended(.closed)
  }
}
