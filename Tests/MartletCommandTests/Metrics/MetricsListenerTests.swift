/// Whoever asks for metrics without reading them holds nobody up.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

@Suite(.serialized, .timeLimit(.minutes(5))) struct MetricsListenerTests {
  @Test(arguments: [
    ("/healthz", "/healthz"), ("/healthz?x=1", "/healthz"), ("/healthz#a", "/healthz"), ("*", "*"), ("", "/"),
    ("http://127.0.0.1:9278/healthz", "/healthz"), ("HTTP://host/metrics?a=/b", "/metrics"),
    ("https://[::1]:1/readyz", "/readyz"), ("http://host", "/"), ("http://host?x=/healthz", "/"),
    ("http:///healthz", "/healthz"), ("/http://host/healthz", "/http://host/healthz"),
  ])
  func `what is asked for is the path, with or without a host and a query`(uri: String, path: String) {
    #expect(MetricsHandler.path(of: uri) == path)
  }

  @Test func `connections that ask nothing give way to those that do, and end soon`() throws {
    let folder = try TemporaryFolder()
    let port = try PortNumber.free()
    let server = try ServerProcess(
      directory: folder.path + "/data", arguments: ["--metrics-listen", "127.0.0.1:\(port)"])
    // The second half begins a request and does not end it.
    let idle = try (0..<CommandLimits.metricsConnectionsMax).map { _ in try BlockingSocket(port: port, seconds: 30) }
    for connection in idle[32...] { connection.send(Array("GET /healthz HTTP/1.1\r\nhost:".utf8)) }
    let start = ContinuousClock.now
    let well = try Martlet.run(["health", "127.0.0.1:\(port)"])
    #expect(well.status == 0, "\(well)")
    for connection in idle { #expect(try connection.readToEnd().isEmpty) }
    // What is answered may take longer.
    #expect(ContinuousClock.now - start < .seconds(CommandLimits.metricsConnectionSeconds))
    #expect(server.terminate() == 0)
  }

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
