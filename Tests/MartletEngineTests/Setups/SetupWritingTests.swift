/// The writer with several setups: one at a time, each in groups of its own, all of it durable.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct SetupWritingTests {
  /// Each setup has a connection that writes, and readers.
  @Test func `a schema that one setup has changed is known to all others at once`() throws {
    let base = try Setups.database()
    let red = try base.session(Setups.notes("red"))
    let blue = try base.session(Setups.notes("blue"))
    let sessions = [try base.session(), red, blue]
    for session in sessions { try session.run(Setups.insert, ["x"]) }
    for (index, session) in sessions.enumerated() {
      let table = "t\(index)"
      try session.sql("CREATE TABLE \(table)(a, b)")
      for other in sessions { try other.sql("INSERT INTO \(table) VALUES(1, 2)") }
      try session.sql("ALTER TABLE \(table) ADD COLUMN c")
      for other in sessions {
        try other.sql("INSERT INTO \(table) VALUES(1, 2, 3)")
        #expect(try other.sql("SELECT * FROM \(table) UNION ALL SELECT 1, 2, 3").count > 3)
      }
    }
  }

  @Test func `writes of two setups that wait together commit in two groups, in the order of each`() throws {
    let base = try Setups.database()
    let red = SetupSession(
      database: try base.session(Setups.notes("red")).database, sink: CollectingSink(session: 2))
    let blue = SetupSession(
      database: try base.session(Setups.notes("blue")).database, sink: CollectingSink(session: 3))
    let plain = try base.session()
    let begun = plain.sink.token()
    let gate = plain.database.begin(.write, deadline: .distantFuture, token: begun, sink: plain.sink)
    _ = plain.sink.outcome(of: begun)
    let before = base.counter("group_commits")
    var tokens: [(SetupSession, RequestToken)] = []
    for index in 0..<50 {
      for session in [red, blue] {
        tokens.append((session, session.start(Setups.insert, [.text("\(index)")])))
      }
    }
    gate.abandon()
    let sequences = tokens.map { $0.0.sink.outcome(of: $0.1).completion?.commitSequence }
    #expect(Set(sequences).count == 2 && !sequences.contains(nil))
    #expect(base.counter("group_commits") - before == 2)
    let titles = (0..<50).map { [Value.text("\($0)")] }
    #expect(try plain.sql("SELECT title FROM items ORDER BY id") == titles + titles)
    #expect(
      try plain.sql("SELECT note, count(*) FROM log GROUP BY note ORDER BY note") == [["blue", 50], ["red", 50]])
  }

  @Test func `setups that write at once lose nothing and never meet a lock, through checkpoints and reopening`() throws
  {
    let directory = TemporaryDirectory()
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.walCheckpointBytes = 64 << 10
    configuration.limits.diskFreeBytesMin = 1 << 20
    let names = ["", "a", "b", "c"]
    do {
      let engine = try Engine(configuration: configuration)
      defer { engine.shutdown() }
      let plain = SetupSession(database: try engine.database(named: "test", create: true))
      for sql in Setups.schema { try plain.sql(sql) }
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: names.count) { index in
        do {
          let setup = names[index].isEmpty ? DatabaseSetup.empty : DatabaseSetup([Setups.notes(names[index])])
          let session = SetupSession(database: try engine.database(named: "test", create: false, setup: setup))
          for _ in 0..<20 {
            let tokens = (0..<20).map { _ in session.start(Setups.insert, ["x"]) }
            for token in tokens {
              if let error = session.sink.outcome(of: token).error { failures.withLock { $0.append("\(error)") } }
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(engine.counters().first { $0.name == "checkpoints" }?.value ?? 0 > 0)
    }
    let engine = try Engine(configuration: configuration)
    defer { engine.shutdown() }
    let plain = SetupSession(database: try engine.database(named: "test", create: false))
    #expect(try plain.sql("SELECT count(*) FROM items") == [[1_600]])
    #expect(
      try plain.sql("SELECT note, count(*) FROM log GROUP BY note ORDER BY note")
        == [["a", 400], ["b", 400], ["c", 400]])
    #expect(try plain.sql("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `a commit of unknown outcome on a setup's connection stops all writing`() throws {
    let fails = Mutex(false)
    let base = try Setups.database { configuration in
      configuration.commitFault = {
        fails.withLock { $0 } ? SQLiteError(extendedCode: SQLiteCode.io, message: "fault") : nil
      }
    }
    let session = try base.session(Setups.notes("x"))
    try session.run(Setups.insert, ["a"])
    fails.withLock { $0 = true }
    let outcome = session.sink.outcome(of: session.start(Setups.insert, ["b"]))
    #expect(outcome.error?.isOutcomeUnknown == true)
    fails.withLock { $0 = false }
    #expect(base.result(Setups.insert, ["c"]).error?.reason == .fenced)
    #expect(session.sink.outcome(of: session.start(Setups.insert, ["c"])).error?.reason == .fenced)
    #expect(try base.sql("SELECT title FROM items").rows == [["a"]])
  }

  @Test func `an old snapshot of any setup makes way for the log`() throws {
    let base = try Setups.database {
      $0.limits.walCheckpointBytes = 32 << 10
      $0.limits.walBytesMax = 128 << 10
    }
    let session = try base.session(Setups.notes("x"))
    let begun = session.sink.token()
    _ = session.database.begin(.read, deadline: .distantFuture, token: begun, sink: session.sink)
    _ = session.sink.outcome(of: begun)
    let text = Value.text(String(repeating: "x", count: 4_096))
    for _ in 0..<100 { try session.run(Setups.insert, [text]) }
    let isEvicted = session.sink.wait(for: begun) { events in
      events.contains {
        if case .transactionEnded(let error, _) = $0 { error.reason == .snapshotEvicted } else { false }
      }
    }
    #expect(isEvicted)
  }
}
