/// A copy of one SQL value that outlives the call it came with, ordered as SQLite orders values.
///
/// Always true: NULL < numbers < texts < blobs; integers and reals compare by their exact values.
enum StoredValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8], isJSON: Bool)
  case blob([UInt8])

  init(_ value: RowValue) {
    switch value.type {
    case .null: self = .null
    case .integer: self = .integer(value.integer)
    case .real: self = .real(value.real)
    case .text: self = .text(Array(value.textBytes), isJSON: value.subtype == 74)
    case .blob: self = .blob(Array(value.blobBytes))
    }
  }

  var isNull: Bool { self == .null }

  var byteCount: Int {
    switch self {
    case .null, .integer, .real: 32
    case .text(let bytes, _), .blob(let bytes): 64 + bytes.count
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Equal for values that are equal under a collation, which is what DISTINCT asks.
  func folded(_ collation: SortPlan.Collation) -> StoredValue {
    switch self {
    case .text(let bytes, _): return .text(Self.fold(bytes, collation), isJSON: false)
    case .real(let real):
      guard let exact = Int64(exactly: real) else { return self }
      return .integer(exact)
    default: return self
    }
  }

  func compare(_ other: StoredValue, _ collation: SortPlan.Collation) -> Int {
    guard rank == other.rank else { return rank < other.rank ? -1 : 1 }
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.real(let left), .real(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .real(let right)): return Self.compare(left, right)
    case (.real(let left), .integer(let right)): return -Self.compare(right, left)
    case (.text(let left, _), .text(let right, _)):
      return Self.compare(Self.fold(left, collation), Self.fold(right, collation))
    case (.blob(let left), .blob(let right)): return Self.compare(left, right)
    default: return 0
    }
  }

  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    // A NaN cannot come: SQLite makes it NULL.
    if real < -9_223_372_036_854_775_808 { return 1 }
    if real >= 9_223_372_036_854_775_808 { return -1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    for (a, b) in zip(left, right) where a != b { return a < b ? -1 : 1 }
    return left.count < right.count ? -1 : left.count == right.count ? 0 : 1
  }

  private static func fold(_ bytes: [UInt8], _ collation: SortPlan.Collation) -> [UInt8] {
    switch collation {
    case .binary: return bytes
    case .noCase: return bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    case .rightTrimmed:
      var end = bytes.count
      while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
      return end == bytes.count ? bytes : Array(bytes[..<end])
    }
  }
}
