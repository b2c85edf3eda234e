internal import Foundation
internal import MartletEngine

/// A file of access rights that is open, and that nobody but its owner may write: with its exclusive lock if it is
/// changed.
///
/// Always true: what is locked is the file that the path names, even if another process has just replaced it.
final class LockedFile {
  /// What the file holds: how it is made, and who may not have which rights to it.
  struct Content {
    let maker: String
    let newMode: mode_t
    let forbidden: mode_t
    let advice: String

    /// Only the file's owner and group may read the tokens.
    static let tokens = Content(
      maker: "`martlet token create` makes it with the first token", newMode: 0o600, forbidden: 0o027,
      advice: "read or written by others than its owner and group. Take those rights away with `chmod o=,g-w`")
    /// Anybody may read the keys, but a person who may put a key there may pass for anybody.
    static let publicKeys = Content(
      maker: "Put the issuer's public keys there, as a JWKS", newMode: 0o644, forbidden: 0o022,
      advice: "written by others than its owner. Take that right away with `chmod go-w`")
    static let shapes = Content(
      maker: "`martlet shapes register` makes it", newMode: 0o644, forbidden: 0o022,
      advice: "written by others than its owner. Take those rights away with `chmod go-w`")
  }

  private let descriptor: Int32
  /// The path as people know it, for messages.
  private let path: String
  /// The path without links, so that a replacement does not replace a link.
  private let realPath: String
  private let status: FileStatus

  convenience init(reading path: String, _ content: Content) throws(ServerError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT {
        throw .noFile(path, maker: content.maker)
      }
      throw Self.error("read", path)
    }
    try self.init(descriptor, path, path, content)
  }

  /// Waits for the lock.
  convenience init(changing path: String, _ content: Content, makesFile: Bool) throws(ServerError) {
    let realPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    while true {
      let flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | (makesFile ? O_CREAT : 0)
      let descriptor = open(realPath, flags, content.newMode)
      guard descriptor >= 0 else { throw Self.error("changed", path) }
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else {
          defer { close(descriptor) }
          throw Self.error("locked", path)
        }
      }
      let named = (try? FileStatus.look(at: realPath)) ?? nil
      if let ours = FileStatus.of(descriptor: descriptor), ours.identity == named?.identity {
        try self.init(descriptor, path, realPath, content)
        return
      }
      // Another process has replaced the file between the two steps, so this lock is that of a file without a name.
      close(descriptor)
    }
  }

  private init(_ descriptor: Int32, _ path: String, _ realPath: String, _ content: Content) throws(ServerError) {
    guard let status = FileStatus.of(descriptor: descriptor), status.kind == .file else {
      close(descriptor)
      throw .noOrdinaryFile(path)
    }
    (self.descriptor, self.path, self.realPath, self.status) = (descriptor, path, realPath, status)
    guard status.mode & content.forbidden == 0 else { throw .fileOpenToOthers(path, advice: content.advice) }
  }

  deinit { close(descriptor) }

  func text(atMost bytesMax: Int) throws(ServerError) -> String {
    guard status.bytes <= bytesMax else {
      throw .fileTooLarge(path, bytesMax: bytesMax)
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.bytes))
    var offset = 0
    while offset < bytes.count {
      // `!` because the array is longer than the offset, so it is not empty.
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + offset, $0.count - offset, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.error("read", path) }
      guard count > 0 else { break }
      offset += count
    }
    guard let text = String(validating: bytes.prefix(offset), as: UTF8.self) else {
      throw .fileNotUTF8(path)
    }
    return text
  }

  /// Appends all of the text, or none of it.
  func append(_ text: String) throws(ServerError) {
    guard Self.write(Array(text.utf8), to: descriptor, at: off_t(status.bytes)), fsync(descriptor) == 0 else {
      let error = Self.error("changed", path)
      ftruncate(descriptor, off_t(status.bytes))
      throw error
    }
  }

  /// Writes a file beside this one that takes its place, with the same owner and mode.
  func replace(with bytes: [UInt8]) throws(ServerError) {
    let temporary = realPath + ".new-\(getpid())"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.error("changed", path) }
    defer { close(file) }
    // The group too: a server that runs as another user may read the file by it alone.
    guard fchown(file, status.owner, status.group) == 0, fchmod(file, status.mode & 0o777) == 0,
      Self.write(bytes, to: file, at: 0), fsync(file) == 0,
      rename(temporary, realPath) == 0
    else {
      let error = Self.error("changed", path)
      unlink(temporary)
      throw error
    }
    // The new name has to be on disk, too. A file system that cannot say so has nothing else to offer.
    let folder = open(URL(fileURLWithPath: realPath).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private static func write(_ bytes: [UInt8], to file: Int32, at start: off_t) -> Bool {
    var offset = 0
    while offset < bytes.count {
      // `!` because the array is longer than the offset, so it is not empty.
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress! + offset, $0.count - offset, start + off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  private static func error(_ deed: String, _ path: String) -> ServerError {
    .fileCannotBe(deed, path, reason: String(cString: strerror(errno)))
  }
}
