import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

/// After a loss of power at any moment the disk holds everything that was acknowledged, and nothing by halves.
@Suite struct PowerLossTests {
  /// States that all cases of this suite open together.
  static let states = scale("MARTLET_POWER_LOSS_STATES", otherwise: 500)

  /// Runs a seeded load on an engine whose log is short, so that it is checkpointed and reset often.
  static func record(
    seed: UInt64, waves: Int, configure: (inout EngineConfiguration) -> Void = { _ in },
    prepare: (RecordingDisk) -> Void = { _ in }
  ) throws -> (log: DiskLog, model: LoadModel, checkpoints: Int64, inlineReads: Int) {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    disk.slowSyncs(microseconds: 300)
    prepare(disk)
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    configuration.limits.walCheckpointBytes = 64 << 10
    configure(&configuration)
    let engine = try Engine(configuration: configuration)
    let database = try engine.database(named: "test", create: true)
    disk.directorySynced()
    var load = EngineLoad(database: database, disk: disk, seed: seed)
    #expect(load.makeSchema() == nil)
    let reader = LoadReader(database: database, sink: load.sink)
    reader.start()
    load.run(waves: waves)
    reader.end()
    func counter(_ name: String) -> Int64 { engine.counters().first { $0.name == name }?.value ?? 0 }
    let checkpoints = counter("checkpoints")
    engine.shutdown()
    return (disk.recorded, load.model, checkpoints, reader.readsInline.load(ordering: .relaxed))
  }

  @Test(arguments: [11, 12]) func `no loss of power takes what was told by a commit or a read, or leaves half of it`(
    seed: UInt64
  ) throws {
    let run = try Self.record(seed: seed, waves: max(25, Self.states / 50))
    #expect(run.checkpoints > 3)
    #expect(run.inlineReads > 0)
    let report = PowerLossReport(
      log: run.log, model: run.model, database: "test.sqlite", states: Self.states / 2, seed: seed,
      alsoOpen: Connection.finding)
    print("power loss, seed \(seed), \(run.inlineReads) reads on a loop: \(report.summary)")
    #expect(report.isClean, "\(report.summary) \(report.examples)")
    #expect(report.states >= Self.states * 4 / 10)
  }

  @Test func `what a killed process left in the log is on the disk before anybody sees it`() throws {
    let former = TemporaryDirectory()
    let engine = try Engine(configuration: EngineConfiguration(directory: former.path))
    defer { engine.shutdown() }
    let database = try engine.database(named: "test", create: true)
    let load = EngineLoad(database: database, disk: RecordingDisk(directory: former.path), seed: 5)
    #expect(load.makeSchema() == nil)

    // As a kill leaves it: the log is there, and nobody has copied it into the file.
    let directory = TemporaryDirectory()
    for name in ["test.sqlite", "test.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: "\(former.path)/\(name)", toPath: "\(directory.path)/\(name)")
    }
    let disk = RecordingDisk(directory: directory.path)
    let later = try Engine(configuration: EngineConfiguration(directory: directory.path))
    defer { later.shutdown() }
    _ = try later.database(named: "test", create: false)
    #expect(disk.syncedNames.contains("test.sqlite-wal"), "\(disk.syncedNames)")
  }

  // MARK: - What the replayer must catch

  @Test func `an engine's reply before its sync is caught`() throws {
    let run = try Self.record(seed: 21, waves: 10)
    let report = PowerLossReport(
      log: run.log.withEarlyAcknowledgements, model: run.model, database: "test.sqlite", states: 60, seed: 1)
    #expect(report.lost > 0, "\(report.summary)")
  }

  @Test func `a disk that skips syncs is caught`() throws {
    let run = try Self.record(seed: 22, waves: 10, prepare: { $0.skipSyncs() })
    let report = PowerLossReport(
      log: run.log, model: run.model, database: "test.sqlite", states: 60, seed: 1)
    #expect(report.lost > 0, "\(report.summary)")
  }

  @Test(arguments: PlainLoad.Misdeed.allCases)
  func `a program that writes wrongly is caught, and the same one without the misdeed is not`(
    misdeed: PlainLoad.Misdeed
  ) throws {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    var load = PlainLoad(disk: disk)
    try load.run(misdeed, groups: 30, seed: 7)
    let report = PowerLossReport(
      log: disk.recorded, model: load.model, database: "plain.sqlite", states: 70, seed: 3)
    print("power loss, \(misdeed): \(report.summary)")
    if misdeed == .none {
      #expect(report.isClean, "\(report.summary) \(report.examples)")
    } else {
      #expect(report.lost + report.partial + report.disordered + report.damaged > 0, "\(report.summary)")
    }
  }
}
