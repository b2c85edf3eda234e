/// Disks that fail at any operation: nothing that was acknowledged is lost, and nothing is acknowledged after a failed
/// sync.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct DiskFaultTests {
  struct Case: Sendable, CustomStringConvertible {
    var operation: DiskFault.Operation
    var kind = DiskFault.Kind.failed
    var files = DiskFault.Files.any
    var isPersistent: Bool

    func fault(_ number: Int) -> DiskFault {
      DiskFault(operation, kind, on: files, number: number, isPersistent: isPersistent)
    }

    var description: String {
      "\(operation.rawValue) of \(files.rawValue) \(kind.rawValue)\(isPersistent ? ", for good" : "")"
    }
  }

  static let cases: [Case] = [true, false].flatMap { isPersistent in
    let writes = DiskFault.Kind.allCases.map { Case(operation: .write, kind: $0, isPersistent: isPersistent) }
    return writes + [
      Case(operation: .write, kind: .torn, files: .database, isPersistent: isPersistent),
      Case(operation: .sync, files: .log, isPersistent: isPersistent),
      Case(operation: .sync, files: .database, isPersistent: isPersistent),
      Case(operation: .truncate, isPersistent: isPersistent), Case(operation: .read, isPersistent: isPersistent),
    ]
  }

  /// Every position in a long run, fewer and fewer of them otherwise.
  private static func next(_ number: Int) -> Int {
    scale("MARTLET_DISK_FAULTS_ALL", otherwise: 0) != 0 ? number + 1 : number * 3
  }

  @Test(arguments: cases) func `a disk that fails once or for good costs nothing that was acknowledged`(
    fault: Case
  ) throws {
    var number = 1
    var positions = 0
    while try run(fault.fault(number)) {
      positions += 1
      number = Self.next(number)
    }
    print("disk faults, \(fault): \(positions) positions up to \(number - 1)")
    #expect(positions > 0 || fault.operation == .truncate)
  }

  /// False if the load ended without meeting the fault.
  private func run(_ fault: DiskFault) throws -> Bool {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    configuration.limits.walCheckpointBytes = 48 << 10
    let engine = try Engine(configuration: configuration)
    let database = try engine.database(named: "test", create: true)
    disk.directorySynced()
    var load = EngineLoad(database: database, disk: disk, seed: UInt64(fault.number))
    #expect(load.makeSchema() == nil)
    disk.arm(fault)
    load.run(waves: 5)
    let isMet = disk.faultsMet > 0
    let isFenced = database.isFenced
    if fault.operation != .read { checkReads(database, fault) }
    engine.shutdown()
    let shutdownMet = disk.faultsMet > 0
    disk.arm(nil)
    let model = load.model
    let log = disk.recorded
    let entries = log.entries
    let failedSync = entries.firstIndex { if case .syncFailed = $0 { true } else { false } }
    if let failedSync {
      let isAcknowledged = entries[failedSync...].contains { if case .acknowledged = $0 { true } else { false } }
      #expect(!isAcknowledged, "\(fault): acknowledged after a failed sync")
      #expect(isFenced || !isMet, "\(fault): not fenced")
    }
    let told = Set(entries.compactMap { if case .acknowledged(let unit) = $0 { unit } else { nil } })
    let wrong = model.judge(StockDatabase.finding(at: "\(directory.path)/test.sqlite"), acknowledged: told)
    #expect(wrong.isEmpty, "\(fault): \(wrong)")
    let report = PowerLossReport(log: log, model: model, database: "test.sqlite", states: 3, seed: 1)
    #expect(report.isClean, "\(fault), power lost afterwards: \(report.summary) \(report.examples)")
    return isMet || shutdownMet
  }

  /// Reads go on, whatever the disk does to writes.
  private func checkReads(_ database: Database, _ fault: DiskFault) {
    let sink = CollectingSink()
    let token = sink.token()
    let select = Trees.select(["unit"], from: "ledger")
    _ = database.start(StatementRequest(source: .statement(select)), token: token, sink: sink)
    let error = sink.outcome(of: token).error
    #expect(error == nil, "\(fault): \(String(describing: error))")
  }

  /// SQLite takes a quota, and a limit on how long files may be, for a disk that fails.
  @Test func `a quota refuses the write as a full disk does, and writes resume by themselves`() throws {
    let directory = TemporaryDirectory()
    let disk = RecordingDisk(directory: directory.path)
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    let engine = try Engine(configuration: configuration)
    defer { engine.shutdown() }
    let database = try engine.database(named: "test", create: true)
    let sink = CollectingSink()
    func run(_ sql: String) -> RequestError? {
      let token = sink.token()
      _ = database.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
      return sink.outcome(of: token).error
    }
    #expect(run("CREATE TABLE t(a)") == nil)
    disk.arm(DiskFault(.write, .quota, number: 1, isPersistent: true))
    for _ in 0..<3 {
      let error = try #require(run("INSERT INTO t VALUES (1)"))
      #expect(error.code == .resourceExhausted && !error.isOutcomeUnknown, "\(error)")
      #expect(error.message.contains("quota"))
    }
    #expect(disk.faultsMet > 0 && !database.isFenced)
    disk.arm(nil)
    #expect(run("INSERT INTO t VALUES (2)") == nil)
    let token = sink.token()
    let select = StatementRequest(source: .statement(Trees.raw("SELECT a FROM t")))
    _ = database.start(select, token: token, sink: sink)
    #expect(sink.outcome(of: token).rows == [[.integer(2)]])
  }

  @Test func `a file that cannot be opened is an error, and opens when it can be`() throws {
    var number = 1
    var failures = 0
    while true {
      let directory = TemporaryDirectory()
      let disk = RecordingDisk(directory: directory.path)
      var configuration = EngineConfiguration(directory: directory.path)
      configuration.limits.diskFreeBytesMin = 1 << 20
      let engine = try Engine(configuration: configuration)
      defer { engine.shutdown() }
      disk.arm(DiskFault(.open, number: number))
      let opened = Result { () throws(RequestError) in try engine.database(named: "test", create: true) }
      let isMet = disk.faultsMet > 0
      disk.arm(nil)
      if case .failure(let error) = opened {
        failures += 1
        #expect(error.code == .unavailable, "\(error)")
      }
      let database = try engine.database(named: "test", create: true)
      var load = EngineLoad(database: database, disk: disk, seed: 1)
      #expect(load.makeSchema() == nil)
      load.run(waves: 1)
      if !isMet { break }
      number += 1
    }
    #expect(failures > 0)
  }
}
