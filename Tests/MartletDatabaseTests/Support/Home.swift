/// Where a database of the tests lives; each behaviour is shown at each of them.
import Foundation
import MartletDatabase
import MartletTestSupport
import Testing

enum Home: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory
  case queue
  case pool
  case tcp
  case unix

  static let embedded: [Home] = [.memory, .queue, .pool]

  var testDescription: String { rawValue }

  /// A database with the tables of `Schema` and their rows.
  func open(_ configuration: Configuration = Configuration(), hasSchema: Bool = true) throws -> OpenHome {
    let directory = TemporaryDirectory()
    let path = directory.path + "/test.sqlite"
    // One server serves all tests; each has a database of its own.
    let name = "t" + UUID().uuidString.filter(\.isHexDigit).lowercased()
    var remote = configuration
    remote.remote.createsDatabase = true
    let writer: any DatabaseWriter =
      switch self {
      case .memory: try DatabaseQueue(configuration: configuration)
      case .queue: try DatabaseQueue(path: path, configuration: configuration)
      case .pool: try DatabasePool(path: path, configuration: configuration)
      case .tcp: try RemoteDatabase("\(SharedServer.one.url(name))", configuration: remote)
      case .unix: try RemoteDatabase("\(SharedServer.one.unixURL(name))", configuration: remote)
      }
    let home = OpenHome(database: writer, directory: directory)
    if hasSchema { try Schema.create(writer) }
    return home
  }
}

/// A database with the files and the server that it needs, which go when the value goes.
struct OpenHome {
  let database: any DatabaseWriter
  let directory: TemporaryDirectory
}

/// Expects that `body` returns `value`. Numbers and texts are expressions of queries too, and `==` between those does
/// not compile, which `#expect(try …)` stumbles over.
func expect<T: Equatable>(
  _ value: T, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> T?
) throws {
  let found = try body()
  let isEqual = found.map { $0 == value } ?? false
  #expect(isEqual, "\(String(describing: found)), not \(value)", sourceLocation: sourceLocation)
}
