public import Foundation
import MartletValues

/// Dates as ISO 8601 text in UTC, UUIDs as lower-case text: what SQLite's own functions understand and print.
///
/// Always true: texts of dates sort as the dates do, and name a moment to the millisecond.
extension Date: QueryBindable {
  public typealias QueryValue = Date
  public var queryBinding: QueryBinding { .date(self) }

  public init(decoder: inout some QueryDecoder) throws {
    guard let date = ISODate.date(of: try String(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "date as ISO 8601 text")
    }
    self = date
  }
}

extension UUID: QueryBindable {
  public typealias QueryValue = UUID
  public var queryBinding: QueryBinding { .uuid(self) }

  public init(decoder: inout some QueryDecoder) throws {
    guard let uuid = UUID(uuidString: try String(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "UUID as text")
    }
    self = uuid
  }
}

extension Date {
  /// The nearest date to whole milliseconds since 1970.
  init(milliseconds: Double) {
    self.init(timeIntervalSinceReferenceDate: (milliseconds - 978_307_200_000) / 1000)
  }
}
