/// Tries once more what a limit of time ended: if a machine is paused, or busy with others, the clock runs on beside
/// a statement that takes a moment.
///
/// Always true: whatever fails for another reason, or for time again, fails.
import MartletValues

package func onceMoreIfLate<Result>(
  _ isLate: (any Error) -> Bool = isOfTime, _ body: () throws -> Result
) throws -> Result {
  do { return try body() } catch {
    guard isLate(error) else { throw error }
    return try body()
  }
}

/// A deadline passed, or a transaction was open for too long.
package func isOfTime(_ error: any Error) -> Bool {
  guard let error = error as? RequestError else { return false }
  return [.deadline, .transactionEnded].contains(error.reason)
}
