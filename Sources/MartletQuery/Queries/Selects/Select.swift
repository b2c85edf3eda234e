import MartletAST

/// A SELECT: each method returns one with a clause more.
///
/// Always true: while no columns were chosen it returns every column of every table, named one by one.
@dynamicMemberLookup
public struct Select<QueryValue, Sources: TableSources>: Sendable, CustomStringConvertible {
  var parts: SelectParts

  init(parts: SelectParts) { self.parts = parts }
}

/// A query over one table, such as `Reminder.order(by: \.title)`.
public typealias SelectOf<From: Table> = Select<From, Tables1<From>>

/// Whatever can be read as a SELECT: a `Select`, or a `Where`.
public protocol SelectStatement<QueryValue>: Statement {
  /// Its tables.
  associatedtype Sources: TableSources
  /// It as a `Select`, to which clauses are added.
  consuming func asSelect() -> Select<QueryValue, Sources>
}

/// A query of one table's rows: `func recent() -> some SelectStatementOf<Reminder>`. It may be chained further.
public protocol SelectStatementOf<From>: SelectStatement, JoinableStatement
where Sources: SingleTable, Sources.First == From, QueryValue == From, Joined == From {
  /// The table.
  associatedtype From: Table
}

extension Where: SelectStatementOf {}
extension Select: SelectStatementOf where Sources: SingleTable, QueryValue == Sources.Row {
  /// The one table of the query.
  public typealias From = Sources.First
}

/// A query over one table that a join can take in.
public protocol JoinableStatement<Joined> {
  /// Its one table.
  associatedtype Joined: Table
  /// Its clauses, without its types.
  var joinedParts: JoinedQuery { get }
  /// Its clauses as a table's default scope, which does not read itself.
  var ownScope: DefaultScope { get }
}

extension JoinableStatement {
  public var ownScope: DefaultScope { DefaultScope(parts: joinedParts.parts.scoped) }
}

extension DefaultScope {
  /// The clauses of a query of the table's rows.
  public init<Base: Table>(_ scope: some JoinableStatement<Base>, of table: Base.Type) {
    self = scope.ownScope
  }
}

/// What a join takes over from the query that it joins.
public struct JoinedQuery: Sendable {
  var parts: SelectParts
}

extension Where: JoinableStatement {
  public var joinedParts: JoinedQuery { asSelect().joinedParts }
  public typealias Joined = From

  public var ownScope: DefaultScope {
    guard !predicates.isEmpty || isNone || hint != nil else { return DefaultScope(parts: nil) }
    var parts = asSelect().parts
    parts.scope = nil
    return DefaultScope(parts: parts)
  }
}

extension Select: JoinableStatement where Sources: SingleTable, QueryValue == Sources.Row {
  public var joinedParts: JoinedQuery { JoinedQuery(parts: unchosen.parts) }
  public typealias Joined = Sources.First

  public var ownScope: DefaultScope {
    var own = parts
    own.scope = nil
    return DefaultScope(parts: own)
  }
}

/// Sources of exactly one table.
public protocol SingleTable: TableSources where Row == First, Columns == First.TableColumns {}
extension Tables1: SingleTable {}

extension Select: SelectStatement {
  public consuming func asSelect() -> Select<QueryValue, Sources> { self }
}

extension SelectStatement {
  public var statementFragment: StatementFragment { StatementFragment(asSelect().tree()) }

  public var queryFragment: QueryFragment { QueryFragment(.subquery(statementFragment)) }
  public var columnFragments: [QueryFragment] { [queryFragment] }

  consuming func joined<Value, Joined: TableSources, Other: JoinableStatement>(
    _ kind: ASTJoin.Kind, _ other: Other, on condition: QueryFragment?
  ) -> Select<Value, Joined> {
    var second = other.joinedParts.parts
    var parts = asSelect().parts
    // The rows of all tables together are the same as no chosen columns.
    if !parts.columns.isEmpty, second.columns.isEmpty, Value.self == Joined.Row.self {
      parts = parts.withoutWholeRows(Sources.allFragments)
    }
    parts.becomeJoinable(Sources.First.self)
    second.becomeJoinable(Other.Joined.self)
    parts.add(kind, second, on: condition)
    return Select<Value, Joined>(parts: parts)
  }
}

extension SelectStatement {
  consuming func joined<Value, Joined: TableSources, Other: JoinableStatement>(
    _ kind: ASTJoin.Kind, _ other: Other, @ChoiceBuilder on condition: (ColumnPlace) -> some QueryExpression
  ) -> Select<Value, Joined> {
    joined(kind, other, on: ColumnPlace.open { condition($0).queryFragment })
  }

  /// The query without chosen columns, for a query of whole rows.
  var unchosen: Select<QueryValue, Sources> {
    let select = asSelect()
    guard !select.parts.columns.isEmpty else { return select }
    return select.changed { $0 = $0.withoutWholeRows(Sources.allFragments) }
  }
}

extension Select {
  /// With its columns named.
  var complete: SelectParts {
    var complete = parts.scoped
    if complete.columns.isEmpty { complete.columns = Sources.allFragments }
    return complete.namingRows
  }

  /// The columns that it returns.
  var currentColumns: [QueryFragment] { parts.columns.isEmpty ? Sources.allFragments : parts.columns }

  /// What it is as a statement, or as a part of one.
  fileprivate consuming func tree() -> any StatementTree {
    if parts.columns.isEmpty { parts.columns = Sources.allFragments }
    guard parts.scope == nil else { return PendingSelect(parts: parts) }
    parts.settleAll()
    return parts
  }

  consuming func changed(_ change: (inout SelectParts) -> Void) -> Select {
    change(&parts)
    return self
  }

  consuming func retyped<Value>(_ columns: [QueryFragment]) -> Select<Value, Sources> {
    parts.columns = columns
    return Select<Value, Sources>(parts: parts)
  }
}

// MARK: - By key

extension Select where Sources.First: PrimaryKeyedTable {
  /// The row with the key; of a join, the rows in which the first table's has it.
  public func find(_ key: Sources.First.PrimaryKey.QueryOutput) -> Select {
    let value = Sources.First.PrimaryKey.fragment(of: key)
    return changed {
      $0.predicates.append(Sources.First.PrimaryKey.isKey(value, Sources.First.columns.primaryKey.queryFragment))
    }
  }

  /// The row whose key is in SQL.
  public consuming func find(_ key: SQLQueryExpression<Sources.First.PrimaryKey>) -> Select {
    changed {
      $0.predicates.append(
        Sources.First.PrimaryKey.isKey(key.queryFragment, Sources.First.columns.primaryKey.queryFragment))
    }
  }

  /// The row whose key is an expression: of a query, the first that it returns.
  @_disfavoredOverload
  public consuming func find<Key: QueryExpression>(_ key: Key) -> Select
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == Sources.First.PrimaryKey.QueryUnwrapped {
    changed { $0.predicates += Where<Sources.First>(isScoped: false).find(key).predicates }
  }

  /// The rows with the keys.
  public consuming func find(_ keys: some Sequence<Sources.First.PrimaryKey.QueryOutput>) -> Select {
    changed { parts in
      let column = Sources.First.columns.primaryKey.queryFragment
      let values = keys.map { Sources.First.PrimaryKey.fragment(of: $0) }
      parts.predicates.append(Sources.First.PrimaryKey.membership(.in, column, values))
    }
  }

  /// `WHERE "id" IN (...)`, of keys in SQL.
  @_disfavoredOverload
  public consuming func find(_ keys: some Sequence<SQLQueryExpression<Sources.First.PrimaryKey>>) -> Select {
    changed { $0.predicates += Where<Sources.First>(isScoped: false).find(keys).predicates }
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value of the primary key's type, or a sequence of such values.")
  public func find<Other>(_ key: Other) -> Select { self }
}

// MARK: - Under another name

extension Select where Sources: SingleTable {
  /// The same query over the table under another name.
  public func `as`<Name: AliasName>(
    _ name: Name.Type
  ) -> Select<AliasedTable<Sources.First, Name>, Tables1<AliasedTable<Sources.First, Name>>>
  where QueryValue == Sources.First {
    var renaming = parts.renaming(Sources.First.self, to: Name.aliasName)
    // The scope comes first, also before clauses that are still to be said.
    if parts.scope != nil { renaming.scope = AliasedTable<Sources.First, Name>.self }
    return Select<AliasedTable<Sources.First, Name>, Tables1<AliasedTable<Sources.First, Name>>>(parts: renaming)
  }
}

// MARK: - Rows of plain values

extension Table {
  /// `SELECT 1 AS "id", ...`: the row as a query of itself.
  public var statement: SQLQueryExpression<Self> {
    let names = TableColumns.allColumns.map(\.name)
    return SQLQueryExpression(columns: zip(columnFragments, names).map { $0.named($1) })
  }

  /// `SELECT ... UNION other`: the row of plain values and a query's rows.
  public func union(all: Bool = false, _ other: some Statement<Self>) -> Compound<Self> {
    statement.union(all: all, other)
  }
}
