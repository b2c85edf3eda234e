internal import CMartletFiles
import Foundation

/// What the system says of one name in a directory: which file is there, and what kind of one.
///
/// Always true: a symbolic link is looked at and not followed, unless a method says that it follows.
package struct FileStatus: Equatable, Sendable {
  /// What a path leads to.
  package enum Kind: Equatable, Sendable {
    case file
    case directory
    case link
    case other

    fileprivate init(mode: UInt32) {
      self =
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): .file
        case UInt32(S_IFDIR): .directory
        case UInt32(S_IFLNK): .link
        default: .other
        }
    }
  }

  package var identity: FileIdentity
  package var kind: Kind
  /// Names that the file has.
  var links: Int
  package var bytes: Int64
  package var mode: UInt32
  /// The number of the user that owns the file; known only of an open file.
  package private(set) var owner: UInt32 = 0
  package private(set) var group: UInt32 = 0

  init(identity: FileIdentity, kind: Kind, links: Int, bytes: Int64, mode: UInt32 = 0o600) {
    self.identity = identity
    self.kind = kind
    self.links = links
    self.bytes = bytes
    self.mode = mode
  }

  private init(_ status: martlet_file_status) {
    self.init(
      identity: FileIdentity(device: status.device, inode: status.inode), kind: Kind(mode: status.mode),
      links: Int(clamping: status.links), bytes: status.bytes, mode: status.mode & 0o7777)
  }

  private init(_ status: stat) {
    let mode = UInt32(status.st_mode)
    self.init(
      identity: FileIdentity(status), kind: Kind(mode: mode), links: Int(clamping: status.st_nlink),
      bytes: Int64(status.st_size), mode: mode & 0o7777)
    owner = status.st_uid
    group = status.st_gid
  }

  /// What is at a path. Nil if nothing is; throws errno if the system does not say.
  package static func look(at path: String) throws(SystemFailure) -> FileStatus? { try look(at: path, in: AT_FDCWD) }

  /// The same for a name in a directory that is open: the system has one step to go, and not the whole path.
  static func look(at name: String, in directory: Int32) throws(SystemFailure) -> FileStatus? {
    // Without the file's times, which would make the next commit slower.
    var status = martlet_file_status()
    switch martlet_file_look(directory, name, &status) {
    case 0: return FileStatus(status)
    case ENOENT, ENOTDIR: return nil
    case let code: throw SystemFailure(code: code)
    }
  }

  package static func of(descriptor: Int32) -> FileStatus? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
  }

  /// What is at a path, or at the end of the links there. Throws errno if the system does not say.
  package static func follow(_ path: String) throws(SystemFailure) -> FileStatus {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemFailure(code: errno) }
    return FileStatus(status)
  }
}

/// The number of a file on its device, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// An error number of the system, with the system's own words.
package struct SystemFailure: Error, Equatable, Sendable {
  package var code: Int32

  package var words: String { String(cString: strerror(code)) }

  /// The process, or the system, has no descriptor left for one more file.
  var isOfDescriptors: Bool { code == EMFILE || code == ENFILE }
}
