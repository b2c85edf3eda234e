import Foundation
import MartletSQLite
package import MartletValues

/// What an engine is started with.
///
/// Always true: the clock goes forward only; every time-out of the engine is measured on it.
package struct EngineConfiguration: Sendable {
  /// The data directory: one file `NAME.sqlite` per database, and the lock file.
  package var directory: String
  /// The limits that the engine starts with. It may have replaced them since: see `limitsNow`.
  package var limits: Limits

  /// The limits that the engine has replaced while it runs; each engine has its own.
  var limitsInForce: LimitsInForce

  /// Makes the directory if it does not exist (mode 0700).
  package var mayCreateDirectory: Bool

  /// Deadlines, leases and idle limits are measured on this clock; tests inject their own.
  package var clock: @Sendable () -> MonotonicTime

  /// Microseconds since 1970; the numbers of commits begin above it when a database is opened.
  package var wallClock = EngineConfiguration.systemMicroseconds

  /// Is told what an operator should know, on any thread; must not block.
  package var report: @Sendable (EngineNotice) -> Void = { _ in }

  /// Whether new databases get a checksum in each page. If a file has them, they are always compared.
  package var makesPageChecksums = true

  /// What all databases of the directory are encrypted with; nil: they are not. It needs SQLCipher.
  package var key: DatabaseKey?

  /// Stands in for the disk in tests: an error that a commit meets instead of being carried out.
  var commitFault: (@Sendable () -> SQLiteError?)?

  /// Ends statements at places of a test's choosing: asked at every look of a connection's limiter, armed or not.
  var stepFault: (@Sendable (_ connection: String) -> Bool)?

  package init(
    directory: String, limits: Limits = Limits(), mayCreateDirectory: Bool = true,
    clock: @escaping @Sendable () -> MonotonicTime = EngineConfiguration.systemClock
  ) {
    self.directory = directory
    self.limits = limits
    limitsInForce = LimitsInForce(limits)
    self.mayCreateDirectory = mayCreateDirectory
    self.clock = clock
  }

  /// For a new engine: limits that another engine takes do not change its own.
  var withLimitsOfItsOwn: EngineConfiguration {
    var configuration = self
    configuration.limitsInForce = LimitsInForce(limits)
    return configuration
  }

  /// The limits that hold for what begins now.
  var limitsNow: Limits {
    var limits = limits
    limits.take(limitsInForce.current)
    return limits
  }

  /// The machine's clock of the day, in microseconds since 1970.
  package static let systemMicroseconds: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    guard time.tv_sec > 0 else { return 0 }
    return UInt64(time.tv_sec) &* 1_000_000 &+ UInt64(time.tv_nsec) / 1_000
  }

  /// The machine's monotonic clock, in nanoseconds since some moment in the past.
  package static let systemClock: @Sendable () -> MonotonicTime = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
  }
}
