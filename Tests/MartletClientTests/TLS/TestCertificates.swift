/// Certificates for one run of the tests, made by the `openssl` command in a temporary folder.
///
/// Always true: keys are made anew each time and never leave the folder.
import Foundation

struct TestCertificates: Sendable {
  struct Failure: Error {
    var output: String
  }

  /// Made once, because each key takes a process or two, and on a thread that no other test waits for.
  private static let making = Task<TestCertificates, any Error> {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try TestCertificates() }) }
    }
  }

  static func all() async throws -> TestCertificates { try await making.value }

  let folder: String

  private init() throws {
    folder = NSTemporaryDirectory() + "martlet-certificates-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["ca", "other-ca"] {
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key(name), "-out",
        certificate(name), "-subj", "/CN=\(name)", "-days", "10")
    }
    try sign("server", names: "DNS:localhost,DNS:db.example,IP:127.0.0.1,IP:::1")
    try sign("elsewhere", names: "DNS:elsewhere.example,DNS:*.wild.example,IP:192.0.2.7")
    try sign("nameless", names: nil)
    try sign("expired", names: "DNS:localhost", from: "20200101000000Z", to: "20200201000000Z")
    try sign("future", names: "DNS:localhost", from: "20480101000000Z", to: "20490101000000Z")
    try sign("client", names: nil, by: "ca")
    try sign("stranger", names: nil, by: "other-ca")
  }

  func certificate(_ name: String) -> String { "\(folder)/\(name).pem" }

  func key(_ name: String) -> String { "\(folder)/\(name).key" }

  /// As `openssl x509 -fingerprint` prints it.
  func fingerprint(_ name: String) throws -> String {
    let line = try openssl("x509", "-in", certificate(name), "-noout", "-fingerprint", "-sha256")
    return String(line.split(separator: "=")[1]).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func write(_ text: String, to name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// `openssl ca` is the one command of OpenSSL 3.0 that takes both dates.
  private func sign(
    _ name: String, names: String?, by authority: String = "ca", from: String = "20200101000000Z",
    to: String = "20490101000000Z"
  ) throws {
    let settings = """
      [ca]
      default_ca = one
      [one]
      database = \(folder)/\(name).index
      new_certs_dir = \(folder)
      rand_serial = yes
      default_md = sha256
      policy = any
      email_in_dn = no
      [any]
      commonName = supplied
      [names]
      basicConstraints = CA:FALSE
      \(names.map { "subjectAltName = \($0)" } ?? "")
      """
    let file = try write(settings, to: "\(name).conf")
    _ = try write("", to: "\(name).index")
    let request = "\(folder)/\(name).csr"
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key(name), "-out", request,
      "-subj", "/CN=localhost")
    try openssl(
      "ca", "-batch", "-notext", "-config", file, "-extensions", "names", "-cert", certificate(authority), "-keyfile",
      key(authority), "-startdate", from, "-enddate", to, "-in", request, "-out", certificate(name))
  }

  @discardableResult
  private func openssl(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: text) }
    return text
  }
}
