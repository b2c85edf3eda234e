import MartletClient

/// A transaction of an import, begun again if the server ended it because others waited or its time was over.
///
/// Always true: it begins again only if nothing of it was committed and nobody has interrupted the import, at most
/// `importAttemptsMax` times, and a person is told of each; `body` reads its rows from their beginning each time.
struct ImportTransaction {
  let database: DatabaseClient

  /// - Parameter undone: nothing of what `body` did is in the database; called before it runs again.
  func run(
    isolation: isolated (any Actor)? = #isolation, undone: () -> Void,
    _ body: (RemoteTransaction) async throws -> Void
  ) async throws {
    var attempts = 1
    while true {
      do {
        return try await database.write(body)
      } catch {
        guard let failure = CommandFailure.explaining(error) as? CommandFailure, failure.isEndedTransaction else {
          throw error
        }
        guard attempts < CommandLimits.importAttemptsMax else {
          throw CommandFailure.importGivenUp(failure, after: attempts)
        }
        try Task.checkCancellation()
        attempts += 1
        undone()
        StandardOutput.complain(
          "Note: \(failure.description) Nothing was committed; the import begins again "
            + "(\(attempts) of \(CommandLimits.importAttemptsMax)).\n")
      }
    }
  }
}
