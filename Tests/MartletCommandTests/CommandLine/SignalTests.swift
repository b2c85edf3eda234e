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
