/// Clients that make a server say the same again and again: its log stays short, and tells how often it was.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct LogFloodTests {
  private static let clients = 500

  @Test func `five hundred clients that send no frames are a few lines of the log, and a number`() throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    try Data().write(to: URL(filePath: log))
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--log-format", "json"],
      errors: FileHandle(forWritingTo: URL(filePath: log)), logLevel: "notice")
    guard case .tcp(_, let port) = try MartletURL(server.url).address else { return }
    let begun = ContinuousClock.now
    for _ in 0..<Self.clients {
      let socket = try BlockingSocket(port: port, seconds: 30)
      socket.send([UInt8](repeating: 0xFF, count: 64))
      // It is told what is wrong, and by then the server has logged that or not.
      _ = try socket.receiveMessage()
    }
    let intervals = Int((ContinuousClock.now - begun).components.seconds) / 10 + 1
    #expect(server.terminate() == 0)
    var (lines, leftOut) = (0, 0)
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if fields?["message"] as? String == "A connection sent no Martlet frame" { lines += 1 }
      if fields?["notice"] as? String == "A connection sent no Martlet frame" {
        leftOut += fields?["left_out"] as? Int ?? 0
      }
    }
    #expect(lines + leftOut == Self.clients, "\(lines) lines, \(leftOut) left out")
    // Twenty in ten seconds.
    #expect(lines > 0 && lines <= 20 * (intervals + 1))
  }

  @Test(arguments: ["text", "json"])
  func `a log that nobody reads holds up no request, and the end comes`(format: String) async throws {
    let folder = try TemporaryFolder()
    let pipe = Pipe()
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--log-format", format], errors: pipe.fileHandleForWriting,
      logLevel: "notice")
    fill(pipe.fileHandleForWriting.fileDescriptor)
    guard case .tcp(_, let port) = try MartletURL(server.url).address else { return }
    let database = try DatabaseClient(server.url(database: "log"), configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE t(a)"))
    for number in 1...30 {
      // Each is a line of the log.
      let socket = try BlockingSocket(port: port, seconds: 30)
      socket.send([UInt8](repeating: 0xFF, count: 64))
      _ = try socket.receiveMessage()
      try await database.execute(.sql("INSERT INTO t VALUES (\(number))"))
    }
    await database.close()
    kill(server.processID, SIGTERM)
    try await suspendUntil(within: .seconds(40)) { !server.isRunning }
  }

  /// So that whoever writes another byte waits.
  private func fill(_ pipe: Int32) {
    _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
    for size in [4_096, 1] { while write(pipe, bytes, size) > 0 {} }
    _ = fcntl(pipe, F_SETFL, 0)
  }
}
