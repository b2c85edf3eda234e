/// How far a failure of the statement reaches, as of its last compilation.
extension Statement {
  /// What is known by now, and has been found out since SQLite compiled the statement last.
  package var knownFailureReach: FailureReach {
    guard let failure, failure.compilations == reprepareCount else { return .beyond }
    return failure.reach
  }

  /// Looks into the program if need be. What is too large to be looked at, or cannot be, reaches beyond.
  package func findFailureReach() -> FailureReach {
    if let failure, failure.compilations == reprepareCount { return failure.reach }
    let compilations = reprepareCount
    var reach = FailureReach.beyond
    if byteCount <= SQLiteLimits.failureStatementBytesMax {
      do throws(SQLiteError) {
        if let program = try connection.programIfLasting(of: sql) { reach = FailureReach(of: program) }
      } catch {
        // If the look was ended, so is the statement soon, and another run looks again.
        return .beyond
      }
    }
    failure = (reach, compilations)
    return reach
  }
}
