/// Signals at the earliest moment at which somebody may send one: as soon as the ready file is there.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SignalTests {
  private static let rounds = 20

  /// A server that was sent `signals` in the same instant in which its ready file came into being.
  private func server(_ signals: [Int32], in folder: TemporaryFolder) throws -> Process {
    let config = folder.path + "/m.toml"
    try "data = \"d\"\nlisten = [\"martlet+unix://\(folder.path)/s\"]\n".write(
      toFile: config, atomically: true, encoding: .utf8)
    let ready = folder.path + "/ready"
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = ["serve", "--config", config, "--ready-file", ready, "--log-level", "error"]
    try process.run()
    // Without a pause, which a wait elsewhere has: what is looked for is over within a millisecond.
    let end = ContinuousClock.now + .seconds(60)
    while access(ready, F_OK) != 0, process.isRunning, ContinuousClock.now < end {}
    let isReady = access(ready, F_OK) == 0
    if !isReady { process.terminate() }
    try #require(isReady, "the server was not ready within a minute, or ended before it was")
    for signal in signals { kill(process.processIdentifier, signal) }
    return process
  }

  /// From the moment on at which the process catches the signal; before that it has read nothing.
  @Test func `a server that is asked to read its file again while it starts goes on and does so`() throws {
    for _ in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      let process = Process()
      let config = folder.path + "/m.toml"
      try "data = \"d\"\nlisten = [\"martlet+unix://\(folder.path)/s\"]\n".write(
        toFile: config, atomically: true, encoding: .utf8)
      process.executableURL = URL(filePath: try ServerProcess.program())
      process.arguments = [
        "serve", "--config", config, "--ready-file", folder.path + "/ready", "--log-level", "notice",
      ]
      let log = folder.path + "/log"
      try #require(FileManager.default.createFile(atPath: log, contents: nil))
      process.standardError = FileHandle(forWritingAtPath: log)
      try process.run()
      defer { process.terminate() }
      let end = ContinuousClock.now + .seconds(60)
      while !catchesHangUp(process), process.isRunning, ContinuousClock.now < end {}
      kill(process.processIdentifier, SIGHUP)
      func text() throws -> String { try String(contentsOfFile: log, encoding: .utf8) }
      try waitUntil(within: .seconds(60)) { try !process.isRunning || text().contains("Reloaded") }
      let isReloaded = try text().contains("Reloaded")
      process.terminate()
      process.waitUntilExit()
      try #require(isReloaded && process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }

  /// Whether the process is the server by now, and has a handler for SIGHUP, as the system knows.
  private func catchesHangUp(_ process: Process) -> Bool {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.processIdentifier)/exe")
    guard program?.hasSuffix("/martlet") == true else { return false }
    let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let mask = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    return mask & 1 != 0
  }

  @Test func `without a file the signal ends a server gracefully, unless it was started to stay`() throws {
    for isIgnored in [false, true] {
      let folder = try TemporaryFolder()
      let ready = folder.path + "/ready"
      let process = Process()
      let serve = [
        try ServerProcess.program(), "serve", "--data", folder.path + "/d", "--listen",
        "martlet+unix://\(folder.path)/s", "--ready-file", ready, "--log-level", "error",
      ]
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", (isIgnored ? "trap '' HUP; " : "") + "exec \"$@\"", "sh"] + serve
      try process.run()
      try waitUntil(within: .seconds(60)) { access(ready, F_OK) == 0 }
      kill(process.processIdentifier, SIGHUP)
      if isIgnored {
        #expect(try Martlet.run(["databases", "martlet+unix://\(folder.path)/s"]).status == 0)
        process.terminate()
      }
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      #expect(access(folder.path + "/s", F_OK) != 0)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a server that says that it is ready ends gracefully when asked in the same instant`(signal: Int32) throws {
    for _ in 0..<Self.rounds {
      let process = try server([signal], in: TemporaryFolder())
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }

  @Test func `a server that says that it is ready reads its file again when asked in the same instant`() throws {
    for _ in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      let process = try server([SIGHUP], in: folder)
      let status = try Martlet.run(["databases", "martlet+unix://\(folder.path)/s"])
      #expect(status.status == 0, "\(status)")
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }
}
