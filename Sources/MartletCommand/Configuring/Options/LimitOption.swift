import MartletValues

/// The limits that an operator can set, by their keys in the table `limits` of the configuration file.
///
/// Always true: the command line calls each of them `--KEY`.
enum LimitOption: String, CaseIterable, Sendable {
  case connectionsMax = "connections-max"
  case helloDeadlineMs = "hello-deadline-ms"
  case deadlineMs = "deadline-ms"
  case deadlineMaxMs = "deadline-max-ms"
  case writeTimeMaxMs = "write-time-max-ms"
  case drainMs = "drain-ms"
  case transactionMs = "transaction-ms"
  case walMib = "wal-mib"
  case pageCacheMib = "page-cache-mib"
  case temporaryMib = "temporary-mib"
  case schemaObjects = "schema-objects"

  /// What holds if nothing is said.
  var standard: Int {
    let limits = Limits()
    return switch self {
    case .connectionsMax: limits.connectionsMax
    case .helloDeadlineMs: limits.helloDeadlineMs
    case .deadlineMs: limits.deadlineDefaultMs
    case .deadlineMaxMs: limits.deadlineMaxMs
    case .writeTimeMaxMs: limits.writeTimeMaxMs
    case .drainMs: limits.shutdownDrainMs
    case .transactionMs: limits.transactionTotalMs
    case .walMib: limits.walBytesMax >> 20
    case .pageCacheMib: limits.pageCacheBytes >> 20
    case .temporaryMib: limits.temporaryBytesMax >> 20
    case .schemaObjects: limits.schemaObjectsMax
    }
  }

  /// The largest number that it may be.
  var largest: Int {
    switch self {
    case .walMib: ConfigurationLimits.walMebibytesMax
    case .temporaryMib: ConfigurationLimits.temporaryMebibytesMax
    case .pageCacheMib: ConfigurationLimits.pageCacheMebibytesMax
    case .schemaObjects: ConfigurationLimits.schemaObjectsMax
    default: ConfigurationLimits.limitNumberMax
    }
  }

  /// `name` is the option as it was written.
  func checked(_ number: Int, _ name: String) throws(InvalidOption) -> Int {
    guard number >= 1 else { throw InvalidOption("\(name) is a number from 1.") }
    guard number <= largest else { throw InvalidOption("\(name) is at most \(largest).") }
    return number
  }
}
