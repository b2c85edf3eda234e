import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletDatabase

/// Many tasks that write to one embedded database: they share syncs, and nobody is told of a commit before the disk has
/// it.
@Suite(.timeLimit(.minutes(5))) struct SharedSyncTests {
  /// States of a disk after a loss of power that one case opens.
  private static let states = scale("MARTLET_POWER_LOSS_STATES", otherwise: 200)

  /// When those who read say so.
  private enum Telling {
    /// When `read` has returned.
    case afterRead
    /// Inside of the closure: what a careless library would do.
    case inClosure
  }

  /// What all tasks of a load know together.
  private final class Ledger: Sendable {
    private struct State {
      var model = LoadModel()
      var unit = 0
      var sequence: UInt64 = 0
    }

    private let state = Mutex(State())

    var model: LoadModel { state.withLock(\.model) }

    func start(rows: Int) -> Int {
      state.withLock { state in
        state.unit += 1
        state.model.started(state.unit, rows: rows)
        return state.unit
      }
    }

    /// The closure that wrote it is the one that holds the writer.
    func nextSequence() -> UInt64 {
      state.withLock { state in
        state.sequence += 1
        return state.sequence
      }
    }

    func ended(_ unit: Int, _ sequence: UInt64) {
      state.withLock { $0.model.ended(unit, .committed(sequence: sequence)) }
    }
  }

  private static func open(_ directory: TemporaryDirectory, isPool: Bool, shares: Bool = true) throws
    -> any DatabaseWriter
  {
    var configuration = Configuration()
    configuration.sharesSyncs = shares
    let path = directory.path + "/app.sqlite"
    return isPool
      ? try DatabasePool(path: path, configuration: configuration)
      : try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Writes units of one to three rows in many tasks, with reads and checkpoints beside them.
  private static func record(
    isPool: Bool, writes: Int, telling: Telling = .afterRead, shares: Bool = true, syncMicroseconds: Int = 500
  ) async throws -> (log: DiskLog, model: LoadModel, syncs: Int) {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    disk.slowSyncs(microseconds: syncMicroseconds)
    let database = try open(directory, isPool: isPool, shares: shares)
    try await database.write { db in try db.execute(sql: PlainLoad.schema) }
    disk.directorySynced()
    let ledger = Ledger()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<writes / 8 {
            let rows = 1 + (task + number) % 3
            let unit = ledger.start(rows: rows)
            let sequence = try await database.write { db in
              let body = "hex(zeroblob(\(100 + unit % 1_000)))"
              for part in 0..<rows {
                try db.execute(sql: "INSERT INTO ledger VALUES (\(unit), \(part), \(1 + part), \(body))")
              }
              return ledger.nextSequence()
            }
            ledger.ended(unit, sequence)
            disk.acknowledged(unit: unit)
            guard number % 16 == 7, task == 0 else { continue }
            try await database.writeWithoutTransaction { db in
              try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
            }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<writes / 8 {
            let units = try await database.read { db in
              let units = try Int.fetchAll(db, sql: "SELECT unit FROM ledger GROUP BY unit ORDER BY unit DESC LIMIT 6")
              if telling == .inClosure { for unit in units { disk.acknowledged(unit: unit) } }
              return units
            }
            if telling == .afterRead { for unit in units { disk.acknowledged(unit: unit) } }
          }
        }
      }
      try await group.waitForAll()
    }
    (database as? DatabasePool)?.close()
    (database as? DatabaseQueue)?.close()
    let log = disk.recorded
    let syncs = log.entries.reduce(0) { count, entry in if case .synced = entry { count + 1 } else { count } }
    return (log, ledger.model, syncs)
  }

  @Test(arguments: [true, false])
  func `no loss of power takes what a write or a read returned`(isPool: Bool) async throws {
    let run = try await Self.record(isPool: isPool, writes: 240)
    let report = PowerLossReport(
      log: run.log, model: run.model, database: "app.sqlite", states: Self.states, seed: 5)
    print("power loss, embedded, \(isPool ? "pool" : "queue"), \(run.syncs) syncs of 240 writes: \(report.summary)")
    #expect(report.isClean, "\(report.summary) \(report.examples)")
    #expect(run.syncs < 200, "so many syncs: \(run.syncs)")
  }

  @Test func `without sharing each commit has a sync of its own`() async throws {
    let run = try await Self.record(isPool: true, writes: 80, shares: false)
    let report = PowerLossReport(log: run.log, model: run.model, database: "app.sqlite", states: 40, seed: 6)
    #expect(report.isClean, "\(report.summary) \(report.examples)")
    #expect(run.syncs >= 80, "so many syncs: \(run.syncs)")
  }

  @Test func `a write that is told of before its sync is caught, and so is a read`() async throws {
    let run = try await Self.record(isPool: true, writes: 120)
    let early = PowerLossReport(
      log: run.log.withEarlyAcknowledgements, model: run.model, database: "app.sqlite", states: 60, seed: 7)
    #expect(early.lost > 0, "\(early.summary)")
    // Whether a read falls between a commit and its sync is a matter of chance, which a slow sync makes likely.
    var lost: [Int] = []
    for seed in 8...12 as ClosedRange<UInt64> where (lost.last ?? 0) == 0 {
      let careless = try await Self.record(isPool: true, writes: 240, telling: .inClosure, syncMicroseconds: 3_000)
      let report = PowerLossReport(
        log: careless.log, model: careless.model, database: "app.sqlite", states: 200, seed: seed)
      lost.append(report.lost)
    }
    #expect((lost.last ?? 0) > 0, "\(lost)")
  }

  @Test func `after a sync that failed everybody is told, until the database is opened again`() async throws {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    let database = try DatabasePool(path: directory.path + "/app.sqlite")
    try await database.write { db in try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") }
    disk.arm(DiskFault(.sync, on: .log, number: 1))
    let first = await #expect(throws: RequestError.self) {
      try await database.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    #expect(first?.isOutcomeUnknown == true)
    #expect(first?.reason == .fenced)
    for isRead in [true, false] {
      let later = await #expect(throws: RequestError.self) {
        if isRead {
          _ = try await database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
        } else {
          try await database.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") }
        }
      }
      #expect(later?.reason == .fenced && later?.isOutcomeUnknown == false, "\(String(describing: later))")
    }
    database.close()
    disk.arm(nil)
    let again = try DatabasePool(path: directory.path + "/app.sqlite")
    try await again.write { db in try db.execute(sql: "INSERT INTO t VALUES (4)") }
    let rows = try await again.read { db in try Int.fetchAll(db, sql: "SELECT x FROM t ORDER BY x") }
    #expect(rows.first == 1 && rows.last == 4 && !rows.contains(3), "\(rows)")
  }

  @Test func `whoever waits for a commit that comes to nothing is told, and observers hear in their order meanwhile`() {
    let syncs = SharedSyncs()
    let heard = Mutex<[String]>([])
    let hear = { @Sendable (word: String) in heard.withLock { $0.append(word) } }
    let number = syncs.commitBegins()
    #expect(syncs.lastSeen == number)
    syncs.settle(number) { error in hear(error == nil ? "there" : "unknown") }
    #expect(heard.withLock { $0 } == [])
    // What comes while others are being told is told as well, and nothing has to follow it.
    syncs.afterAll {
      hear("first")
      syncs.afterAll { hear("second") }
    }
    #expect(heard.withLock { $0 } == ["first", "second"])
    syncs.commitNeedsNoSync()
    #expect(heard.withLock { $0 } == ["first", "second", "there"])
    #expect(syncs.settle(number) == nil)
  }

  @Test func `where the log of a commit cannot be synced any more nobody can say, and nothing is taken after it`() {
    let syncs = SharedSyncs()
    let heard = Mutex<[String]>([])
    let number = syncs.commitBegins()
    syncs.commitMade(in: nil) { heard.withLock { $0.append("observer") } }
    #expect(syncs.settle(number)?.isOutcomeUnknown == true)
    #expect(syncs.hasFailed && heard.withLock { $0 } == ["observer"])
  }

  @Test func `observers hear of a commit when the disk has it, in the order of commits`() async throws {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    disk.slowSyncs(microseconds: 2_000)
    let database = try DatabasePool(path: directory.path + "/app.sqlite")
    try await database.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    let observation = ValueObservation.tracking { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0 }
    let watching = Task {
      var last = -1
      for try await count in observation.values(in: database) {
        #expect(count >= last)
        last = count
        if count == 40 { return }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5 { try await database.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") } }
        }
      }
      try await group.waitForAll()
    }
    try await watching.value
  }
}
