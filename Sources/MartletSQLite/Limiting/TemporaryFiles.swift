import Foundation
import Synchronization

/// What the statements of the process have in temporary files together: what they sort, their temporary tables, and
/// what a write keeps so that it can be undone.
///
/// Always true: a file grows only while it is no larger than what is left, so one alone comes to half of the limit, two
/// to a third each, and the next one still finds some room; what closes is given back.
package enum TemporaryFiles {
  private static let used = Atomic<Int>(0)
  private static let limit = Atomic<Int>(.max)
  private static let refusals = Atomic<Int>(0)

  /// Bytes of all files that count.
  package static var usedBytes: Int { used.load(ordering: .relaxed) }

  /// Bytes that the files may come to together; `Int.max` for no bound.
  package static var limitBytes: Int { limit.load(ordering: .relaxed) }

  /// How often a statement was refused to grow its files.
  package static var refusalCount: Int { refusals.load(ordering: .relaxed) }

  package static func setLimit(bytes: Int) { limit.store(bytes, ordering: .relaxed) }

  /// Not nil on a thread whose files do not count.
  private static let exemption: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The files that `body` makes do not count: for work whose room was looked at before it began.
  static func uncounted<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    // Any address will do, because nobody follows it.
    pthread_setspecific(exemption, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(exemption, nil) }
    return try body()
  }

  enum Answer {
    case counted
    case uncounted
    case refused
  }

  /// A file that has `counted` bytes is about to have `more`.
  static func grow(by more: Int, from counted: Int) -> Answer {
    if pthread_getspecific(exemption) != nil { return .uncounted }
    let after = used.add(more, ordering: .relaxed).newValue
    guard counted &+ more > limitBytes &- after else { return .counted }
    used.subtract(more, ordering: .relaxed)
    refusals.add(1, ordering: .relaxed)
    return .refused
  }

  static func shrink(by bytes: Int) {
    if bytes > 0 { used.subtract(bytes, ordering: .relaxed) }
  }
}
