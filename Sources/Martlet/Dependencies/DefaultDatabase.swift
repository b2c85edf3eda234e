import Foundation
public import MartletDatabase
import Synchronization

/// Opens the database for `\.defaultDatabase`, where the program's context wants it:
///
/// ```swift
/// prepareDependencies { $0.defaultDatabase = try! defaultDatabase() }
/// ```
///
/// A program has `path`, or else `database.sqlite` in a folder of its own among the user's application data. A preview
/// has a database in memory, and a test a file of its own, which goes when the process ends. Throws what
/// `DatabasePool` and `DatabaseQueue` throw, and what the file system says to the folder.
public func defaultDatabase(
  path: String? = nil, configuration: Configuration = Configuration()
) throws -> any DatabaseWriter {
  let values = DependencyValues.current
  switch values.context {
  case .live: return try DatabasePool(path: path ?? applicationDatabase(), configuration: configuration)
  case .preview: return try DatabaseQueue(configuration: configuration)
  case .test: return try DatabasePool(path: TemporaryDatabases.new(), configuration: configuration)
  }
}

/// The path of the program's own database; makes its folder.
private func applicationDatabase() throws -> String {
  let folder = try FileManager.default.url(
    for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
  ).appendingPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("database.sqlite").path
}

/// The files of tests' databases.
private enum TemporaryDatabases {
  private static let paths = Mutex<[String]>([])

  /// The path of a file that is not there yet, and is removed when the process ends.
  static func new() -> String {
    let path = NSTemporaryDirectory() + "\(UUID().uuidString).sqlite"
    let isFirst = paths.withLock { paths in
      paths.append(path)
      return paths.count == 1
    }
    if isFirst { atexit { TemporaryDatabases.remove() } }
    return path
  }

  private static func remove() {
    for path in paths.withLock({ $0 }) {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
  }
}
