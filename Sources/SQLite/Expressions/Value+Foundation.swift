public import Foundation

/// How dates, which are columns like UUIDs, URLs and data, are written and read: UTC, with milliseconds, in a form that
/// SQLite's own functions understand and that sorts as the dates do. A program may set another one before it opens a
/// database.
// Unsafe because a program may set it; what reads and writes dates with it is safe from any thread.
nonisolated(unsafe) public var dateFormatter: DateFormatter = {
  let formatter = DateFormatter()
  formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS"
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(secondsFromGMT: 0)
  return formatter
}()

extension Date: Value {
  public static var declaredDatatype: String { String.declaredDatatype }

  public static func fromDatatypeValue(_ stringValue: String) throws -> Date {
    guard let date = dateFormatter.date(from: stringValue) else {
      throw QueryError.unexpectedValue("A text of the column is no date in the format of `dateFormatter`.")
    }
    return date
  }

  public var datatypeValue: String { dateFormatter.string(from: self) }

  public var _stored: _StoredValue { isReadAgain ? datatypeValue._stored : .unkept }

  /// Formats as the default one have no room for an era, and give no text at all for what is no date.
  private var isReadAgain: Bool {
    if DateLimits.plainSeconds.contains(timeIntervalSince1970) { return true }
    guard let date = dateFormatter.date(from: datatypeValue) else { return false }
    return abs(date.timeIntervalSince(self)) <= DateLimits.leftOutSecondsMax
  }
}

extension Data: Value {
  public static var declaredDatatype: String { Blob.declaredDatatype }
  public static func fromDatatypeValue(_ dataValue: Blob) -> Data { Data(dataValue.bytes) }
  public var datatypeValue: Blob { Blob(bytes: [UInt8](self)) }
}

extension UUID: Value {
  public static var declaredDatatype: String { String.declaredDatatype }

  public static func fromDatatypeValue(_ stringValue: String) throws -> UUID {
    guard let uuid = UUID(uuidString: stringValue) else {
      throw QueryError.unexpectedValue("A text of the column is no UUID.")
    }
    return uuid
  }

  public var datatypeValue: String { uuidString }
}

extension URL: Value {
  public static var declaredDatatype: String { String.declaredDatatype }

  public static func fromDatatypeValue(_ stringValue: String) throws -> URL {
    guard let url = URL(string: stringValue) else {
      throw QueryError.unexpectedValue("A text of the column is no URL.")
    }
    return url
  }

  public var datatypeValue: String { absoluteString }
}
