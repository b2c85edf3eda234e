/// Waits until something is so, for a minute at most: a test that waits for what never comes fails, and does not hang.
import Foundation

package struct NeverMet: Error, CustomStringConvertible {
  package let description: String

  init(_ file: StaticString, _ line: UInt, _ found: String) {
    description = "\(file):\(line): it did not come to this\(found.isEmpty ? "." : ": \(found)")"
  }
}

/// Asks every millisecond. Throws after a minute, with the place that waited and with what is `found` then.
package func waitUntil(
  _ found: @autoclosure () -> String = "", within limit: Duration = .seconds(60), file: StaticString = #fileID,
  line: UInt = #line, _ isMet: () throws -> Bool
) throws {
  let end = ContinuousClock.now + limit
  while try !isMet() {
    guard ContinuousClock.now < end else { throw NeverMet(file, line, found()) }
    usleep(1_000)
  }
}

/// The same within a task, which holds no thread while it waits.
package func suspendUntil(
  _ found: @autoclosure () -> String = "", within limit: Duration = .seconds(60), file: StaticString = #fileID,
  line: UInt = #line, isolation: isolated (any Actor)? = #isolation, _ isMet: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !isMet() {
    guard ContinuousClock.now < end else { throw NeverMet(file, line, found()) }
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// Looks every millisecond, until it has found no change at so many looks in a row: for a thread that has to see that
/// something does not happen.
package func waitUntilQuiet(
  looks: Int, within limit: Duration = .seconds(60), file: StaticString = #fileID, line: UInt = #line,
  _ hasChanged: () throws -> Bool
) throws {
  var quiet = 0
  try waitUntil("\(quiet) of \(looks) quiet looks", within: limit, file: file, line: line) {
    quiet = try hasChanged() ? 0 : quiet + 1
    return quiet >= looks
  }
}

/// Looks every millisecond, until it has found no change at so many looks in a row: for what ends by itself, and of
/// which nobody says that it has ended.
package func suspendUntilQuiet(
  looks: Int, within limit: Duration = .seconds(60), file: StaticString = #fileID, line: UInt = #line,
  isolation: isolated (any Actor)? = #isolation, _ hasChanged: () async throws -> Bool
) async throws {
  var quiet = 0
  try await suspendUntil("\(quiet) of \(looks) quiet looks", within: limit, file: file, line: line) {
    quiet = try await hasChanged() ? 0 : quiet + 1
    return quiet >= looks
  }
}
