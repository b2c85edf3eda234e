/// A directory that is there as long as the value is.
import Foundation

package final class TemporaryDirectory: Sendable {
  package let path: String

  package init(name: String = "martlet-test") {
    path = NSTemporaryDirectory() + "/\(name)-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { remove() }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
