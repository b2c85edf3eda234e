/// The digits of a decimal number's text, from the first to the last that is not 0, and the power of ten behind them.
///
/// Always true: two texts of the same number have the same digits, however they are written.
struct DecimalDigits: Equatable {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0

  /// Nil if it is no number: a sign or none, digits with a point or without, and an exponent or none.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    if let mark = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      guard let power = Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)),
        power.magnitude <= QueryLimits.decimalExponentMax
      else { return nil }
      exponent = power
      rest = rest[..<mark]
    }
    let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let all = parts.joined()
    guard !all.isEmpty, all.allSatisfy({ (48...57).contains($0) }) else { return nil }
    if parts.count == 2 { exponent -= parts[1].count }
    digits = Array(all.drop { $0 == UInt8(ascii: "0") })
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}
