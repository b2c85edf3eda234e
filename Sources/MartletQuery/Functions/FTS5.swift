import MartletAST

/// A table that FTS5 keeps.
///
/// Always true: these are functions of the table, so they stand only in a query of it that has a `match`.
public protocol FTS5: Table {}

extension FTS5 {
  /// Makes a pattern of this table from a text. No text makes a statement fail.
  static func pattern(_ text: String) -> FTS5Pattern {
    FTS5Pattern(text, columns: textColumns)
  }

  /// FTS5 has a column for the whole row. It has the table's name.
  static var wholeRow: QueryFragment {
    qualifyingSchema.isEmpty && tableAlias == nil ? .column(tableName, table: "") : .column(tableName, of: Self.self)
  }

  /// A function of FTS5. FTS5 would fail for a row that a join did not find; this expression is NULL then.
  fileprivate static func found<Value>(_ name: String, _ arguments: [QueryFragment]) -> SQLQueryExpression<Value> {
    let call = QueryFragment.function(name, arguments)
    guard Self.self == Self.QueryOptional.self else { return SQLQueryExpression(call) }
    let isThere = QueryFragment.operation(.isNot, .column("rowid", of: Self.self), .null)
    return SQLQueryExpression(
      QueryFragment(.choice(base: nil, branches: [(when: isThere, then: call)], otherwise: nil)))
  }
}

extension Optional: FTS5 where Wrapped: FTS5 {}
extension AliasedTable: FTS5 where Base: FTS5 {}

extension TableDefinition where QueryValue: FTS5 {
  /// Rows that match a text in any column: words, with the operators of FTS5 if the text is of its syntax, such as
  /// `take OR apple` and `title: milk`. Any other text is a phrase: `don't`, `foo-bar`, `note: milk` if the type
  /// declares no column of that name. For what somebody types, `match(.allWords(in: text))` reads no operators.
  public func match(_ text: String) -> SQLQueryExpression<Bool> { match(QueryValue.pattern(text)) }

  /// The same with a part of another text.
  @_disfavoredOverload
  public func match(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { match(String(text)) }

  /// Rows that match a pattern in FTS5's own syntax, in any column.
  public func match(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.match, QueryValue.wholeRow, pattern.queryFragment)
  }

  /// How well a row matches: the better, the more negative.
  public var rank: SQLQueryExpression<Double?> {
    SQLQueryExpression(.column("rank", of: QueryValue.self, in: columnPlace))
  }

  /// As `rank`, with a weight for each column in the order of the type's properties.
  public func bm25(_ weights: Double...) -> SQLQueryExpression<Double?> {
    weighted(Array(zip(QueryValue.textColumns, weights)))
  }

  /// As `rank`, with weights for some columns; the others weigh 1: `bm25([\.title: 10])`.
  public func bm25(_ weights: KeyValuePairs<PartialKeyPath<Self>, Double>) -> SQLQueryExpression<Double?> {
    weighted(
      weights.compactMap { path, weight in
        guard let column = self[keyPath: path] as? any QueryExpression, let name = column.queryFragment.columnName,
          QueryValue.textColumns.contains(name)
        else { return nil }
        return (name, weight)
      })
  }

  /// FTS5 takes the weights in the order of its own columns, which may be others than the type's, or more.
  private func weighted(_ weights: [(name: String, weight: Double)]) -> SQLQueryExpression<Double?> {
    var arguments = [QueryValue.wholeRow]
    if !weights.isEmpty {
      let count = QueryValue.textColumns.count + 8
      arguments += (0..<count).map { QueryValue.weight(at: $0, weights) }
      arguments.append(QueryValue.noWeight(from: count, weights.map(\.name)))
    }
    return QueryValue.found("bm25", arguments)
  }
}

extension FTS5 {
  static var textColumns: [String] {
    TableColumns.allColumns.map(\.name).filter { $0 != "rowid" && $0 != "rank" }
  }

  /// A query of one value over the columns that the table has in the database.
  private static func columns(_ value: QueryFragment, where conditions: QueryFragment...) -> QueryFragment {
    var parts = SelectParts()
    parts.columns = [value]
    parts.source = SourceFragment(
      name: "pragma_table_info",
      arguments: [.literal(text: tableName)] + (schemaName.map { [.literal(text: $0)] } ?? []))
    parts.predicates = conditions
    return QueryFragment(.subquery(StatementFragment(parts)))
  }

  private static func isNamed(_ name: String) -> QueryFragment {
    .operation(
      .equal, QueryFragment(.collate(.column("name", table: ""), collation: "NOCASE")), .literal(text: name))
  }

  /// The number of the column in FTS5, counted from 0: the type may have fewer columns, or another order. If the column
  /// does not exist, SQLite reports that it does not find it.
  static func position(of name: String) -> QueryFragment {
    .function("coalesce", [columns(.column("cid", table: ""), where: isNamed(name)), .column(name, of: Self.self)])
  }

  fileprivate static func weight(at position: Int, _ weights: [(name: String, weight: Double)]) -> QueryFragment {
    let branches = weights.map { (when: isNamed($0.name), then: $0.weight.queryFragment) }
    let weight = columns(
      QueryFragment(.choice(base: nil, branches: branches, otherwise: nil)),
      where: .operation(.equal, .column("cid", table: ""), .literal(integer: Int64(position))))
    return .function("coalesce", [weight, .literal(real: 1)])
  }

  /// Fails if too many columns are before a weighted one.
  fileprivate static func noWeight(from position: Int, _ names: [String]) -> QueryFragment {
    let named = names.map(isNamed)
    let error = columns(
      .function("json", [.literal(text: "a weighted column has too many others before it")]),
      where: named.count == 1 ? named[0] : QueryFragment(.operation(.or, named)),
      .operation(.greaterOrEqual, .column("cid", table: ""), .literal(integer: Int64(position))))
    return .function("coalesce", [error, .literal(real: 1)])
  }
}

extension TableColumn where Root: FTS5 {
  /// Rows that have the text in this column, word after word; none of it is an operator.
  public func match(_ text: String) -> SQLQueryExpression<Bool> {
    let pattern = FTS5Pattern(column: name, phrase: text)
    return .operation(.match, Root.wholeRow, pattern.queryFragment)
  }

  /// The same with a part of another text.
  @_disfavoredOverload
  public func match(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { match(String(text)) }

  /// The text with what matched between two marks.
  public func highlight(_ open: String, _ close: String) -> SQLQueryExpression<String?> {
    Root.found("highlight", [Root.wholeRow, position, open.queryFragment, close.queryFragment])
  }

  /// A part of the text around what matched, of at most `tokens` words, from 1 to 64.
  public func snippet(
    _ open: String, _ close: String, _ ellipsis: String, _ tokens: Int
  ) -> SQLQueryExpression<String?> {
    Root.found(
      "snippet",
      [
        Root.wholeRow, position, open.queryFragment, close.queryFragment, ellipsis.queryFragment, tokens.queryFragment,
      ])
  }

  private var position: QueryFragment { Root.position(of: name) }
}
