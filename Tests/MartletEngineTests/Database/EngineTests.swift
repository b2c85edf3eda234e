/// Directories, names, locks and the opening and closing of databases.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct EngineTests {
  @Test func `what was written is there after the engine was closed and opened again`() throws {
    let directory = TemporaryDirectory()
    let configuration = EngineConfiguration(directory: directory.path + "/a/b")
    for round in 0..<2 {
      let engine = try Engine(configuration: configuration)
      let database = try engine.database(named: "shop", create: round == 0)
      let sink = CollectingSink()
      func run(_ sql: String) -> CollectingSink.Outcome {
        let token = sink.token()
        _ = database.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
        return sink.outcome(of: token)
      }
      if round == 0 {
        let created = run("CREATE TABLE t(a)")
        #expect(created.error == nil)
        #expect(run("INSERT INTO t VALUES (7)").completion?.rowsChanged == 1)
        #expect(database.commitSequence - 1 == created.completion?.commitSequence)
      } else {
        #expect(run("SELECT a FROM t").rows == [[7]])
      }
      engine.shutdown()
      #expect(run("SELECT 1").error?.reason == .shuttingDown)
    }
    // The last connection tidied the log away.
    #expect(!FileManager.default.fileExists(atPath: configuration.directory + "/shop.sqlite-wal"))
    let attributes = try FileManager.default.attributesOfItem(atPath: configuration.directory)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a second engine on the same directory refuses to start`() throws {
    let directory = TemporaryDirectory()
    let configuration = EngineConfiguration(directory: directory.path)
    let first = try Engine(configuration: configuration)
    #expect(throws: RequestError.self) { try Engine(configuration: configuration) }
    first.shutdown()
    let second = try Engine(configuration: configuration)
    second.shutdown()
  }

  @Test func `a name that is no plain name is refused before the disk is asked`() throws {
    let directory = TemporaryDirectory()
    let engine = try Engine(configuration: EngineConfiguration(directory: directory.path))
    for name in ["", ".", "..", "a/b", "a.b", "ä", "a b", "a\0", String(repeating: "a", count: 65)] {
      #expect(throws: RequestError.databaseNameInvalid) { try engine.database(named: name, create: true) }
    }
    #expect(throws: RequestError.databaseUnknown("absent")) { try engine.database(named: "absent", create: false) }
    _ = try engine.database(named: String(repeating: "Z", count: 64), create: true)
  }

  @Test func `a directory takes so many databases, and another one when one is dropped`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.databasesInDirectoryMax = 3
    let engine = try Engine(configuration: configuration)
    defer { engine.shutdown() }
    for name in ["a", "b"] { _ = try engine.database(named: name, create: true) }
    try engine.createDatabase(named: "c")
    #expect(throws: RequestError.directoryFull(3)) { try engine.database(named: "d", create: true) }
    #expect(throws: RequestError.directoryFull(3)) { try engine.createDatabase(named: "d") }
    #expect(throws: RequestError.databaseUnknown("d")) { try engine.database(named: "d", create: false) }
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/d.sqlite"))
    // Those that are there open as before.
    _ = try engine.database(named: "c", create: true)
    try engine.dropDatabase(named: "b") {}
    _ = try engine.database(named: "d", create: true)
  }

  @Test func `no database is made while the disk is almost full, and those that are there open`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    let before = try Engine(configuration: configuration)
    _ = try before.database(named: "a", create: true)
    before.shutdown()
    configuration.limits.diskFreeBytesMin = 1 << 50
    let engine = try Engine(configuration: configuration)
    defer { engine.shutdown() }
    _ = try engine.database(named: "a", create: true)
    #expect(throws: RequestError.diskTooFullForDatabase) { try engine.database(named: "b", create: true) }
    #expect(throws: RequestError.diskTooFullForDatabase) { try engine.createDatabase(named: "b") }
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/b.sqlite"))
  }

  @Test func `databases that nobody holds make room, and held ones do not`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.databasesOpenMax = 2
    let engine = try Engine(configuration: configuration)
    let held = try engine.database(named: "held", create: true)
    for name in ["a", "b", "c"] { _ = try engine.database(named: name, create: true) }
    let counters = Dictionary(uniqueKeysWithValues: engine.counters().map { ($0.name, $0.value) })
    #expect(counters["databases_open"] == 2)
    let second = try engine.database(named: "d", create: true)
    #expect(throws: RequestError.self) { try engine.database(named: "e", create: true) }
    #expect(held.name == "held" && second.name == "d")
  }

  @Test func `rows that writes change are counted, and the bytes of those that they return`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    let engine = try Engine(configuration: configuration)
    defer { engine.shutdown() }
    let database = try engine.database(named: "a", create: true)
    func counts(after sql: String) -> [Int64] {
      let sink = CollectingSink()
      let token = sink.token()
      _ = database.start(
        StatementRequest(source: .statement(Trees.raw(sql)), parameters: []), token: token, sink: sink)
      _ = sink.outcome(of: token)
      let all = Dictionary(uniqueKeysWithValues: engine.counters().map { ($0.name, $0.value) })
      return [all["write_rows"] ?? -1, all["write_bytes_returned"] ?? -1]
    }
    #expect(counts(after: "CREATE TABLE t(a INTEGER PRIMARY KEY)") == [0, 0])
    #expect(counts(after: "INSERT INTO t VALUES(1), (2), (3)") == [3, 0])
    #expect(counts(after: "INSERT INTO t VALUES(4), (1)") == [3, 0], "it failed")
    let returned = counts(after: "UPDATE t SET a = a + 10 WHERE a > 1 RETURNING a")
    #expect(returned[0] == 5 && returned[1] > 0)
    #expect(counts(after: "DELETE FROM t") == [8, returned[1]])
  }

  @Test func `a subject that has as many databases open as it may leaves room for the others`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.databasesOpenMax = 8
    let engine = try Engine(configuration: configuration)
    func subject(_ number: UInt64) -> Subject {
      Subject(origin: .address(high: 0, low: number, isThisMachine: false), permissions: .all)
    }
    var held = try (0..<8).map { try engine.database(named: "a\($0)", create: true, subject: subject(1)) }
    let refusal = #expect(throws: RequestError.self) {
      try engine.database(named: "a8", create: true, subject: subject(1))
    }
    #expect(refusal?.reason == .limit && refusal?.isRetryable == true)
    #expect(refusal?.message.hasPrefix("You have 8 databases in use") == true)
    let other = try engine.database(named: "b", create: true, subject: subject(2))
    let full = #expect(throws: RequestError.self, "for all of them there are nine") {
      try engine.database(named: "c", create: true, subject: subject(3))
    }
    #expect(full?.message.hasPrefix("All clients together have 9 databases in use") == true)
    held.removeLast()
    let another = try engine.database(named: "c", create: true, subject: subject(3))
    #expect(other.name == "b" && another.name == "c")
  }

  @Test func `those that have many databases take none from one that has few, and leave places for newcomers`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.databasesOpenMax = 24
    let engine = try Engine(configuration: configuration)
    func subject(_ number: UInt64) -> Subject {
      Subject(origin: .address(high: 0, low: number, isThisMachine: false), permissions: .all)
    }
    // 27 in all, of which one is kept for those that have none.
    func sleeper() throws -> DatabaseNap? {
      engine.nap(try engine.database(named: "mine", create: true, subject: subject(9)))
    }
    let asleep = try #require(try sleeper())
    var held: [Database] = []
    for number in 0..<40 {
      let owner = subject(UInt64(number % 2))
      if let database = try? engine.database(named: "a\(number)", create: true, subject: owner) {
        held.append(database)
      }
    }
    #expect(held.count == 25)
    // It was not closed for them.
    let woken = try asleep.wake(for: subject(9))
    #expect(woken.name == "mine")
    let newcomer = try engine.database(named: "new", create: true, subject: subject(7))
    #expect(newcomer.name == "new")
    let counters = Dictionary(uniqueKeysWithValues: engine.counters().map { ($0.name, $0.value) })
    #expect(counters["databases_open"] == 27)
  }

  @Test func `a database counts for whoever made it, also if nobody used it since, and closes for others`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.databasesOpenMax = 8
    let engine = try Engine(configuration: configuration)
    func subject(_ number: UInt64) -> Subject {
      Subject(origin: .address(high: 0, low: number, isThisMachine: false), permissions: .all)
    }
    // More than may be open at once: those that nobody uses close.
    for number in 0..<20 { try engine.createDatabase(named: "a\(number)", subject: subject(1)) }
    var held = try (0..<8).map { try engine.database(named: "a\($0)", create: false, subject: subject(1)) }
    let refusal = #expect(throws: RequestError.self) { try engine.createDatabase(named: "b", subject: subject(1)) }
    #expect(refusal?.message.hasPrefix("You have 8 databases in use") == true)
    held.removeAll()
    // Made by the program itself: they are nobody's, and in nobody's way.
    for number in 0..<8 { try engine.createDatabase(named: "c\(number)") }
    let others = try (8..<16).map { try engine.database(named: "a\($0)", create: false, subject: subject(2)) }
    #expect(others.count == 8)
  }

  @Test func `who has all databases is asked to let go of one that is not used, and has it again when it is`() throws {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.databasesOpenMax = 1
    let engine = try Engine(configuration: configuration)
    let held = Mutex<Database?>(try engine.database(named: "first", create: true))
    let nap = Mutex<DatabaseNap?>(nil)
    engine.whenFull { names in
      guard let database = held.withLock({ $0 }), names.contains(database.name) else { return false }
      nap.withLock { $0 = engine.nap(database) }
      held.withLock { $0 = nil }
      return true
    }
    _ = try engine.database(named: "second", create: true)
    #expect(held.withLock { $0 } == nil)
    #expect(throws: RequestError.self, "it sleeps, and somebody has it") {
      try engine.dropDatabase(named: "first", endSessions: nil)
    }
    let woken = try nap.withLock { $0 }?.wake(for: .program)
    #expect(woken?.name == "first")
    nap.withLock { $0 = nil }
    engine.whenFull { _ in false }
    #expect(throws: RequestError.self) { try engine.database(named: "second", create: false) }
  }

  @Test func `an idle database is closed and opened again on demand`() throws {
    let directory = TemporaryDirectory()
    let clock = ManualClock()
    var configuration = EngineConfiguration(directory: directory.path, clock: clock.read)
    configuration.limits.databaseIdleMs = 1_000
    let engine = try Engine(configuration: configuration)
    func open() -> Int64 { engine.counters().first { $0.name == "databases_open" }?.value ?? 0 }
    _ = try engine.database(named: "a", create: true)
    #expect(open() == 1)
    clock.advance(milliseconds: 1_000)
    try waitUntil("the engine closes it by itself") { open() == 0 }
    _ = try engine.database(named: "a", create: false)
    #expect(open() == 1)
  }
}
