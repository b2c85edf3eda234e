/// Where a test's database is: in this process, or at a server over TCP.
///
/// Always true: every test has a database of its own.
import Foundation
import Martlet
import MartletTestSupport
import Testing

enum DatabaseHome: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case embedded
  case server

  var testDescription: String { rawValue }

  /// A database with the tables and rows of a script.
  func open(_ script: String, configuration: Configuration = Configuration()) throws -> any DatabaseWriter {
    let database = try empty(configuration)
    try database.write { try $0.execute(sql: script) }
    return database
  }

  /// A database with the tables and rows of a script, and with temporary views and triggers. Embedded, they are made in
  /// a `write`, as the pages do it; to a server they are declared when it is connected to, in `prepareDatabase`.
  func open(
    _ script: String, temporary: @escaping @Sendable (Database) throws -> Void
  ) throws -> any DatabaseWriter {
    let name = Self.newName
    let database = try empty(name: name)
    try database.write { try $0.execute(sql: script) }
    guard self == .server else {
      try database.write(temporary)
      return database
    }
    var configuration = Configuration()
    configuration.prepareDatabase(temporary)
    return try empty(configuration, name: name)
  }

  func empty(
    _ configuration: Configuration = Configuration(), name: String = newName
  ) throws -> any DatabaseWriter {
    switch self {
    case .embedded: return try DatabaseQueue(configuration: configuration)
    case .server:
      var remote = configuration
      remote.remote.createsDatabase = true
      return try RemoteDatabase("\(SharedServer.one.url(name))", configuration: remote)
    }
  }

  static var newName: String { "s" + UUID().uuidString.filter(\.isHexDigit).lowercased() }
}

extension Date {
  /// Whole seconds after the first second of 2026.
  init(_ seconds: Double) { self.init(timeIntervalSince1970: 1_767_225_600 + seconds) }
}

/// Expects equal values. Numbers, texts and dates are expressions of queries too, and `==` between those does not
/// compile, which `#expect(a == b)` stumbles over.
func same<T: Equatable>(_ found: T?, _ expected: T?, sourceLocation: SourceLocation = #_sourceLocation) {
  let isEqual = found == expected
  #expect(
    isEqual, "\(String(describing: found)), not \(String(describing: expected))", sourceLocation: sourceLocation)
}

/// Expects equal pairs, row by row.
func same<A: Equatable, B: Equatable>(
  _ found: [(A, B)], _ expected: [(A, B)], sourceLocation: SourceLocation = #_sourceLocation
) {
  let isEqual = found.count == expected.count && zip(found, expected).allSatisfy { $0 == $1 }
  #expect(isEqual, "\(found), not \(expected)", sourceLocation: sourceLocation)
}
