#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The numbers of standard input, output and error, which a program may have been started without (`<&- >&- 2>&-`).
///
/// Always true: after `fill` each of them is open, so nothing else that the process opens can get its number, and what
/// is said on it goes nowhere else.
enum StandardDescriptors {
  /// Called before anything else opens a descriptor.
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      // Asking for its flags changes nothing, and fails in this way only if the number is free.
      guard fcntl(descriptor, F_GETFD) == -1, errno == EBADF else { continue }
      // The system gives out the lowest free number: this one, because those below it are open. It stays open across
      // an exec, as the one that is missing would have.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
