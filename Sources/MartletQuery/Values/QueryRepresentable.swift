/// What a Swift type must offer to be used in a query: an expression's value, a way in (binding) and a way out
/// (decoding).
///
/// Always true: a value that is bound and read again through one representation is equal to what it was.
/// Anything that a statement can use as a value: a column, a plain Swift value, a call, a subquery, a table's columns.
public protocol QueryExpression<QueryValue> {
  /// What the expression's value is, as a representation: `Int`, `String?`, `Date.UnixTimeRepresentation`, a table.
  associatedtype QueryValue

  /// The expression; a row value if it has several columns.
  var queryFragment: QueryFragment { get }

  /// The columns that a SELECT of it returns: one, unless it is a table, a group of columns or a selection.
  var columnFragments: [QueryFragment] { get }
}

extension QueryExpression {
  public var columnFragments: [QueryFragment] { [queryFragment] }

  /// Its column under a name, for the rows of a selection.
  public func columnFragments(named name: String) -> [QueryFragment] { [queryFragment.named(name)] }
}

/// An expression that is not a plain Swift value: what a column of an update can be set to besides a value.
public protocol ComputedExpression<QueryValue>: QueryExpression {}

/// A value that is read from the columns of a row, in their order.
public protocol QueryDecodable {
  /// Takes its columns, one or more, from the decoder. Throws `QueryDecodingError` if they hold something else.
  init(decoder: inout some QueryDecoder) throws
}

/// A representation of a Swift value (`QueryOutput`) in the database. Most types represent themselves.
public protocol QueryRepresentable: QueryDecodable, QueryExpression, SendableMetatype where QueryValue == Self {
  /// The Swift value: what programs bind and read.
  associatedtype QueryOutput = Self
  /// The representation without `Optional`: what decides which values may be compared.
  associatedtype QueryUnwrapped: QueryRepresentable = Self
  /// The representation with one `Optional`: what it is on the optional side of a join.
  associatedtype QueryOptional: QueryRepresentable = Self?
  /// The representation without the name that a query gives to a table: of an alias, the table's own. It decides which
  /// rows a function in Swift takes.
  associatedtype QueryUnaliased: QueryRepresentable = Self

  /// The Swift value on its way in.
  init(queryOutput: QueryOutput)
  /// The Swift value on its way out.
  var queryOutput: QueryOutput { get }

  /// How many columns of a row it takes.
  static var columnWidth: Int { get }

  /// The type of a column that stores it, which is also what `cast(as:)` makes: INTEGER, REAL, TEXT or BLOB.
  static var sqlType: String { get }

  /// True if its column holds SQLite's binary JSON, which queries select as text.
  static var isBinaryJSON: Bool { get }

  /// Whether it is made of several members, some of which may be NULL if the value is there: a row, a group with an
  /// optional member, an enum with cases. Such values are compared as wholes, in which NULL is NULL.
  static var membersMayBeNull: Bool { get }

  /// Whether SQLite sorts what is stored as the Swift values sort. A representation says false that does not, such as
  /// numbers stored as texts: queries that order by it, or compare with `<` and its like, are then refused.
  static var sortsAsStored: Bool { get }
}

extension QueryRepresentable {
  @inlinable public static var columnWidth: Int { 1 }
  @inlinable public static var sqlType: String { "TEXT" }
  @inlinable public static var isBinaryJSON: Bool { false }
  @inlinable public static var membersMayBeNull: Bool { false }
  @inlinable public static var sortsAsStored: Bool { true }
}

extension QueryRepresentable where QueryOutput == Self {
  @inlinable public init(queryOutput: Self) { self = queryOutput }
  @inlinable public var queryOutput: Self { self }
}

/// A representation in one column, which a statement can bind as a parameter.
public protocol QueryBindable: QueryRepresentable {
  /// The value for the parameter.
  var queryBinding: QueryBinding { get }
}

extension QueryBindable {
  public var queryFragment: QueryFragment { .bind(queryBinding) }
  public var columnFragments: [QueryFragment] { [.bind(queryBinding)] }
}

extension QueryRepresentable {
  /// The columns of a Swift value in this representation; what a table's `columnFragments` are made of.
  public static func fragments(of output: QueryOutput) -> [QueryFragment] {
    Self(queryOutput: output).columnFragments
  }

  static func fragment(of output: QueryOutput) -> QueryFragment {
    Self(queryOutput: output).queryFragment
  }
}
