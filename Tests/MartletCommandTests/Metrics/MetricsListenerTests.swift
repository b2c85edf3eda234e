/// Whoever asks for metrics without reading them holds nobody up.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

@Suite(.serialized, .timeLimit(.minutes(5))) struct MetricsListenerTests {
  private static let requests = 2_000

  @Test func `a connection has one answer, however much it asks for, and the server ends beside those that read none`()
    throws
  {
    let folder = try TemporaryFolder()
    let port = try PortNumber.free()
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--metrics-listen", "127.0.0.1:\(port)", "--drain-ms", "500"])
    let asking = String(repeating: "GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n", count: Self.requests)
    let curious = try (0..<8).map { _ in try BlockingSocket(port: port) }
    for connection in curious { connection.send(Array(asking.utf8)) }
    let well = try Martlet.run(["health", "127.0.0.1:\(port)"])
    #expect(well.status == 0, "\(well)")
    let text = String(decoding: try curious[0].readToEnd(), as: UTF8.self)
    #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 2 && text.contains("martlet_connections "))
    #expect(server.terminate() == 0)
    withExtendedLifetime(curious) {}
  }
}
