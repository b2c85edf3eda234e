/// Optionals of everything: NULL is nil.
///
/// Always true: `Optional` never nests in a representation; the optional of an optional column is that optional.
extension Optional: QueryExpression where Wrapped: QueryRepresentable {
  public typealias QueryValue = Self

  public var queryFragment: QueryFragment { .row(columnFragments) }

  public var columnFragments: [QueryFragment] {
    self?.columnFragments ?? Array(repeating: .bind(.null), count: Wrapped.columnWidth)
  }
}

extension Optional: QueryDecodable where Wrapped: QueryRepresentable {
  @inlinable
  public init(decoder: inout some QueryDecoder) throws {
    self = try decoder.skipNulls(Wrapped.columnWidth) ? nil : Wrapped(decoder: &decoder)
  }
}

extension Optional: QueryRepresentable where Wrapped: QueryRepresentable {
  public typealias QueryOutput = Wrapped.QueryOutput?
  public typealias QueryUnwrapped = Wrapped.QueryUnwrapped
  public typealias QueryOptional = Self
  public typealias QueryUnaliased = Wrapped.QueryUnaliased.QueryOptional

  @inlinable public init(queryOutput: Wrapped.QueryOutput?) { self = queryOutput.map(Wrapped.init(queryOutput:)) }
  @inlinable public var queryOutput: Wrapped.QueryOutput? { self?.queryOutput }
  @inlinable public static var columnWidth: Int { Wrapped.columnWidth }
  @inlinable public static var sqlType: String { Wrapped.sqlType }
  @inlinable public static var membersMayBeNull: Bool { Wrapped.membersMayBeNull }
}

extension Optional: QueryBindable where Wrapped: QueryBindable {
  public var queryBinding: QueryBinding { self?.queryBinding ?? .null }
}
