import Foundation

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

/// What the system says of one name in a directory: which file is there, and what kind of one.
///
/// Always true: a symbolic link is looked at and never followed.
struct FileStatus: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case file
    case directory
    case link
    case other
  }

  var identity: FileIdentity
  var kind: Kind
  /// Names that the file has.
  var links: Int
  var bytes: Int64
  var mode: UInt32

  init(identity: FileIdentity, kind: Kind, links: Int, bytes: Int64, mode: UInt32 = 0o600) {
    self.identity = identity
    self.kind = kind
    self.links = links
    self.bytes = bytes
    self.mode = mode
  }

  init(_ status: stat) {
    identity = FileIdentity(status)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    links = Int(clamping: status.st_nlink)
    bytes = Int64(status.st_size)
    mode = UInt32(status.st_mode) & 0o7777
  }

  /// What is at a path. Nil where nothing is; throws errno where the system does not say.
  static func look(at path: String) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    if lstat(path, &status) == 0 { return FileStatus(status) }
    guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure(code: errno) }
    return nil
  }

  /// The same for a name in a directory that is open: the system has one step to go, and not the whole path.
  static func look(at name: String, in directory: Int32) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status) }
    guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure(code: errno) }
    return nil
  }

  static func of(descriptor: Int32) -> FileStatus? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
  }
}

/// An error number of the system, with the system's own words.
struct SystemFailure: Error, Equatable, Sendable {
  var code: Int32

  var words: String { String(cString: strerror(code)) }
}
