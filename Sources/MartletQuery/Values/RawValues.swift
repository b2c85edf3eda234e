/// Enums and other types by their raw value, and types that are made of a text.
///
/// Always true: a raw value that the type has no case for throws; nothing is guessed.
extension QueryBindable where Self: RawRepresentable, RawValue: QueryBindable, QueryOutput == Self {
  public var queryBinding: QueryBinding { rawValue.queryBinding }
  public static var sqlType: String { RawValue.sqlType }
  public static var sortsAsStored: Bool { RawValue.sortsAsStored }

  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    guard let value = Self(rawValue: try RawValue(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "raw value of \(Self.self)")
    }
    self = value
  }
}

extension QueryBindable where Self: LosslessStringConvertible, QueryOutput == Self {
  public var queryBinding: QueryBinding { .text(description) }

  public init(decoder: inout some QueryDecoder) throws {
    guard let value = Self(try String(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "text of \(Self.self)")
    }
    self = value
  }
}

extension QueryBindable
where Self: LosslessStringConvertible & RawRepresentable, RawValue: QueryBindable, QueryOutput == Self {
  public var queryBinding: QueryBinding { rawValue.queryBinding }
  public static var sqlType: String { RawValue.sqlType }
  public static var sortsAsStored: Bool { RawValue.sortsAsStored }

  public init(decoder: inout some QueryDecoder) throws {
    guard let value = Self(rawValue: try RawValue(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "raw value of \(Self.self)")
    }
    self = value
  }
}

/// A raw value for a type that is something else by itself.
public struct RawRepresentation<Output: RawRepresentable>: QueryBindable where Output.RawValue: QueryBindable {
  public var queryOutput: Output

  public init(queryOutput: Output) { self.queryOutput = queryOutput }

  public init(decoder: inout some QueryDecoder) throws {
    guard let value = Output(rawValue: try Output.RawValue(decoder: &decoder)) else {
      throw QueryDecodingError(.dataCorrupted, expected: "raw value of \(Output.self)")
    }
    queryOutput = value
  }

  public var queryBinding: QueryBinding { queryOutput.rawValue.queryBinding }
  public static var sqlType: String { Output.RawValue.sqlType }
  public static var sortsAsStored: Bool { Output.RawValue.sortsAsStored }
}

extension RawRepresentable where RawValue: QueryBindable {
  /// `Value.RawRepresentation`, to name it in a column.
  public typealias RawRepresentation = MartletQuery.RawRepresentation<Self>
}
