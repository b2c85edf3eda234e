internal import Foundation
internal import MartletEngine

/// The file of the audit log, open for lines at its end.
///
/// Always true: it is an ordinary file, no link, that nobody but its owner writes and nobody but owner and group reads.
final class AuditFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens the file, which is made with mode 0600 if there is none.
  init(opening path: String) throws(ServerError) {
    // Not to wait for the other end, if it is a pipe.
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      if errno == ELOOP { throw .auditLogIsLink(path) }
      throw .auditLogCannotBeOpened(path, reason: String(cString: strerror(errno)))
    }
    let status = FileStatus.of(descriptor: descriptor)
    if let fault = status.map({ Self.fault(of: $0, path) }) ?? .auditLogNoFile(path) {
      close(descriptor)
      throw fault
    }
    (self.path, self.descriptor) = (path, descriptor)
    endLine(at: off_t(status?.bytes ?? 0))
  }

  /// A file that is open already; closed with the value.
  init(descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  deinit { close(descriptor) }

  /// How many of the bytes the file has taken, and what kept it from taking the others; nil: nothing did.
  func write(_ bytes: UnsafeRawBufferPointer) -> (count: Int, failure: String?) {
    var written = 0
    while written < bytes.count {
      // `!` because there are bytes left, so there is an address.
      let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (written, String(cString: strerror(errno))) }
      written += count
    }
    return (written, nil)
  }

  /// Ends an incomplete line that a killed server left behind, so that the next line does not continue it.
  private func endLine(at end: off_t) {
    var last: UInt8 = 0
    guard end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") else { return }
    [UInt8(ascii: "\n")].withUnsafeBytes { _ = write($0) }
  }

  /// What is wrong with a file that is not to be made or opened now; nil if there is none yet, or nothing is.
  static func fault(at path: String) -> ServerError? {
    if let status = (try? FileStatus.look(at: path)) ?? nil {
      return status.kind == .link ? .auditLogIsLink(path) : fault(of: status, path)
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do throws(SystemFailure) {
      let status = try FileStatus.follow(folder)
      return status.kind == .directory ? nil : .auditLogCannotBeOpened(path, reason: String(cString: strerror(ENOTDIR)))
    } catch {
      return .auditLogCannotBeOpened(path, reason: error.words)
    }
  }

  private static func fault(of status: FileStatus, _ path: String) -> ServerError? {
    guard status.kind == .file else { return .auditLogNoFile(path) }
    // The rights of others, and the group's to write.
    guard status.mode & 0o027 != 0 else { return nil }
    return .auditLogOpenToOthers(path)
  }
}
