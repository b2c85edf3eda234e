/// The rows of one table that satisfy some predicates: what a table's queries begin with, and what scopes are.
///
/// Always true: it sees the table's default scope unless it was made from `unscoped`. It may become a SELECT, an
/// UPDATE or a DELETE.
import MartletAST

/// Rows of a table that satisfy conditions: a query, a scope to combine, or what to update and delete.
@dynamicMemberLookup
public struct Where<From: Table>: Sendable {
  var predicates: [QueryFragment] = []
  var isScoped = true
  /// Which index SQLite has to use.
  var hint: IndexHint?

  init(isScoped: Bool = true) { self.isScoped = isScoped }

  /// Another scope, or query, of the table in the middle of a chain: `Reminder.incomplete.flagged`.
  ///
  /// One subscript for both: of two, the compiler has to call whatever is unknown ambiguous.
  public subscript<Query: TableScope>(dynamicMember path: KeyPath<From.Type, Query>) -> Query
  where Query.ScopedTable == From {
    From.self[keyPath: path].narrowed(by: self)
  }

  /// The table, with the hint.
  var source: SourceFragment {
    var source = From.source
    source.hint = hint?.tree
    return source
  }

  /// The default scope's predicates and the own ones. A default scope that is read through itself is not added twice.
  var allPredicates: [QueryFragment] {
    guard isScoped else { return predicates }
    return merged(own: From.all.predicates, with: predicates)
  }

  func merged(own: [QueryFragment], with others: [QueryFragment]) -> [QueryFragment] {
    guard !own.isEmpty, !others.isEmpty else { return own + others }
    let known = own.map(Self.identity)
    return own
      + others.filter { other in
        let identity = Self.identity(of: other)
        return !known.contains { $0 == identity }
      }
  }

  /// Equal where the predicates and their values are.
  private static func identity(of fragment: QueryFragment) -> PredicateIdentity {
    var writer = TreeWriter()
    writer.expression(1, fragment)
    return PredicateIdentity(bytes: writer.bytes, values: writer.builder.parameters)
  }

  private struct PredicateIdentity: Equatable {
    var bytes: [UInt8]
    var values: [Value]
  }
}

// MARK: - Chaining

/// A query that a table keeps as a static property: what may stand in the middle of a chain of scopes.
public protocol TableScope {
  /// The table whose rows the query reads.
  associatedtype ScopedTable

  /// The query of those rows only that `scope` has.
  func narrowed<Base: Table>(by scope: Where<Base>) -> Self
}

extension Where: TableScope {
  /// The table itself.
  public typealias ScopedTable = From

  /// The rows that both have: the other scope's filters come first.
  public func narrowed<Base: Table>(by scope: Where<Base>) -> Where {
    var result = self
    result.predicates = merged(own: scope.predicates, with: predicates)
    result.isScoped = scope.isScoped && isScoped
    result.hint = scope.hint ?? hint
    return result
  }
}

extension Select: TableScope {
  /// The first table of a right join is optional.
  public typealias ScopedTable = Sources.First.QueryUnwrapped

  /// The query, with the scope's filters before its own.
  public func narrowed<Base: Table>(by scope: Where<Base>) -> Select {
    changed { parts in
      parts.predicates = scope.merged(own: scope.allPredicates, with: parts.predicates)
      if let hint = scope.hint { parts.source?.hint = hint.tree }
    }
  }
}

// MARK: - Combining

extension Where {
  /// `WHERE ...`: the conditions of the closure, and those that were there, all hold.
  public func `where`(@PredicateBuilder _ predicate: (From.TableColumns) -> [QueryFragment]) -> Where {
    var result = self
    result.predicates += predicate(From.columns)
    return result
  }

  /// `WHERE column`, for a Boolean column.
  public func `where`<E: QueryExpression>(_ path: KeyPath<From.TableColumns, E>) -> Where
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    var result = self
    result.predicates.append(From.columns[keyPath: path].queryFragment)
    return result
  }

  /// The rows that both have.
  public func and(_ other: Where) -> Where {
    var result = self
    result.predicates = merged(own: predicates, with: other.predicates)
    result.isScoped = isScoped && other.isScoped
    result.hint = hint ?? other.hint
    return result
  }

  /// The rows that one of them has.
  public func or(_ other: Where) -> Where {
    var result = self
    guard let left = QueryFragment.all(of: predicates), let right = QueryFragment.all(of: other.predicates) else {
      result.predicates = []
      return result
    }
    result.predicates = [.chain(.or, left, right)]
    result.isScoped = isScoped && other.isScoped
    return result
  }

  /// The rows that it does not have.
  public func not() -> Where {
    var result = self
    result.predicates = [.operation(.not, QueryFragment.all(of: predicates) ?? .literal(integer: 1))]
    return result
  }

  /// The rows that both have, as `and`.
  public static func && (left: Where, right: Where) -> Where { left.and(right) }
  /// The rows that one of them has, as `or`.
  public static func || (left: Where, right: Where) -> Where { left.or(right) }
  /// The rows that both have, as `and`.
  public static func + (left: Where, right: Where) -> Where { left.and(right) }
  /// The rows that it does not have, as `not`.
  public static prefix func ! (operand: Where) -> Where { operand.not() }

  /// Without the table's default scope.
  public var unscoped: Where {
    var result = self
    result.isScoped = false
    return result
  }

  /// The same rows of the table under another name.
  public func `as`<Name: AliasName>(_ name: Name.Type) -> Where<AliasedTable<From, Name>> {
    var result = Where<AliasedTable<From, Name>>(isScoped: false)
    result.hint = hint
    result.predicates = allPredicates.map { $0.renaming(From.self, to: Name.aliasName) }
    return result
  }
}

extension Where: SelectStatement {
  public typealias QueryValue = From
  public typealias Sources = Tables1<From>

  public var asSelect: Select<From, Tables1<From>> {
    var parts = SelectParts()
    parts.source = source
    parts.predicates = allPredicates
    return Select(parts: parts)
  }
}

extension Where where From: PrimaryKeyedTable {
  /// The row with the key.
  public func find(_ key: From.PrimaryKey.QueryOutput) -> Where {
    var result = self
    result.predicates.append(
      .operation(.equal, From.columns.primaryKey.queryFragment, From.PrimaryKey.fragment(of: key)))
    return result
  }

  /// The row whose key an expression gives.
  @_disfavoredOverload
  public func find<Key: QueryExpression>(_ key: Key) -> Where
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == From.PrimaryKey.QueryUnwrapped {
    var result = self
    result.predicates.append(.operation(.equal, From.columns.primaryKey.queryFragment, key.queryFragment))
    return result
  }

  /// The rows with the keys.
  public func find(_ keys: some Sequence<From.PrimaryKey.QueryOutput>) -> Where {
    var result = self
    result.predicates.append(
      .membership(.in, From.columns.primaryKey.queryFragment, keys.map { From.PrimaryKey.fragment(of: $0) }))
    return result
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value of the primary key's type, or a sequence of such values.")
  public func find<Other>(_ key: Other) -> Where { self }
}

extension PrimaryKeyedTable {
  /// The row that has another row's key, whatever the default scope is.
  package static func find(keyOf row: Self) -> Where<Self> {
    let columns = TableColumns.allColumns
    let values = row.columnFragments
    let key = columns.indices.filter { columns[$0].isPrimaryKey }.map { values[$0] }
    var scope = Where<Self>(isScoped: false)
    scope.predicates = [.operation(.equal, columns.primaryKeyFragment(of: Self.self), .row(key))]
    return scope
  }
}
