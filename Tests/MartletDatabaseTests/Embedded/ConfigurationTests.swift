/// What a configuration changes: rights, preparation, foreign keys, readers.
import Foundation
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct ConfigurationTests {
  struct Oops: Error {}

  @Test func `a database that was opened for reading only cannot be written`() throws {
    let open = try Home.queue.open()
    let path = open.directory.path + "/test.sqlite"
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try expect(3) { try queue.read { try Item.fetchCount($0) } }
    let error = #expect(throws: RequestError.self) { try queue.write { try Item.delete().execute($0) } }
    #expect(error?.reason == .readOnly)
    #expect(throws: RequestError.self) { try DatabaseQueue(path: path + ".missing", configuration: configuration) }
  }

  @Test func `a file that cannot be opened says so`() throws {
    let error = #expect(throws: RequestError.self) { try DatabaseQueue(path: "/no/such/folder/x.sqlite") }
    #expect(error?.message.contains("/no/such/folder/x.sqlite") == true)
    #expect(throws: RequestError.self) { try DatabasePool(path: ":memory:") }
  }

  @Test(arguments: Home.embedded)
  func `foreign keys may be off`(home: Home) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let open = try home.open(configuration)
    try open.database.write { try Item.insert { Item.Draft(title: "X", ownerID: 77) }.execute($0) }
    try expect(4) { try open.database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.embedded)
  func `what the preparation throws, opening throws`(home: Home) {
    var configuration = Configuration()
    configuration.prepareDatabase { _ in throw Oops() }
    #expect(throws: Oops.self) { try home.open(configuration) }
  }

  @Test func `readers of a pool are prepared like its writer`() throws {
    let log = Log()
    var configuration = FunctionTests.configuration
    configuration.maximumReaderCount = 2
    configuration.prepareDatabase { _ in log.add("prepared") }
    let open = try Home.pool.open(configuration)
    for _ in 0..<5 {
      try expect("A!") {
        try open.database.read {
          try SQLQueryExpression<String>(function: "shout", [.bind(.text("a")), .bind(.int(1))]).fetchOne($0)
        }
      }
    }
    #expect(log.lines.count == 2)
  }

  @Test(arguments: [Home.tcp, .unix])
  func `a remote database declares its temporary views to the server`(home: Home) throws {
    let base = try home.open()
    let remote = try #require(base.database as? RemoteDatabase)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "CREATE TEMP VIEW \"cheap\" AS SELECT \"title\" FROM \"items\" WHERE \"price\" < 5")
    }
    let prepared = try RemoteDatabase(remote.url, configuration: configuration)
    for _ in 0..<2 {
      let titles = try prepared.read {
        try SQLQueryExpression("SELECT \"title\" FROM \"cheap\"", as: String.self).fetchAll($0)
      }
      #expect(titles == ["Tea"])
    }
  }

  @Test func `a remote database hands TLS and the credential on`() async throws {
    var configuration = Configuration()
    configuration.remote.tls.authorities = "/nowhere/ca.pem"
    configuration.remote.credential = .token("mlt_secret")
    for (url, message) in [
      ("martlet+tls://localhost:1/x", "The file /nowhere/ca.pem of the authorities does not exist."),
      (
        "martlet://db.example:1/x",
        "The credential is not sent to db.example in the clear, where others could read it. Connect to martlet+tls://."
      ),
    ] {
      let remote = try RemoteDatabase(url, configuration: configuration)
      let error = await #expect(throws: (any Error).self) { try await remote.ping() }
      #expect(error.map { "\($0)" } == message)
      await remote.close()
    }
    configuration.remote.allowsCredentialInClear = true
    let open = try RemoteDatabase("martlet://127.1:1/x", configuration: configuration)
    let error = await #expect(throws: (any Error).self) { try await open.ping() }
    #expect(error.map { "\($0)".hasPrefix("Cannot connect") } == true)
    await open.close()
  }

  @Test func `a remote database refuses what it cannot prepare`() throws {
    var functions = Configuration()
    functions.prepareDatabase { $0.add(function: Shout()) }
    let error = #expect(throws: RequestError.self) {
      try RemoteDatabase("martlet://localhost/x", configuration: functions)
    }
    #expect(error?.message.contains("shout") == true)
    var queries = Configuration()
    queries.prepareDatabase { _ = try Item.fetchAll($0) }
    #expect(throws: RequestError.self) { try RemoteDatabase("martlet://localhost/x", configuration: queries) }
  }
}
