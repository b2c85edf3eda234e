import Foundation

/// Secrets of this process, kept to itself.
///
/// Always true: once `keep` was called no memory of the process goes into a core file or to a program that the system
/// gives cores to, and its environment, which other processes of its user and of root can read, holds no token.
/// If the process was started with a hard limit of 0 for cores, no files are written, but such a program may get them.
enum ProcessSecrets {
  /// The variable of the environment that holds a token.
  static let tokenVariable = "MARTLET_TOKEN"

  /// The token that the environment held when the process began; nil if there was none.
  static let token: String? = take(tokenVariable)

  static func keep() {
    _ = token
    forbidCores()
  }

  /// The environment's value, which is gone from there then.
  private static func take(_ variable: String) -> String? {
    guard let value = getenv(variable) else { return nil }
    let text = String(cString: value)
    // The system shows the environment as it was in memory at the start, whatever is unset.
    memset(value, 0, strlen(value))
    unsetenv(variable)
    return text
  }

  private static func forbidCores() {
    // Linux ignores a limit of 0 if /proc/sys/kernel/core_pattern is a pipe to a program. With a limit of 1 it gives
    // up. A core file is never as small as 1 byte, so none is written either.
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    #if os(Linux)
      _ = setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
    #else
      _ = setrlimit(RLIMIT_CORE, &limit)
    #endif
  }
}
