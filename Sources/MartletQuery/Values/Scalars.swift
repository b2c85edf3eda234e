public import Foundation

/// Numbers, texts and bytes as SQLite stores them.
///
/// Always true: a number that does not fit the Swift type throws; an integer is never cut, and no Float infinite that
/// is finite in the database.
extension Bool: QueryBindable {
  public typealias QueryValue = Bool
  public static var sqlType: String { "INTEGER" }
  public var queryBinding: QueryBinding { .bool(self) }

  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    guard let integer = try decoder.decode(Int64.self) else { throw QueryDecodingError.missingRequiredColumn }
    self = integer != 0
  }
}

/// Integers of every width.
public protocol QueryInteger: QueryBindable, FixedWidthInteger where QueryOutput == Self {}

extension QueryInteger {
  public static var sqlType: String { "INTEGER" }
  public var queryBinding: QueryBinding {
    Int64(exactly: self).map(QueryBinding.int) ?? .uint(UInt64(clamping: self))
  }

  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    guard let integer = try decoder.decode(Int64.self) else { throw QueryDecodingError.missingRequiredColumn }
    guard let exact = Self(exactly: integer) else {
      throw QueryDecodingError(.dataCorrupted, expected: "integer that fits \(Self.self)")
    }
    self = exact
  }
}

extension Int: QueryInteger { public typealias QueryValue = Int }
extension Int8: QueryInteger { public typealias QueryValue = Int8 }
extension Int16: QueryInteger { public typealias QueryValue = Int16 }
extension Int32: QueryInteger { public typealias QueryValue = Int32 }
extension Int64: QueryInteger { public typealias QueryValue = Int64 }
extension UInt: QueryInteger { public typealias QueryValue = UInt }
extension UInt8: QueryInteger { public typealias QueryValue = UInt8 }
extension UInt16: QueryInteger { public typealias QueryValue = UInt16 }
extension UInt32: QueryInteger { public typealias QueryValue = UInt32 }
extension UInt64: QueryInteger { public typealias QueryValue = UInt64 }

extension Double: QueryBindable {
  public typealias QueryValue = Double
  public static var sqlType: String { "REAL" }
  public var queryBinding: QueryBinding { .double(self) }

  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    guard let real = try decoder.decode(Double.self) else { throw QueryDecodingError.missingRequiredColumn }
    self = real
  }
}

extension Float: QueryBindable {
  public typealias QueryValue = Float
  public static var sqlType: String { "REAL" }
  public var queryBinding: QueryBinding { .double(Double(self)) }

  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    let real = try Double(decoder: &decoder)
    self = Float(real)
    guard isFinite || !real.isFinite else {
      throw QueryDecodingError(.dataCorrupted, expected: "number that fits Float")
    }
  }
}

extension String: QueryBindable {
  public typealias QueryValue = String
  public var queryBinding: QueryBinding { .text(self) }

  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    guard let text = try decoder.decode(String.self) else { throw QueryDecodingError.missingRequiredColumn }
    self = text
  }
}

extension Array: QueryExpression where Element == UInt8 {
  public typealias QueryValue = [UInt8]
}

extension Array: QueryDecodable where Element == UInt8 {
  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    guard let bytes = try decoder.decode([UInt8].self) else { throw QueryDecodingError.missingRequiredColumn }
    self = bytes
  }
}

extension Array: QueryRepresentable where Element == UInt8 {
  public typealias QueryOutput = [UInt8]
  public typealias QueryUnwrapped = [UInt8]
  public typealias QueryOptional = [UInt8]?
  public static var sqlType: String { "BLOB" }
}

extension Array: QueryBindable where Element == UInt8 {
  public var queryBinding: QueryBinding { .blob(self) }
}

extension Data: QueryBindable {
  public typealias QueryValue = Data
  public static var sqlType: String { "BLOB" }
  public var queryBinding: QueryBinding { .blob(Array(self)) }

  public init(decoder: inout some QueryDecoder) throws { self = Data(try [UInt8](decoder: &decoder)) }
}

extension URL: QueryBindable {
  public typealias QueryValue = URL
  public var queryBinding: QueryBinding { .text(absoluteString) }

  public init(decoder: inout some QueryDecoder) throws {
    guard let url = URL(string: try String(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "URL")
    }
    self = url
  }
}

/// As seconds, a REAL; exact to the nanosecond for durations up to about 100 days.
extension Duration: QueryBindable {
  public typealias QueryValue = Duration
  public static var sqlType: String { "REAL" }
  public var queryBinding: QueryBinding {
    guard let boundSeconds else {
      return .invalid(
        QueryBindingFailure("A duration of 9e18 seconds or more cannot be read again. Take a shorter one."))
    }
    return .double(boundSeconds)
  }

  /// Nil if they are too many. The components of a duration whose seconds 64 bits do not hold end the process.
  private var boundSeconds: Double? {
    let end = Duration.seconds(Int64(QueryLimits.durationSecondsEnd))
    guard self < end, self > .zero - end else { return nil }
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return Swift.abs(seconds) < QueryLimits.durationSecondsEnd ? seconds : nil
  }

  public init(decoder: inout some QueryDecoder) throws {
    let seconds = try Double(decoder: &decoder)
    guard Swift.abs(seconds) < QueryLimits.durationSecondsEnd else {
      throw QueryDecodingError(.dataCorrupted, expected: "duration in seconds")
    }
    let whole = seconds.rounded(.towardZero)
    // For most durations a double is exact only to nanoseconds; the rest is noise.
    let nanoseconds = ((seconds - whole) * 1e9).rounded()
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(nanoseconds))
  }
}
