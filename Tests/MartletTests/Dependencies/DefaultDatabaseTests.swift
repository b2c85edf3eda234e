/// The database that a program opens for its context: its own file, memory in a preview, a file that goes in a test.
import Foundation
import MartletTestSupport
import Testing

@testable import Martlet

private struct Wind: Sendable, Equatable { var force: Int }

private enum WindKey: DependencyKey {
  static let liveValue = Wind(force: 1)
  static let previewValue = Wind(force: 2)
  static let testValue = Wind(force: 3)
}

private enum RainKey: DependencyKey {
  static let liveValue = 4
}

extension DependencyValues {
  fileprivate var wind: Wind {
    get { self[WindKey.self] }
    set { self[WindKey.self] = newValue }
  }

  /// What programs of SQLiteData call at their start.
  fileprivate mutating func bootstrapDatabase(at path: String? = nil) throws {
    @Dependency(\.context) var context
    var configuration = Configuration()
    let log = Lines()
    configuration.prepareDatabase { db in
      db.trace(options: .profile) {
        if context == .preview { print($0.expandedDescription) } else { log.add("\($0.expandedDescription)") }
      }
    }
    let database = try Martlet.defaultDatabase(path: path, configuration: configuration)
    log.add("open '\(database.path)'")
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create table") { db in
      try #sql("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL)").execute(db)
    }
    try migrator.migrate(database)
    defaultDatabase = database
  }
}

private final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []
  func add(_ line: String) { lock.withLock { lines.append(line) } }
}

@Suite struct DefaultDatabaseTests {
  @Table struct Note: Equatable {
    let id: Int
    var text = ""
  }

  @Test func `tests of this package run in the context of a test`() {
    @Dependency(\.context) var context
    #expect(context == .test)
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(context == .live)
    }
  }

  @Test func `a key says what it is in each context, or that it is the same`() {
    @Dependency(\.wind) var wind
    @Dependency(RainKey.self) var rain
    #expect(wind == Wind(force: 3))
    for (context, force) in [(DependencyContext.live, 1), (.preview, 2), (.test, 3)] {
      withDependencies {
        $0.context = context
      } operation: {
        #expect(wind.force == force && rain == 4)
      }
    }
    withDependencies {
      $0.context = .preview
      $0.wind = Wind(force: 9)
    } operation: {
      #expect(wind.force == 9)
    }
  }

  @Test(arguments: [
    (["XCODE_RUNNING_FOR_PREVIEWS": "1"], ["App"], DependencyContext.preview),
    (["XCTestConfigurationFilePath": "/x"], ["App"], .test), ([:], ["/usr/bin/xctest", "x"], .test),
    ([:], [".build/debug/AppPackageTests.xctest", "--testing-library", "swift-testing"], .test),
    ([:], ["/usr/libexec/swiftpm-testing-helper"], .test), ([:], ["/opt/app/App"], .live), ([:], [], .live),
    (["XCODE_RUNNING_FOR_PREVIEWS": "0"], ["./xctest-report"], .live),
  ])
  func `the context is what the process was started for`(
    environment: [String: String], arguments: [String], context: DependencyContext
  ) {
    #expect(DependencyContext(environment: environment, arguments: arguments) == context)
  }

  @Test func `a test has a file of its own, a preview has memory, and a program the path that it names`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/app.sqlite"
    let first = try defaultDatabase()
    let second = try defaultDatabase(path: path)
    #expect(first is DatabasePool && second.path != path && first.path != second.path)
    #expect(FileManager.default.fileExists(atPath: first.path))
    #expect(!FileManager.default.fileExists(atPath: path))
    for (context, expected) in [(DependencyContext.preview, ":memory:"), (.live, path)] {
      let opened = try withDependencies {
        $0.context = context
      } operation: {
        try defaultDatabase(path: path).path
      }
      #expect(opened == expected)
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a program prepares its database as those of SQLiteData do`() throws {
    try withDependencies {
      try $0.bootstrapDatabase()
    } operation: {
      @Dependency(\.defaultDatabase) var database
      let notes = try database.write { db in
        try Note.insert { Note.Draft(text: "bread") }.execute(db)
        return try Note.all.fetchAll(db)
      }
      #expect(notes == [Note(id: 1, text: "bread")])
    }
  }

  private func name(of row: some PrimaryKeyedTable<Int>) -> String { type(of: row).tableName }

  @Test func `generic code names the type of the key`() throws {
    #expect(name(of: Note(id: 1)) == "notes")
  }
}
