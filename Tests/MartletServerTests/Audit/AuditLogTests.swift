/// The thread that writes the audit log, and the files that it may write to.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct AuditLogTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/audit" }

  init() throws { folder = try TemporaryFolder() }

  private static func event(_ count: Int) -> AuditEvent {
    var event = AuditEvent(.statement)
    event.count = count
    return event
  }

  /// The `count` of each line, with that of what was lost at the end if there is one.
  private func counts(_ path: String) throws -> (counts: [Int], lost: Int) {
    var counts: [Int] = []
    var lost = 0
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      let count = try #require(object["count"] as? Int)
      if object["event"] as? String == "events-lost" { lost += count } else { counts.append(count) }
    }
    return (counts, lost)
  }

  private func counter(_ log: AuditLog, _ name: String) -> Int64 { log.counters.first { $0.name == name }?.value ?? -1 }

  private static func full() throws -> AuditFile {
    AuditFile(descriptor: open("/dev/full", O_WRONLY | O_CLOEXEC), path: "/dev/full")
  }

  @Test func `what is queued at the end is written, in order, by many threads`() throws {
    let log = AuditLog(file: try AuditFile(opening: path), level: .all)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for index in 0..<1_000 { log.note(Self.event(thread * 1_000 + index)) }
    }
    log.close()
    log.note(Self.event(9))
    let found = try counts(path).counts
    #expect(found.sorted() == Array(0..<4_000))
    for thread in 0..<4 {
      let own = found.filter { $0 / 1_000 == thread }
      #expect(own == own.sorted())
    }
    #expect(counter(log, "audit_events") == 4_000 && counter(log, "audit_events_lost") == 1)
  }

  @Test func `a full queue loses events, and says how many once it can`() throws {
    let messages = CapturedLog()
    let log = AuditLog(file: try Self.full(), level: .all, logger: messages.logger, eventsMax: 10)
    let total = 1_000
    for index in 0..<total { log.note(Self.event(index)) }
    try waitUntil(within: .seconds(30)) { counter(log, "audit_write_failures") > 0 }
    // What the thread had taken by the time of the first failure is held beside the ten that wait.
    let lost = Int(counter(log, "audit_events_lost"))
    #expect(lost > 0 && lost < total && messages.lines.count == 1)
    log.goOn(with: try AuditFile(opening: path), level: .all)
    try waitUntil(within: .seconds(30)) {
      counter(log, "audit_events") > 0 && counter(log, "audit_events") >= Int64(total - lost)
    }
    log.close()
    let found = try counts(path)
    #expect(found.counts.count + found.lost == total && found.lost == lost)
    #expect(found.counts == found.counts.sorted())
    #expect(
      messages.lines.map(\.message) == [
        "The audit log cannot be written; it is tried again until it can", "The audit log is written again",
      ])
  }

  @Test func `events with long values fill the queue by their bytes, and short ones by their number`() throws {
    var values = AuditedValues.of(
      [.value(.text(String(repeating: "x", count: 200)))],
      standingFor: [ParameterColumn(parameter: 1, member: 0, table: "t", column: "a")],
      asked: [AuditedColumn(table: "t", column: "a")])
    values = Array(repeating: values[0], count: 100)
    for isLong in [true, false] {
      let log = AuditLog(file: try Self.full(), level: .all, eventsMax: 1_000, eventBytesMax: 1 << 20)
      // The thread holds the first one, and the others wait for it.
      log.note(Self.event(0))
      try waitUntil(within: .seconds(30)) { counter(log, "audit_write_failures") > 0 }
      for index in 1...1_000 {
        var event = Self.event(index)
        if isLong { event.parameters = values }
        log.note(event)
      }
      let taken = 1_000 - Int(counter(log, "audit_events_lost"))
      if isLong {
        #expect((10...52).contains(taken), "each is 20 KB or more: \(taken)")
      } else {
        #expect(taken == 1_000)
      }
      // What was taken is written, and the rest is counted in the file.
      log.goOn(with: try AuditFile(opening: path), level: .all)
      log.close()
      let found = try counts(path)
      #expect(found.counts == Array(0...taken) && found.lost == 1_000 - taken)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `a server ends though its disk is full, and counts what it could not write`() throws {
    let log = AuditLog(file: try Self.full(), level: .all)
    for index in 0..<100 { log.note(Self.event(index)) }
    log.close()
    #expect(counter(log, "audit_events_lost") == 100 && counter(log, "audit_events") == 0)
    #expect(counter(log, "audit_write_failures") >= 1)
  }

  @Test func `a line that one file has the beginning of is whole in the next one`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let log = AuditLog(file: AuditFile(descriptor: ends[1], path: "pipe"), level: .all)
    // More than a pipe holds.
    for index in 0..<5_000 { log.note(Self.event(index)) }
    try waitUntil(within: .seconds(30)) { counter(log, "audit_write_failures") > 0 }
    log.goOn(with: try AuditFile(opening: path), level: .all)
    log.close()
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(ends[0], &bytes, bytes.count)
    let first = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(first.compactMap { $0["count"] as? Int } + (try counts(path).counts) == Array(0..<5_000))
  }

  @Test func `a log without a file takes nothing, and one that is turned off ends`() throws {
    let off = AuditLog()
    off.note(Self.event(1))
    #expect(
      !off.isOn && off.level == nil && !off.wants(writes: true, isRefused: true)
        && counter(off, "audit_events_lost") == 0)
    off.close()
    let log = AuditLog(file: try AuditFile(opening: path), level: .refused)
    #expect(log.isOn && log.wants(writes: false, isRefused: true) && !log.wants(writes: true, isRefused: false))
    log.note(Self.event(1))
    log.goOn(with: nil, level: .all)
    #expect(!log.isOn && log.level == nil)
    log.note(Self.event(2))
    log.goOn(with: try AuditFile(opening: path), level: .refused)
    #expect(log.isOn && log.level == .refused)
    log.note(Self.event(3))
    log.close()
    #expect(try counts(path).counts == [1, 3])
  }

  @Test func `the file is made for its owner alone, and one that others write or that is none is refused`() throws {
    let mask = umask(0)
    let file = try AuditFile(opening: path)
    umask(mask)
    withExtendedLifetime(file) {}
    func mode() -> Int {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0
    }
    #expect(mode() == 0o600)
    func fault(_ path: String) -> String? {
      let told = AuditFile.fault(at: path)?.message
      do throws(ServerError) {
        _ = try AuditFile(opening: path)
        #expect(told == nil, "\(path)")
        return nil
      } catch {
        #expect(told == error.message)
        return error.message
      }
    }
    for (mode, isTaken) in [
      (0o600, true), (0o640, true), (0o400, getuid() == 0), (0o660, false), (0o620, false), (0o604, false),
      (0o602, false),
    ] {
      #expect(chmod(path, mode_t(mode)) == 0)
      let found = fault(path)
      #expect((found == nil) == isTaken || mode == 0o400, "\(String(mode, radix: 8)): \(found ?? "")")
    }
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
    #expect(fault(folder.path + "/link")?.contains("is a link, which is not followed") == true)
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(fault(folder.path + "/pipe")?.contains("is no ordinary file") == true)
    #expect(fault("/dev/full")?.contains("is no ordinary file") == true)
    #expect(fault(folder.path + "/none/audit")?.contains("cannot be opened (No such file or directory)") == true)
    // Whoever only asks makes no file.
    #expect(AuditFile.fault(at: folder.path + "/new") == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
  }

  @Test func `the end of a line that somebody else left out is written first`() throws {
    _ = FileManager.default.createFile(
      atPath: path, contents: Data("{\"count\":1}\n{\"cou".utf8), attributes: [.posixPermissions: 0o600])
    let log = AuditLog(file: try AuditFile(opening: path), level: .all)
    log.note(Self.event(2))
    log.close()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3 && lines[1] == "{\"cou" && lines[2].hasPrefix("{\"time\""))
  }
}
