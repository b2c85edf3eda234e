import MartletServer
import MartletValues

/// The quotas of a role: `[roles.NAME.quotas]`.
///
/// Always true: a burst stands beside its rate; a number of bytes has a unit.
struct RoleQuotaReader {
  private(set) var values: [Quota: Int] = [:]

  init(_ table: TableReader) {
    for quota in Quota.allCases where table.has(quota.rawValue) {
      values[quota] =
        quota.isOfBytes
        ? table.text(quota.rawValue) { text, name throws(InvalidOption) in try quota.bytes(text, name) }
        : table.number(quota.rawValue) { number, name throws(InvalidOption) in try quota.checked(number, name) }
    }
    for (burst, rate) in Self.bursts where table.has(burst.rawValue) && !table.has(rate.rawValue) {
      table.complain(burst.rawValue, "\(burst.rawValue) stands beside \(rate.rawValue). Name both.")
    }
  }

  private static let bursts: [(burst: Quota, rate: Quota)] = [
    (.requestBurst, .requestsPerSecond), (.roleRequestBurst, .roleRequestsPerSecond),
  ]

  // MARK: - Inheritance

  /// A role's own quotas, and those that it does not have from the roles that it inherits: of several the strictest.
  /// A rate and its burst go together.
  static func inherited(_ own: [Quota: Int], from parents: [[Quota: Int]]) -> [Quota: Int] {
    var values = own
    for quota in Quota.allCases where own[quota] == nil && !bursts.contains(where: { $0.burst == quota }) {
      let among = parents.filter { $0[quota] != nil }
      guard let burst = bursts.first(where: { $0.rate == quota })?.burst else {
        values[quota] = among.compactMap { $0[quota] }.min()
        continue
      }
      func numbers(_ parent: [Quota: Int]) -> (Int, Int) {
        let rate = parent[quota] ?? .max
        return (rate, parent[burst] ?? rate)
      }
      guard let strictest = among.min(by: { numbers($0) < numbers($1) }) else { continue }
      values[quota] = strictest[quota]
      values[burst] = strictest[burst]
    }
    return values
  }
}

extension Quota {
  fileprivate var isOfBytes: Bool { self == .resultBytes || self == .sortBytes || self == .databaseBytes }

  /// What a number of it may be.
  var bounds: ClosedRange<Int> {
    switch self {
    case .resultBytes: ConfigurationLimits.quotaBytesMin...ConfigurationLimits.quotaBytesMax
    case .sortBytes: ConfigurationLimits.quotaSortBytesMin...ConfigurationLimits.quotaBytesMax
    case .databaseBytes: ConfigurationLimits.quotaDatabaseBytesMin...ConfigurationLimits.quotaBytesMax
    case .steps: ConfigurationLimits.quotaStepsMin...ConfigurationLimits.quotaStepsMax
    case .requestsPerSecond, .requestBurst, .roleRequestsPerSecond, .roleRequestBurst:
      1...ConfigurationLimits.quotaRateMax
    default: 1...ConfigurationLimits.quotaNumberMax
    }
  }

  fileprivate func checked(_ number: Int, _ name: String) throws(InvalidOption) -> Int {
    guard number >= bounds.lowerBound else { throw InvalidOption("\(name) is a number from \(bounds.lowerBound).") }
    guard number <= bounds.upperBound else { throw InvalidOption("\(name) is at most \(bounds.upperBound).") }
    return number
  }

  fileprivate func bytes(_ text: String, _ name: String) throws(InvalidOption) -> Int {
    guard let size = ByteSize(text), bounds.contains(size.bytes) else {
      throw InvalidOption(
        "\(name) is a number with a unit, such as 512K, 16M or 2G, of \(bounds.lowerBound >> 10)K to "
          + "\(bounds.upperBound >> 40)T.")
    }
    return size.bytes
  }
}
