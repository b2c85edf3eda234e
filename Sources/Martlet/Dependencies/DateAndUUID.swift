public import Foundation
import Synchronization

/// Makes dates: `@Dependency(\.date.now) var now`.
///
/// Always true: it is the system's clock unless another generator was prepared.
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Calls the closure each time a date is asked for.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// The same date each time.
  public static func constant(_ now: Date) -> DateGenerator { DateGenerator { now } }

  /// The current date: `@Dependency(\.date.now) var now`. Setting it makes it the same each time.
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// The current date.
  public func callAsFunction() -> Date { generate() }
}

/// Makes identifiers: `@Dependency(\.uuid) var uuid`, and then `uuid()`.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Calls the closure each time an identifier is asked for.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  /// The same identifier each time.
  public static func constant(_ uuid: UUID) -> UUIDGenerator { UUIDGenerator { uuid } }

  /// `00000000-0000-0000-0000-000000000000` and so on, counted up.
  public static var incrementing: UUIDGenerator {
    let counter = Counter()
    return UUIDGenerator { UUID(counter.next()) }
  }

  /// A new identifier.
  public func callAsFunction() -> UUID { generate() }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }
}

extension UUID {
  /// The UUID whose last digits are a number's, in hexadecimal: for tests.
  public init(_ number: Int) {
    let bytes = withUnsafeBytes(of: UInt64(truncatingIfNeeded: number).bigEndian) { Array($0) }
    self.init(
      uuid: (0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]))
  }
}

extension DependencyValues {
  /// What tells the time: the system's clock unless it is replaced.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  /// What makes identifiers: random ones unless it is replaced.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  private enum DateKey: DependencyKey { static let liveValue = DateGenerator { Date() } }
  private enum UUIDKey: DependencyKey { static let liveValue = UUIDGenerator { UUID() } }
}
