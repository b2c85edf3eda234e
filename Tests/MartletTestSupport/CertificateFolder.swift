/// An authority, a server's certificate and a client's in files, which go with the value.
///
/// Always true: `ca`, `server` and `client`, each as `NAME.pem` and `NAME.key`; keys can be read by their owner only.
import Foundation
package import MartletTLS

package final class CertificateFolder: Sendable {
  package let path = FileManager.default.temporaryDirectory.appendingPathComponent("certificates-\(UUID().uuidString)")
    .path

  /// The client is called `backup.example`.
  package init(hosts: [String] = ["localhost", "127.0.0.1"]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try renew(hosts: hosts)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Everything anew, with another authority.
  package func renew(hosts: [String] = ["localhost", "127.0.0.1"]) throws {
    let maker = try CertificateMaker(name: "authority", days: 10)
    defer { maker.close() }
    try write(maker.authority, "ca")
    try write(maker.sign(.server, name: "localhost", hosts: hosts, days: 10), "server")
    try write(maker.sign(.client, name: "backup.example", days: 10), "client")
  }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  package var server: TLSContext.Files { TLSContext.Files(certificate: file("server.pem"), key: file("server.key")) }

  package func write(_ pair: CertificateMaker.Pair, _ name: String) throws {
    try write(pair.certificate, "\(name).pem")
    try write(pair.key, "\(name).key", mode: 0o600)
  }

  package func write(_ text: String, _ name: String, mode: Int = 0o644) throws {
    try Data(text.utf8).write(to: URL(filePath: file(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }
}
