public import Foundation
import MartletValues

/// A value as a representation makes it, before it is one of SQLite's five types.
///
/// Always true: dates and UUIDs become the text that SQLite's own functions understand; what cannot be bound carries
/// its reason, which the statement throws before anything is sent.
public enum QueryBinding: Sendable {
  /// NULL.
  case null
  /// INTEGER 0 or 1.
  case bool(Bool)
  /// INTEGER.
  case int(Int64)
  /// INTEGER; above `Int64.max` it cannot be bound.
  case uint(UInt64)
  /// REAL.
  case double(Double)
  /// TEXT.
  case text(String)
  /// BLOB.
  case blob([UInt8])
  /// ISO 8601 in UTC with milliseconds: `2001-01-01 00:00:00.000`.
  case date(Date)
  /// Lower-case text.
  case uuid(UUID)
  /// What cannot be bound, and why.
  case invalid(any Error)
}

/// Why a value could not be bound.
public struct QueryBindingFailure: Error, Sendable, CustomStringConvertible {
  public var description: String

  /// - Parameter description: a sentence that says what to do instead, without the value.
  public init(_ description: String) { self.description = description }
}

extension QueryBinding {
  /// The value as it is bound; NULL if it cannot be bound, with the reason in `failure`.
  var value: Value {
    switch self {
    case .null, .invalid: .null
    case .bool(let bool): .integer(bool ? 1 : 0)
    case .int(let integer): .integer(integer)
    case .uint(let unsigned): Int64(exactly: unsigned).map(Value.integer) ?? .null
    case .double(let real): .real(real)
    case .text(let text): .text(text)
    case .blob(let blob): .blob(blob)
    case .date(let date): .text(ISODate.text(of: date))
    case .uuid(let uuid): .text(uuid.uuidString.lowercased())
    }
  }

  var failure: QueryBindingFailure? {
    switch self {
    case .invalid(let error): QueryBindingFailure(String(describing: error))
    case .uint(let unsigned) where Int64(exactly: unsigned) == nil:
      QueryBindingFailure("An unsigned number above Int64.max cannot be bound. Store it as text or bytes.")
    case .double(let real) where real.isNaN:
      QueryBindingFailure("SQLite stores NULL for NaN. Make the property optional, and store nil.")
    case .date(let date) where !ISODate.isInRange(date):
      QueryBindingFailure("The date lies outside of the years 0 to 9999, which a text of a date can name.")
    case .date(let date) where !ISODate.sortsAsText(date): QueryBindingFailure.dateBeforeYear0
    default: nil
    }
  }
}

extension QueryBindingFailure {
  /// Among texts of such dates, which begin with a sign, the later date would be the lesser one.
  static var dateBeforeYear0: QueryBindingFailure {
    QueryBindingFailure(
      "Texts of dates before the year 0 do not sort as the dates do. Store the date as "
        + "'Date.JulianDayRepresentation', which does.")
  }
}

extension QueryBindingFailure: LocalizedError {
  /// The sentence that it is.
  public var errorDescription: String? { description }
}
