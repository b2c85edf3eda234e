import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SIGHUP while a server starts: it would end the process, and asks for no more than that the configuration is read
/// again.
///
/// Always true: from `ignore` on the signal ends nothing; from the moment that the server watches it, the server has
/// it.
enum EarlyHangUp {
  private static let came = Atomic<Bool>(false)

  /// Until `remember`, while the process may begin once more as itself: nothing was read yet that could be read again.
  static func ignore() { signal(SIGHUP, SIG_IGN) }

  /// Called before the configuration is read.
  static func remember() {
    // Made here, and not by the handler, which may do little.
    came.store(false, ordering: .relaxed)
    signal(SIGHUP) { _ in EarlyHangUp.came.store(true, ordering: .relaxed) }
  }

  /// The server watches the signal: it gets the one that came before.
  static func pass() {
    if came.load(ordering: .relaxed) { kill(getpid(), SIGHUP) }
  }

  /// Whoever started the process wants the signal to end nothing, as `nohup` does.
  static var isIgnored: Bool {
    var action = sigaction()
    guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
    #if os(Linux)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    // Bits, because functions of C cannot be compared otherwise; both are as large as an address.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
