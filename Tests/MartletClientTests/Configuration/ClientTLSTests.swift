/// The settings of TLS: files that cannot be used, fingerprints, names.
import Foundation
import Testing

@testable import MartletClient

@Suite struct ClientTLSTests {
  private let certificates: TestCertificates

  init() async throws { certificates = try await TestCertificates.all() }

  /// The sentence with which the settings are refused; empty if they are taken.
  private static func refusal(_ settings: ClientTLS, host: String = "localhost") -> String {
    do {
      _ = try TLSClient(settings, host: host)
      return ""
    } catch {
      return error.code == .tlsFailed && !error.isRetryable ? error.message : "unexpected: \(error)"
    }
  }

  @Test func `a file that cannot be used is named and its content is not`() throws {
    let (good, key) = (certificates.certificate("client"), certificates.key("client"))
    let text = try certificates.write("a secret of somebody's\n", to: "text.pem")
    let broken = try certificates.write(
      "-----BEGIN CERTIFICATE-----\nsecret\n-----END CERTIFICATE-----\n", to: "broken.pem")
    let missing = certificates.folder + "/missing.pem"
    for (settings, message) in [
      (ClientTLS(), ""),
      (ClientTLS(authorities: certificates.certificate("ca"), certificate: good, key: key), ""),
      (ClientTLS(authorities: missing), "The file \(missing) of the authorities does not exist."),
      (
        ClientTLS(authorities: certificates.folder),
        "The file \(certificates.folder) of the authorities cannot be read; may this program read it?"
      ),
      (
        ClientTLS(authorities: text),
        "The file \(text) of the authorities holds no certificate in PEM, or a damaged one."
      ),
      (
        ClientTLS(certificate: broken, key: key),
        "The file \(broken) of this client's certificate holds no certificate in PEM, or a damaged one."
      ),
      (
        ClientTLS(certificate: good, key: good),
        "The file \(good) of this client's key holds no private key in PEM; one behind a passphrase is not taken."
      ),
      (ClientTLS(certificate: good), "A client's certificate needs its key. Give the key's file too."),
      (ClientTLS(key: key), "A client's key needs its certificate. Give its file too."),
      (
        ClientTLS(certificate: good, key: certificates.key("stranger")),
        "The key in \(certificates.key("stranger")) is not the one of the certificate in \(good)."
      ),
    ] {
      #expect(Self.refusal(settings) == message)
    }
  }

  @Test(arguments: [
    "", "ab", String(repeating: "a", count: 63), String(repeating: "a", count: 65), String(repeating: "g", count: 64),
    String(repeating: "ab:", count: 32), String(repeating: "+a", count: 32), String(repeating: "é", count: 64),
  ])
  func `what is no fingerprint is refused`(text: String) {
    #expect(
      Self.refusal(ClientTLS(fingerprint: text))
        == "The fingerprint is not the SHA-256 of a certificate: it has 64 hexadecimal digits, with or without colons.")
  }

  @Test(arguments: [
    ("db.example", "db.example", true), ("DB.example.", "db.EXAMPLE", true), ("db.example", "other.example", false),
    ("a.example.org", "*.example.org", true), ("a.b.example.org", "*.example.org", false),
    ("example.org", "*.example.org", false), (".example.org", "*.example.org", false), ("a.org", "*.org", false),
    ("ab.example.org", "a*.example.org", false), ("a.b.org", "*.*.org", false), ("", "", false), ("a", "*", false),
  ])
  func `names match as a certificate's do`(name: String, pattern: String, isMatch: Bool) {
    #expect(ServerName.matches("\(ServerName(name))", pattern: pattern) == isMatch)
  }

  @Test func `an address is never said and a name is`() {
    #expect(ServerName("db.example.").indication == "db.example")
    for address in ["127.0.0.1", "::1", "fe80::1%eth0"] { #expect(ServerName(address).indication == nil) }
    #expect(ServerName("fe80::1%eth0") == ServerName("fe80:0::1"))
    #expect("\(ServerName("192.0.2.7"))" == "192.0.2.7")
  }
}
