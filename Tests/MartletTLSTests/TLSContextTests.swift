/// Which files a server can be started with, and what is said of the others.
import Foundation
import MartletTLS
import MartletTestSupport
import Testing

@Suite struct TLSContextTests {
  /// Made for this test, and the key of nothing.
  private static let keyWithPassword = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh9NozV2pL27AICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEL37QmOiFv7MWTAOP1GsdtMEgZBO
    EyGm2TBrCohWO04azeDyamZfd1CgP20JkJf3kC4vrNzy+fLC8WRj9VfZJzmm33/c
    U5ikkiy9tE8w00qjWWBH8+1kcHRcrr8WhvdrD3w2ch/dTWPLHp/4WeC3i0p3ayt6
    vPM5am3uuVzAqKwCKKvwYYN6DNEqe+byCPIefbA2cPAsYiQp2h1rpvvYr639lac=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  /// Made for this test: OpenSSL keeps a key of another kind beside the certificate's, and says that there is none.
  private static let keyOfOtherKind = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIKTfMjkJHP5uA8xEQWwGSBj4M3Oy29xlcKu9GxeR+jan
    -----END PRIVATE KEY-----

    """

  @Test func `a server's certificate with its key is taken, and its end is known`() throws {
    let files = try CertificateFolder()
    let context = try TLSContext(files.server)
    #expect(context.daysLeft >= 9 && context.daysLeft <= 10)
    #expect(context.authorityDigest == nil)
    var asking = files.server
    asking.clientAuthority = files.file("ca.pem")
    let digest = try TLSContext(asking).authorityDigest
    #expect(digest?.count == 32)
    try files.renew()
    #expect(try TLSContext(asking).authorityDigest != digest)
  }

  @Test func `what cannot be used is named with what to do about it`() throws {
    let files = try CertificateFolder()
    try files.write("not PEM", "text.pem")
    #expect(mkfifo(files.file("pipe"), 0o600) == 0)
    let other = try CertificateMaker(name: "other", days: 10).sign(.server, name: "other", hosts: ["other"], days: 10)
    try files.write(other.key, "other.key", mode: 0o600)
    try files.write(other.key, "open.key", mode: 0o644)
    try files.write(Self.keyWithPassword, "locked.key", mode: 0o600)
    try files.write(Self.keyOfOtherKind, "kind.key", mode: 0o600)
    typealias Change = (inout TLSContext.Files) -> Void
    let table: [(Change, words: [String])] = [
      ({ $0.certificate = files.file("none.pem") }, ["none.pem", "cannot be read", "No such file"]),
      ({ $0.certificate = files.file("text.pem") }, ["text.pem", "must be a PEM file"]),
      ({ $0.key = files.file("none.key") }, ["key", "none.key", "cannot be read"]),
      ({ $0.key = files.file("other.key") }, ["other.key", "server.pem", "certificate's own"]),
      (
        { $0.key = files.file("kind.key") },
        ["kind.key is not that of the certificate", "server.pem. Name the right one."]
      ),
      // Without waiting at a terminal for anybody to type it.
      ({ $0.key = files.file("locked.key") }, ["locked.key", "without a password"]),
      ({ $0.key = files.file("open.key") }, ["open.key", "Every user", "chmod o="]),
      ({ $0.clientAuthority = files.file("text.pem") }, ["clients' authority", "text.pem", "PEM"]),
      // Nobody writes into it, so whoever reads it waits for ever.
      ({ $0.key = files.file("pipe") }, ["key", "pipe", "no ordinary file"]),
      ({ $0.certificate = files.file("pipe") }, ["certificate", "pipe", "no ordinary file"]),
      ({ $0.clientAuthority = files.file("pipe") }, ["authority", "pipe", "no ordinary file"]),
      ({ $0.requiresClientCertificate = true }, ["required", "no authority"]),
    ]
    for (change, words) in table {
      var changed = files.server
      change(&changed)
      do {
        _ = try TLSContext(changed)
        Issue.record("taken: \(changed)")
      } catch {
        for word in words { #expect(error.message.contains(word), "\(error.message)") }
        #expect(!error.message.contains("no certificate assigned"))
        #expect(!error.message.contains("PRIVATE"))
      }
    }
  }

  @Test func `an authority that was kept signs again, and one whose key is another's does not`() throws {
    let first = try CertificateMaker(name: "first", days: 10)
    let second = try CertificateMaker(name: "second", days: 10)
    defer { [first, second].forEach { $0.close() } }
    let again = try CertificateMaker(first.authority)
    defer { again.close() }
    #expect(try again.sign(.client, name: "c", days: 1).certificate.contains("BEGIN CERTIFICATE"))
    let mixed = CertificateMaker.Pair(certificate: first.authority.certificate, key: second.authority.key)
    for pair in [mixed, .init(certificate: "", key: ""), .init(certificate: "x", key: first.authority.key)] {
      #expect(throws: TLSError.self) { try CertificateMaker(pair) }
    }
  }

  @Test func `names that OpenSSL would read as something else make no certificate`() throws {
    let maker = try CertificateMaker(name: "a", days: 1)
    defer { maker.close() }
    for host in ["", "a,DNS:b", "a b", "dir:x", "email:copy", "a/b", "ä", String(repeating: "a", count: 254)] {
      #expect(throws: TLSError.self, "\(host)") { try maker.sign(.server, name: "s", hosts: [host], days: 1) }
    }
    for host in ["localhost", "*.example.org", "10.0.0.7", "::1", "fe80::1", "a_b"] {
      _ = try maker.sign(.server, name: "s", hosts: [host], days: 1)
    }
    for days in [0, -1, 36_501] {
      #expect(throws: TLSError.self) { try maker.sign(.client, name: "s", days: days) }
    }
  }
}
