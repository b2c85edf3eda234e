import MartletAST

/// Rows of a table that satisfy conditions: a query, a scope to combine, or what to update and delete.
///
/// Always true: it sees the table's default scope unless it was made from `unscoped`. It may become a SELECT, an
/// UPDATE or a DELETE.
@dynamicMemberLookup
public struct Where<From: Table>: Sendable, CustomStringConvertible {
  var predicates: [QueryFragment] = []
  var isScoped = true
  /// It is `none`: it finds no row, whatever is added.
  var isNone = false
  /// It is conditions alone. It gets the default scope if the scope that it is combined with has it.
  var isBare = false
  /// Which index SQLite has to use.
  var hint: IndexHint?
  /// What the query calls the common table whose rows these are, if its columns call it otherwise.
  var commonName: String?

  init(isScoped: Bool = true) { self.isScoped = isScoped }

  /// Another scope, or query, of the table in the middle of a chain: `Reminder.incomplete.flagged`.
  ///
  /// One subscript serves both: with two, the compiler would call any unknown name ambiguous.
  public subscript<Query: TableScope>(dynamicMember path: KeyPath<From.Type, Query>) -> Query
  where Query.ScopedTable == From {
    From.self[keyPath: path].narrowed(by: self)
  }

  /// The table, with the hint.
  var source: SourceFragment {
    var source = From.source
    if let hint { source.hint = hint.tree }
    if let commonName {
      source.alias = source.qualifier
      source.name = commonName
    }
    return source
  }

  /// The conditions of exactly these rows, the default scope's among them: what UPDATE and DELETE filter by.
  var restriction: [QueryFragment] {
    if isNone { return [.literal(integer: 0)] }
    guard isScoped, From.scopeParts != nil else { return predicates }
    return asSelect().parts.scoped.restriction(of: From.self)
  }
}

// MARK: - Combining

extension Where {
  /// `WHERE ...`: the conditions of the closure, and those that were there, all hold.
  public consuming func `where`(@PredicateBuilder _ predicate: (From.TableColumns) -> [QueryFragment]) -> Where {
    predicates += ColumnPlace.open { predicate(From.placedColumns(in: $0)) }
    return self
  }

  /// `WHERE column`, for a Boolean column.
  public consuming func `where`<E: QueryExpression>(_ path: KeyPath<From.TableColumns, E>) -> Where
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    predicates.append(From.columns[keyPath: path].queryFragment)
    return self
  }

  /// The rows that both have: if one of them has the default scope, so has the result.
  public func and(_ other: Where) -> Where {
    let (own, other) = aligned(with: other)
    var result = own
    result.predicates = QueryFragment.merged(predicates, other.predicates)
    result.isScoped = result.isScoped || other.isScoped
    result.isNone = isNone || other.isNone
    result.hint = hint ?? other.hint
    return result
  }

  /// Returns both. One that is conditions alone gets the default scope if the other has it, and the other's table.
  private func aligned(with other: Where) -> (Where, Where) {
    var (left, right) = (self, other)
    if isBare {
      left.isScoped = other.isScoped
      left.commonName = other.commonName
    }
    if other.isBare {
      right.isScoped = isScoped
      right.commonName = commonName
    }
    if left.commonName != right.commonName { right.predicates.append(.otherCommonTable) }
    left.isBare = isBare && other.isBare
    return (left, right)
  }

  /// The rows that one of them has: all rows if one of them has no condition.
  public func or(_ other: Where) -> Where {
    let (own, aligned) = aligned(with: other)
    var result = own.joined(or: aligned)
    // Combined with a query of the table, the result is such a query too, also if `none` leaves the other alone.
    result.isBare = isBare && other.isBare
    return result
  }

  private func joined(or other: Where) -> Where {
    if isNone { return other }
    if other.isNone { return self }
    var result = self
    // The default scope of one of them is no condition of the other.
    let isMixed = isScoped != other.isScoped
    if isMixed { result.isScoped = false }
    let (own, others) = isMixed ? (restriction, other.restriction) : (predicates, other.predicates)
    guard let left = QueryFragment.all(of: own), let right = QueryFragment.all(of: others) else {
      result.predicates = []
      return result
    }
    result.predicates = [.chain(.or, left, right)]
    return result
  }

  /// The rows of the default scope that it does not have. A row for which its conditions are NULL is in neither.
  public consuming func not() -> Where {
    if isNone {
      isNone = false
      predicates = []
    } else {
      predicates = [.operation(.not, QueryFragment.all(of: predicates) ?? .literal(integer: 1))]
    }
    return self
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
    var result = Where<AliasedTable<From, Name>>(isScoped: isScoped)
    result.hint = hint
    result.commonName = commonName
    result.isNone = isNone
    result.predicates = predicates.map { $0.renaming(From.self, to: Name.aliasName) }
    return result
  }
}

// MARK: - Conditions alone

extension Where {
  /// Conditions of the table, for places whose table the compiler knows: `flagged.or(.where { $0.priority.eq(.high)
  /// })`.
  public static func `where`(@PredicateBuilder _ predicate: (From.TableColumns) -> [QueryFragment]) -> Where {
    bare.where(predicate)
  }

  /// A Boolean column, for places whose table the compiler knows: `flagged.and(.where(\.isCompleted))`.
  public static func `where`<E: QueryExpression>(_ path: KeyPath<From.TableColumns, E>) -> Where
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    bare.where(path)
  }

  private static var bare: Where {
    var bare = Where()
    bare.isBare = true
    return bare
  }
}

extension Where: SelectStatement {
  public typealias QueryValue = From
  public typealias Sources = Tables1<From>

  public consuming func asSelect() -> Select<From, Tables1<From>> {
    var parts = SelectParts()
    parts.source = source
    parts.predicates = predicates
    parts.isNone = isNone
    if isScoped { parts.scope = From.self }
    return Select(parts: parts)
  }
}

extension Where where From: PrimaryKeyedTable {
  /// The row with the key.
  public consuming func find(_ key: From.PrimaryKey.QueryOutput) -> Where {
    predicates.append(
      From.PrimaryKey.isKey(From.PrimaryKey.fragment(of: key), From.columns.primaryKey.queryFragment))
    return self
  }

  /// The row whose key is an expression: of a query, the first that it returns. For the rows of all its keys say
  /// `where { $0.id.in(query) }`.
  @_disfavoredOverload
  public consuming func find<Key: QueryExpression>(_ key: Key) -> Where
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == From.PrimaryKey.QueryUnwrapped {
    predicates.append(From.PrimaryKey.isKey(key.queryFragment, From.columns.primaryKey.queryFragment))
    return self
  }

  /// The row whose key is in SQL.
  public consuming func find(_ key: SQLQueryExpression<From.PrimaryKey>) -> Where {
    predicates.append(From.PrimaryKey.isKey(key.queryFragment, From.columns.primaryKey.queryFragment))
    return self
  }

  /// The rows with the keys.
  public consuming func find(_ keys: some Sequence<From.PrimaryKey.QueryOutput>) -> Where {
    predicates.append(
      From.PrimaryKey.membership(
        .in, From.columns.primaryKey.queryFragment, keys.map { From.PrimaryKey.fragment(of: $0) }))
    return self
  }

  /// `WHERE "id" IN (...)`, of keys in SQL.
  @_disfavoredOverload
  public consuming func find(_ keys: some Sequence<SQLQueryExpression<From.PrimaryKey>>) -> Where {
    let keys = keys.map(\.queryFragment)
    predicates.append(From.PrimaryKey.membership(.in, From.columns.primaryKey.queryFragment, keys))
    return self
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value of the primary key's type, or a sequence of such values.")
  public func find<Other>(_ key: Other) -> Where { self }
}

extension PrimaryKeyedTable {
  /// The row that has another row's key, whatever the default scope is.
  package static func find(keyOf row: Self) -> Where<Self> { unscoped.found(keyOf: row) }
}

extension Where where From: PrimaryKeyedTable {
  func found(keyOf row: From) -> Where {
    let columns = From.TableColumns.allColumns
    let values = row.columnFragments
    let key = columns.indices.filter { columns[$0].isPrimaryKey }.map { values[$0] }
    var result = self
    result.predicates.append(From.PrimaryKey.isKey(.row(key), From.columns.primaryKey.queryFragment))
    return result
  }
}
