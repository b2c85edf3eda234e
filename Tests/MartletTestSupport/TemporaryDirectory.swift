/// A directory that is there as long as the value is.
import Foundation

public final class TemporaryDirectory: Sendable {
  public let path: String

  public init(name: String = "martlet-test") {
    path = NSTemporaryDirectory() + "/\(name)-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { remove() }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
