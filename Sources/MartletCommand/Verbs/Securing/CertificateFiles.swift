import Foundation
import MartletTLS

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Certificates and keys in a directory: `NAME.pem` and `NAME.key`.
///
/// Always true: a file that is there is never overwritten; a key is made so that nobody but its owner can read it.
struct CertificateFiles {
  let directory: String

  func path(_ name: String, _ kind: String) -> String {
    directory == "." ? "\(name).\(kind)" : "\(directory)/\(name).\(kind)"
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  func checkIsFree(_ name: String) throws {
    for path in [path(name, "pem"), path(name, "key")] where isThere(path) {
      throw CommandFailure.certificateFileExists(path)
    }
  }

  /// The directory's authority, made if there is none.
  func authority(days: Int) throws -> CertificateMaker {
    let (certificate, key) = (path("ca", "pem"), path("ca", "key"))
    guard isThere(certificate) || isThere(key) else {
      let maker = try CertificateMaker(name: "Martlet authority of \(Self.hostName)", days: days)
      try write(maker.authority, as: "ca")
      return maker
    }
    guard isThere(certificate), isThere(key) else {
      throw CommandFailure.halfAnAuthority(certificate, key)
    }
    return try CertificateMaker(
      CertificateMaker.Pair(certificate: try read(certificate), key: try read(key)))
  }

  func write(_ pair: CertificateMaker.Pair, as name: String) throws {
    try write(pair.key, to: path(name, "key"), mode: 0o600)
    try write(pair.certificate, to: path(name, "pem"), mode: 0o644)
  }

  private func read(_ path: String) throws -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw CommandFailure.certificateFileUnreadable(path)
    }
  }

  private func write(_ text: String, to path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      throw CommandFailure.certificateFileUnwritable(path)
    }
    defer { close(descriptor) }
    do {
      try StandardOutput.write(Array(text.utf8), to: descriptor)
    } catch {
      unlink(path)
      throw CommandFailure.certificateFileUnwritable(path, because: error)
    }
  }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 40)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "this machine" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
