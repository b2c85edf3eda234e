import Foundation

/// Which threads come first where there are more than processors.
package enum ThreadPriority {
  private static let background: Int32 = 5

  /// The calling thread runs behind event loops and writers from now on. It cannot go back.
  package static func stepBack() {
    #if os(Linux)
      // 0 is the calling thread.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, background)
    #endif
  }
}
