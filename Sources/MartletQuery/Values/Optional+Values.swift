/// Optionals of everything: NULL is nil.
///
/// Always true: a group or an enum that is not nil and has nothing but NULLs would be read as nil, so its statement
/// fails when it is run. `Optional` never nests in a representation; the optional of an optional column is that
/// optional.
extension Optional: QueryExpression where Wrapped: QueryRepresentable {
  public typealias QueryValue = Self

  public var queryFragment: QueryFragment { .row(columnFragments) }

  public var columnFragments: [QueryFragment] {
    guard let self else { return Array(repeating: .bind(.null), count: Wrapped.columnWidth) }
    var fragments = self.columnFragments
    if !fragments.isEmpty, fragments.allSatisfy(\.isBoundNull) {
      fragments[0] = .bind(.invalid(QueryBindingFailure.readAsNil))
    }
    return fragments
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
  @inlinable public static var sortsAsStored: Bool { Wrapped.sortsAsStored }
}

extension Optional: QueryBindable where Wrapped: QueryBindable {
  public var queryBinding: QueryBinding { self?.queryBinding ?? .null }
}

extension QueryBindingFailure {
  /// A value that would come back as nil.
  static var readAsNil: QueryBindingFailure {
    QueryBindingFailure(
      "A value that is not nil has nothing but NULLs here, and would be read as nil. Write nil, or give one of its "
        + "members a value that is not nil.")
  }
}

extension QueryFragment {
  /// It is NULL, and so is nothing that the database computes.
  var isBoundNull: Bool { if case .null? = binding { true } else { false } }

  /// It is the mark of a value that would be read as nil.
  var isReadAsNil: Bool {
    guard case .invalid(let error)? = binding, let failure = error as? QueryBindingFailure else { return false }
    return failure.description == QueryBindingFailure.readAsNil.description
  }
}
