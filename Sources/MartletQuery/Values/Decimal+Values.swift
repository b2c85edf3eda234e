public import Foundation

/// Decimal numbers: as REAL, which sorts and compares as numbers do, or as exact text.
///
/// Always true: a decimal that is read is the one that was bound. What has more digits than a REAL keeps, more than 15,
/// cannot be bound as one and says so; it is never rounded in silence. Sums and averages are SQLite's, in binary.
extension QueryBindingFailure {
  /// The text `NaN` could not be read as a decimal, and is no JSON.
  static var decimalIsNoNumber: QueryBindingFailure {
    QueryBindingFailure("A decimal that is no number (NaN) cannot be stored. Store nil in an optional column instead.")
  }
}

extension Decimal: QueryBindable {
  public typealias QueryValue = Decimal
  public static var sqlType: String { "REAL" }

  public var queryBinding: QueryBinding {
    if isNaN { return .invalid(QueryBindingFailure.decimalIsNoNumber) }
    guard let double = Double(description), Decimal(shortest: double) == self else {
      return .invalid(
        QueryBindingFailure(
          "A decimal has more digits than a REAL keeps. Store the column as 'Decimal.TextRepresentation'."))
    }
    return .double(double)
  }

  public init(decoder: inout some QueryDecoder) throws {
    guard let decimal = Decimal(shortest: try Double(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "decimal number")
    }
    self = decimal
  }

  /// The decimal with the fewest digits that is nearest to this double.
  fileprivate init?(shortest double: Double) {
    guard double.isFinite, let decimal = Decimal(string: "\(double)", locale: nil) else { return nil }
    self = decimal
  }

  /// As TEXT, with all its digits. Texts do not sort as numbers do: order and compare with `cast(as: Double.self)`.
  public struct TextRepresentation: QueryBindable {
    public static var sortsAsStored: Bool { false }
    public var queryOutput: Decimal

    public init(queryOutput: Decimal) { self.queryOutput = queryOutput }

    public init(decoder: inout some QueryDecoder) throws {
      let text = try String(decoder: &decoder)
      // Foundation reads a number up to the first byte that is none of it, and rounds what is too long.
      guard let digits = DecimalDigits(text), let decimal = Decimal(string: text, locale: nil),
        DecimalDigits(decimal.description) == digits
      else {
        throw QueryDecodingError(.dataCorrupted, expected: "decimal number as text")
      }
      queryOutput = decimal
    }

    public var queryBinding: QueryBinding {
      queryOutput.isNaN ? .invalid(QueryBindingFailure.decimalIsNoNumber) : .text(queryOutput.description)
    }
  }
}
