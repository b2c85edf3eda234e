public import Foundation
import MartletValues

/// A `Codable` value as JSON text.
///
/// Always true: `queryOutput` is the plain Swift value, which is what a table's property holds.
public struct JSONRepresentation<Output: Codable>: QueryBindable {
  /// A document of a number or a text sorts by its characters and quotation marks.
  public static var sortsAsStored: Bool { !(Output.self is any Comparable.Type) }
  public var queryOutput: Output

  public init(queryOutput: Output) { self.queryOutput = queryOutput }

  public init(decoder: inout some QueryDecoder) throws {
    let bytes = try [UInt8](decoder: &decoder)
    do {
      queryOutput = try JSONDecoder.forColumns.decode(Output.self, from: Data(bytes))
    } catch is DecodingError {
      throw QueryDecodingError(.dataCorrupted, expected: "JSON of the type \(Output.self)")
    }
  }

  public var queryBinding: QueryBinding {
    do {
      return .text(String(decoding: try JSONEncoder.document(queryOutput), as: UTF8.self))
    } catch {
      return .invalid(error)
    }
  }
}

extension QueryBindingFailure {
  /// What `JSONEncoder` says, and where in the value.
  init(_ error: EncodingError) {
    guard case .invalidValue(_, let context) = error else {
      self.init("\(error)")
      return
    }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    self.init(
      "A value cannot be written as a JSON document\(place.isEmpty ? "" : ", because of '\(place)'"): "
        + context.debugDescription)
  }
}

extension JSONEncoder {
  /// A value as a document: dates and UUIDs as the columns of a table have them.
  static func document(_ value: some Encodable) throws -> Data {
    do {
      return try forColumns.encode(DocumentEncoding(value: value))
    } catch let error as EncodingError {
      throw QueryBindingFailure(error)
    }
  }

  /// Sorted keys, so that equal values are equal texts.
  private static var forColumns: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      guard ISODate.isInRange(date) else {
        throw QueryBindingFailure("A date in a document lies outside of the years 0 to 9999.")
      }
      guard ISODate.sortsAsText(date) else { throw QueryBindingFailure.dateBeforeYear0 }
      var container = encoder.singleValueContainer()
      try container.encode(ISODate.text(of: date))
    }
    return encoder
  }
}

extension JSONDecoder {
  static var forColumns: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let date = ISODate.date(of: text) else { throw QueryDecodingError.dataCorrupted }
      return date
    }
    return decoder
  }
}

extension Decodable where Self: Encodable {
  /// `Value.JSONRepresentation`, to name it in a column: `as: [String].JSONRepresentation.self`.
  public typealias JSONRepresentation = MartletQuery.JSONRepresentation<Self>
}

extension Date {
  /// Whole seconds since 1970, an INTEGER.
  public struct UnixTimeRepresentation: QueryBindable {
    public static var sqlType: String { "INTEGER" }
    public var queryOutput: Date

    public init(queryOutput: Date) { self.queryOutput = queryOutput }

    public init(decoder: inout some QueryDecoder) throws {
      queryOutput = Date(timeIntervalSince1970: try Double(decoder: &decoder))
    }

    public var queryBinding: QueryBinding {
      let seconds = queryOutput.timeIntervalSince1970.rounded(.down)
      // Beyond, a Double does not name each second, and neither does a date.
      guard Swift.abs(seconds) < 0x1p53, let whole = Int64(exactly: seconds) else {
        return .invalid(QueryBindingFailure("The date is too far away for Unix time."))
      }
      return .int(whole)
    }
  }

  /// Days since noon in Greenwich on 24 November 4714 B.C., a REAL.
  public struct JulianDayRepresentation: QueryBindable {
    public static var sqlType: String { "REAL" }
    public var queryOutput: Date

    public init(queryOutput: Date) { self.queryOutput = queryOutput }

    public init(decoder: inout some QueryDecoder) throws {
      queryOutput = Date(milliseconds: Self.milliseconds(ofDays: try Double(decoder: &decoder)))
    }

    /// Whole milliseconds since 1970.
    private static func milliseconds(ofDays days: Double) -> Double { ((days - 2_440_587.5) * 86_400_000).rounded() }

    /// The number that SQLite's own functions make of the date, to whole milliseconds: whoever wrote it, and whatever
    /// lay between two milliseconds, a date is found by the value that it is read as.
    public var queryBinding: QueryBinding {
      let milliseconds = (queryOutput.timeIntervalSince1970 * 1000).rounded()
      let days = (milliseconds + 210_866_760_000_000) / 86_400_000
      // Far away, a REAL of days does not name each millisecond, and beyond 2^53 of them a date does not either.
      guard Self.milliseconds(ofDays: days) == milliseconds, Swift.abs(milliseconds) < 0x1p53 else {
        return .invalid(QueryBindingFailure("The date is too far away for a Julian day to name its milliseconds."))
      }
      return .double(days)
    }
  }
}

// As people write them above optional properties.
extension Date? {
  /// Whole seconds since 1970, or NULL.
  public typealias UnixTimeRepresentation = Date.UnixTimeRepresentation?
  /// A Julian day, or NULL.
  public typealias JulianDayRepresentation = Date.JulianDayRepresentation?
}

extension UUID? {
  /// 16 bytes, or NULL.
  public typealias BytesRepresentation = UUID.BytesRepresentation?
  /// Text in upper case, or NULL.
  public typealias UppercasedRepresentation = UUID.UppercasedRepresentation?
}

extension UUID {
  /// Sixteen bytes, a BLOB.
  public struct BytesRepresentation: QueryBindable {
    public static var sqlType: String { "BLOB" }
    public var queryOutput: UUID

    public init(queryOutput: UUID) { self.queryOutput = queryOutput }

    public init(decoder: inout some QueryDecoder) throws {
      let bytes = try [UInt8](decoder: &decoder)
      guard bytes.count == 16 else { throw QueryDecodingError(.dataCorrupted, expected: "UUID as 16 bytes") }
      queryOutput = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    public var queryBinding: QueryBinding { withUnsafeBytes(of: queryOutput.uuid) { .blob(Array($0)) } }
  }

  /// Upper-case text.
  public struct UppercasedRepresentation: QueryBindable {
    public var queryOutput: UUID

    public init(queryOutput: UUID) { self.queryOutput = queryOutput }

    public init(decoder: inout some QueryDecoder) throws { queryOutput = try UUID(decoder: &decoder) }

    public var queryBinding: QueryBinding { .text(queryOutput.uuidString) }
  }
}
