import Foundation

/// Whether a number that is written in decimal digits is still the same number as a REAL.
///
/// Always true: it is the same if the REAL, written with as many digits, has these digits; zeros at either end are no
/// digits. Readers of CSV and of JSON share the rule.
enum RealDigits {
  /// `bytes` are a number's: a sign, digits with a point among them, an exponent. `value` is the REAL next to it.
  static func survive(_ bytes: some Sequence<UInt8>, as value: Double) -> Bool {
    let digits = significant(bytes)
    // No REAL holds more than 17 digits.
    guard value.isFinite, digits.count <= 17 else { return false }
    guard !digits.isEmpty else { return value == 0 }
    // Every one holds 15, but for those so near to 0 that they have fewer bits.
    if digits.count <= 15, value.isNormal { return true }
    return significant(String(format: "%.\(digits.count - 1)e", value).utf8) == digits
  }

  private static func significant(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    let mantissa = bytes.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    var digits = mantissa.filter { (zero...UInt8(ascii: "9")).contains($0) }
    while digits.last == zero { digits.removeLast() }
    return Array(digits.drop { $0 == zero })
  }
}
