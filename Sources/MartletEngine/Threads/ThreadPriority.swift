import Foundation

/// Which threads come first if there are more threads than processors.
///
/// Always true: a thread that was made nicer cannot go back. On systems other than Linux nothing happens.
package enum ThreadPriority {
  /// Behind event loops and writers.
  static let behind: Int32 = 5
  /// Behind all others.
  static let last: Int32 = 19

  /// The calling thread runs behind event loops and writers from now on.
  package static func stepBack() { set(behind, ofThread: 0) }

  /// How nice a thread is from now on; 0 is the calling thread.
  static func set(_ niceness: Int32, ofThread number: Int32) {
    #if os(Linux)
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(number), niceness)
    #endif
  }

  /// The system's number of the calling thread; 0 if it does not tell.
  static var ownNumber: Int32 {
    #if os(Linux)
      var path = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/thread-self", &path, path.count - 1)
      guard count > 0 else { return 0 }
      let text = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return text.split(separator: "/").last.flatMap { Int32($0) } ?? 0
    #else
      return 0
    #endif
  }
}
