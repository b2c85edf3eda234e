/// The options that lead to a server over a network, and the token that no command line shows.
import ArgumentParser
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

@Suite struct SecurityOptionsTests {
  private static func applied(
    _ arguments: [String], _ token: String? = nil, url: String = "martlet+tls://db.example/shop"
  ) throws -> ClientConfiguration {
    var configuration = ClientConfiguration()
    try SecurityOptions.parse(arguments).apply(to: &configuration, url: MartletURL(url), token: token)
    return configuration
  }

  @Test func `options and the variable become the client's configuration`() async throws {
    let files = try Self.applied(["--ca", "a.pem", "--cert", "c.pem", "--key", "k.pem"])
    #expect(files.tls == ClientTLS(authorities: "a.pem", certificate: "c.pem", key: "k.pem"))
    #expect(files.credential == nil)
    #expect(try Self.applied(["--fingerprint", "ab"]).tls == ClientTLS(fingerprint: "ab"))
    let directory = TemporaryDirectory()
    let path = directory.path + "/token"
    try "mlt_file\n".write(toFile: path, atomically: true, encoding: .utf8)
    for (arguments, token) in [([String](), "mlt_variable"), (["--token-file", path], "mlt_file")] {
      let credential = try #require(try Self.applied(arguments, "mlt_variable").credential)
      #expect(try await credential.current() == token)
    }
    #expect(try Self.applied([], "").credential == nil)
  }

  @Test(arguments: ["martlet://localhost/shop", "martlet+unix:///run/martlet.sock?db=shop"])
  func `options of TLS need a URL of TLS`(url: String) throws {
    for option in ["--ca", "--cert", "--key", "--fingerprint"] {
      let error = #expect(throws: CommandFailure.self) { try Self.applied([option, "x"], url: url) }
      #expect(
        error?.description
          == "--ca, --cert, --key and --fingerprint are for TLS. Write the URL as martlet+tls://HOST/NAME.")
    }
    #expect(throws: Never.self) { try Self.applied([], "mlt_x", url: url) }
  }
}
