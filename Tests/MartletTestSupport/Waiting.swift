/// Waits until something is so, for a minute at most: a test that waits for what never comes fails, and does not hang.
import Foundation

package struct NeverMet: Error, CustomStringConvertible {
  package let description: String
}

/// Asks every millisecond. Throws after a minute, with the place that waited.
package func waitUntil(
  file: StaticString = #fileID, line: UInt = #line, _ isMet: () throws -> Bool
) throws {
  let end = ContinuousClock.now + .seconds(60)
  while try !isMet() {
    guard ContinuousClock.now < end else { throw NeverMet(description: "\(file):\(line): it did not come to this.") }
    usleep(1_000)
  }
}
