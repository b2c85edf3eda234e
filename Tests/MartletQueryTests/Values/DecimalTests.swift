/// Decimals as texts: what is read, and what is no decimal.
import Foundation
import MartletQuery
import Testing

@Suite struct DecimalTests {
  /// One text as a row.
  private struct Text: QueryDecoder {
    var text: String

    mutating func decode(_ type: Int64.Type) throws -> Int64? { nil }
    mutating func decode(_ type: Double.Type) throws -> Double? { nil }
    mutating func decode(_ type: String.Type) throws -> String? { text }
    mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]? { nil }
    mutating func skipNulls(_ count: Int) throws -> Bool { false }
  }

  private func read(_ text: String) throws -> Decimal {
    var decoder = Text(text: text)
    return try Decimal.TextRepresentation(decoder: &decoder).queryOutput
  }

  @Test(arguments: [
    ("12", "12"), ("-1.50", "-1.5"), ("+7", "7"), (".5", "0.5"), ("5.", "5"), ("0", "0"), ("-0.00", "0"), ("007", "7"),
    ("1e3", "1000"), ("1.5E-3", "0.0015"), ("12345678901234567890123456789012345678", nil),
  ])
  func `a text of a decimal is read`(text: String, expected: String?) throws {
    #expect(try read(text).description == expected ?? text)
  }

  @Test(arguments: [
    "", "-", "+", ".", "12abc", "1,5", "0x10", "1.2.3", "1e", "e5", "1e5.5", " 1", "1 ", "1-2", "١٢", "NaN", "inf",
    "1e999",
    "1e99999999999999999999", "123456789012345678901234567890123456789012345",
    "1.00000000000000000000000000000000000000000001",
  ])
  func `a text that is no decimal, or more than a decimal holds, is an error`(text: String) {
    #expect(throws: QueryDecodingError.self) { try read(text) }
  }

  @Test func `decimals of every size are read as they were bound`() throws {
    for exponent in [-127, -40, -1, 0, 1, 40, 89, 127] {
      for digits in ["1", "12345678901234567890123456789012345678", "-98765432109876543210987654321"] {
        guard let decimal = Decimal(string: "\(digits)e\(exponent)", locale: nil), !decimal.isNaN,
          case .text(let text) = Decimal.TextRepresentation(queryOutput: decimal).queryBinding
        else { continue }
        #expect(try read(text) == decimal, "\(digits)e\(exponent)")
      }
    }
  }
}
