#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The users of this machine.
enum UnixUser {
  /// Nil if there is no such user.
  static func id(_ name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: ConfigurationLimits.userBytesMax)
    let status = getpwnam_r(name, &entry, &buffer, buffer.count, &found)
    return status == 0 && found != nil ? entry.pw_uid : nil
  }
}
