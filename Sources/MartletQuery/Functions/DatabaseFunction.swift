public import MartletValues

/// A function as a database knows it: `@DatabaseFunction` makes these.
///
/// Always true: it takes its arguments from a decoder, like the columns of a row, and returns one value. What it throws
/// becomes the error of the statement that calls it.
public protocol DatabaseFunction: Sendable {
  /// What SQL calls it.
  var name: String { get }

  /// How many columns it takes, rows flattened; nil: any number.
  var argumentCount: Int? { get }

  /// True if the same arguments always return the same value, so that SQLite may call it once for many rows and let an
  /// index use it.
  var isDeterministic: Bool { get }
}

/// A function of one row's values.
public protocol ScalarDatabaseFunction: DatabaseFunction {
  /// Reads its arguments from the decoder, one after the other, calls the Swift function and binds what it returns.
  func invoke(_ decoder: inout some QueryDecoder) throws -> QueryBinding
}

/// A function of the values of many rows.
public protocol AggregateDatabaseFunction: DatabaseFunction {
  /// The arguments of one row.
  associatedtype Element: Sendable

  /// Reads one row's arguments from the decoder.
  func step(_ decoder: inout some QueryDecoder) throws -> Element

  /// Makes the group's value of its rows, in the order in which SQLite passed them. The sequence may be walked once.
  func invoke(_ rows: some Sequence<Element>) throws -> QueryBinding
}

extension DatabaseFunction {
  public var isDeterministic: Bool { false }
}

extension SQLQueryExpression {
  /// A call of a function by its name: of an aggregate, if SQLite has one under it. The arguments are columns: of an
  /// expression with several, such as a table, all of its `columnFragments`.
  public init(function name: String, _ arguments: [QueryFragment]) {
    self.init(.function(name, arguments))
  }

  /// A call of a function of one row's values, as `@DatabaseFunction` makes it: whatever SQLite has under its name.
  public init(scalar name: String, _ arguments: [QueryFragment]) {
    var call = FunctionCall(name: name, arguments: arguments)
    call.isScalar = true
    self.init(QueryFragment(.function(call)))
  }

  /// A call of an aggregate by its name, over the rows for which `filter` holds.
  public init(
    aggregate name: String, _ arguments: [QueryFragment], distinct: Bool = false, order: [OrderingTerm] = [],
    filter: QueryFragment? = nil
  ) {
    var call = FunctionCall(name: name, arguments: arguments, distinct: distinct, order: order, filter: filter)
    call.isAggregate = true
    self.init(QueryFragment(.function(call)))
  }
}

extension SQLQueryExpression {
  /// The same with the clauses as a call of `@DatabaseFunction` has them.
  public init(
    aggregate name: String, _ arguments: [QueryFragment], distinct: Bool, ordered order: some QueryExpression,
    filtered filter: some QueryExpression
  ) {
    self = .aggregate(name, arguments, distinct, order, filter)
  }
}

extension QueryBinding {
  /// The value as a statement binds it. Throws `QueryBindingFailure`, with the reason, if it cannot be bound.
  public func bound() throws -> Value {
    if let failure { throw failure }
    return value
  }
}
