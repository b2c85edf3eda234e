/// A database that could not be made: nothing of it is left, and whoever tries again makes it.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct DiscardedFilesTests {
  private let directory = TemporaryDirectory()
  private let disk: RecordingDisk
  private let engine: Engine

  init() throws {
    disk = RecordingDisk(directory: directory.path)
    var configuration = EngineConfiguration(directory: directory.path)
    configuration.limits.diskFreeBytesMin = 1 << 20
    engine = try Engine(configuration: configuration)
  }

  private func files(of name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix(name) }
  }

  static let faults: [DiskFault] = [.open, .write, .read, .truncate, .sync].map { DiskFault($0, number: 1) }

  @Test(arguments: faults)
  func `a database that the disk keeps from being made can be made when the disk allows it`(fault: DiskFault) throws {
    defer { engine.shutdown() }
    var failures = 0
    // At each operation of making one, until it is made without meeting the fault.
    for number in 1...100 {
      let name = "made\(number)"
      disk.arm(DiskFault(fault.operation, number: number))
      var error: RequestError?
      do throws(RequestError) { try engine.createDatabase(named: name) } catch let refusal { error = refusal }
      let isMet = disk.faultsMet > 0
      disk.arm(nil)
      if error != nil {
        failures += 1
        #expect(try files(of: name + ".").isEmpty, "\(fault.operation) \(number)")
        try engine.createDatabase(named: name)
      }
      _ = try engine.database(named: name, create: false)
      if !isMet { break }
      #expect(number < 100, "it met the fault each time")
    }
    if fault.operation == .open || fault.operation == .write { #expect(failures > 0) }
  }

  @Test func `an old database that cannot be opened stays where it is`() throws {
    do {
      let database = try engine.database(named: "old", create: true)
      withExtendedLifetime(database) {}
    }
    engine.shutdown()
    let again = try Engine(configuration: EngineConfiguration(directory: directory.path))
    defer { again.shutdown() }
    disk.arm(DiskFault(.open, number: 1))
    #expect(throws: RequestError.self) { _ = try again.database(named: "old", create: true) }
    disk.arm(nil)
    #expect(try files(of: "old.sqlite").contains("old.sqlite"))
    _ = try again.database(named: "old", create: false)
  }
}
