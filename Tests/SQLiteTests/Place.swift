import Foundation
import MartletTestSupport
import SQLite
import Testing

// Foundation has a type of this name too; programs that import both say which one they mean.
typealias Expression = SQLite.Expression

/// Where a program's database is; each behaviour is shown at each of them.
enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory
  case file
  case server

  static let embedded: [Place] = [.memory, .file]

  var testDescription: String { rawValue }

  /// A new database, opened twice if `count` says so.
  func open() throws -> OpenPlace { try OpenPlace(self) }
}

/// A database with what it needs, which goes when the value goes.
struct OpenPlace {
  private let directory = TemporaryDirectory()
  private let place: Place
  private let name = "s" + UUID().uuidString.filter(\.isHexDigit).lowercased()
  let db: Connection

  init(_ place: Place) throws {
    self.place = place
    db = try Connection(try Self.location(place, directory, name))
  }

  /// The file, if it is one.
  var path: String { directory.path + "/test.sqlite3" }

  /// Another connection to the same database; of memory there is none.
  func another(readonly: Bool = false) throws -> Connection {
    try Connection(try Self.location(place, directory, name), readonly: readonly)
  }

  private static func location(
    _ place: Place, _ directory: TemporaryDirectory, _ name: String
  ) throws -> Connection.Location {
    switch place {
    case .memory: .inMemory
    case .file: .uri(directory.path + "/test.sqlite3")
    case .server: try .uri("\(SharedServer.one.url(name))")
    }
  }
}

extension Connection {
  /// The table of users that most tests use.
  func createUsers() throws {
    try run(
      users.create { t in
        t.column(id, primaryKey: true)
        t.column(email, unique: true)
        t.column(name)
        t.column(age)
        t.column(admin, defaultValue: false)
        t.column(managerId)
      })
  }

  /// The values of one column.
  func column<V: Value>(_ query: some QueryType, _ column: Expression<V>) throws -> [V] {
    try prepareRowIterator(query).map { try $0.get(column) }
  }
}

struct Stop: Error, Equatable {
  var name = ""
}

/// Expects that `body` returns `value`; `==` of numbers and texts is an operator of expressions too.
func same<T: Equatable>(_ found: T, _ value: T) -> Bool { found == value }

/// Expects that `body` throws an error of which `check` is true.
func fails(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void, check: (any Error) -> Bool
) {
  do {
    try body()
    Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
  } catch {
    #expect(check(error), "\(error)", sourceLocation: sourceLocation)
  }
}
