import MartletAST

/// Pages of a query by the keys of its order: the rows behind a row, or before it.
extension SelectStatement where Sources: SingleTable {
  /// The page behind `row`, or the first one if there is none:
  ///
  ///     Reminder.where { !$0.isCompleted }.page(after: last, size: 20) { ($0.dueDate.desc(), $0.title) }
  ///
  /// If all terms are columns that are never NULL and point one way, the condition is one comparison of row values,
  /// `(a, b) > (?1, ?2)`, which an index over them serves. Otherwise it is `(a > ?1) OR ((a IS ?1) AND (b < ?2))`, with
  /// what NULLs need.
  ///
  /// - Parameter terms: columns, with or without a direction and a place for NULLs. A term that is no column of the
  ///   table is an error, thrown before anything is sent.
  public func page(
    after row: Sources.First?, size: Int,
    @OrderBuilder by terms: (Sources.First.TableColumns) -> [OrderingTerm]
  ) -> Select<QueryValue, Sources> {
    page(
      row, size,
      PageKey.keys(of: ColumnPlace.open { terms(Sources.First.placedColumns(in: $0)) }, in: Sources.First.self))
  }

  /// In the order of one column.
  public func page<E: QueryExpression>(
    after row: Sources.First?, size: Int, by path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<QueryValue, Sources> {
    page(after: row, size: size) { $0[keyPath: path] }
  }

  /// In the order of the primary key.
  public func page(after row: Sources.First?, size: Int) -> Select<QueryValue, Sources>
  where Sources.First: PrimaryKeyedTable {
    page(row, size, PageKey.keys(of: [], in: Sources.First.self))
  }

  /// The page before `row`, from its last row to its first: the order is turned round.
  public func page(
    before row: Sources.First, size: Int,
    @OrderBuilder by terms: (Sources.First.TableColumns) -> [OrderingTerm]
  ) -> Select<QueryValue, Sources> {
    page(
      row, size,
      PageKey.keys(of: ColumnPlace.open { terms(Sources.First.placedColumns(in: $0)) }, in: Sources.First.self).map(
        \.reversed))
  }

  /// The page before `row`, in the order of one column, turned round.
  public func page<E: QueryExpression>(
    before row: Sources.First, size: Int, by path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<QueryValue, Sources> {
    page(before: row, size: size) { $0[keyPath: path] }
  }

  /// The page before `row`, in the order of the primary key, turned round.
  public func page(before row: Sources.First, size: Int) -> Select<QueryValue, Sources>
  where Sources.First: PrimaryKeyedTable {
    page(row, size, PageKey.keys(of: [], in: Sources.First.self).map(\.reversed))
  }

  private func page(_ row: Sources.First?, _ size: Int, _ keys: [PageKey]) -> Select<QueryValue, Sources> {
    asSelect().changed { parts in
      parts = parts.scoped
      if let row { parts.predicates.append(PageKey.condition(keys, after: row.columnFragments)) }
      parts.order = keys.map(\.term)
      // A limit would hold for all pages, but one page does not know the others. An offset would skip rows of each
      // page.
      let isCut = parts.limit != nil || parts.offset != nil
      parts.limit = isCut ? PageKey.refusedLimit : size.queryFragment
    }
  }
}

extension Table {
  /// The page of the table's rows behind `row`, or the first one if there is none.
  public static func page(
    after row: Self?, size: Int, @OrderBuilder by terms: (TableColumns) -> [OrderingTerm]
  ) -> SelectOf<Self> {
    Where().page(after: row, size: size, by: terms)
  }

  /// The page of the table's rows behind `row`, in the order of one column.
  public static func page<E: QueryExpression>(
    after row: Self?, size: Int, by path: KeyPath<TableColumns, E>
  ) -> SelectOf<Self> {
    Where().page(after: row, size: size, by: path)
  }

  /// The page of the table's rows before `row`, from its last row to its first: the order is turned round.
  public static func page(
    before row: Self, size: Int, @OrderBuilder by terms: (TableColumns) -> [OrderingTerm]
  ) -> SelectOf<Self> {
    Where().page(before: row, size: size, by: terms)
  }

  /// The page of the table's rows before `row`, in the order of one column, turned round.
  public static func page<E: QueryExpression>(
    before row: Self, size: Int, by path: KeyPath<TableColumns, E>
  ) -> SelectOf<Self> {
    Where().page(before: row, size: size, by: path)
  }
}

extension PrimaryKeyedTable {
  /// The page of the table's rows behind `row`, or the first one if there is none, in the order of the primary key.
  public static func page(after row: Self?, size: Int) -> SelectOf<Self> { Where().page(after: row, size: size) }

  /// The page of the table's rows before `row`, in the order of the primary key, turned round.
  public static func page(before row: Self, size: Int) -> SelectOf<Self> { Where().page(before: row, size: size) }
}

/// One term of the order with the column that it reads.
///
/// Always true: the order is total, because the primary key decides if the terms do not; a row follows another one
/// in the condition exactly if it follows it in ORDER BY, NULLs included.
struct PageKey {
  var term: OrderingTerm
  /// In the table's columns; nil if the term is none of them.
  var column: Int?
  var mayBeNull: Bool

  static func keys<T: Table>(of terms: [OrderingTerm], in table: T.Type) -> [PageKey] {
    let columns = T.TableColumns.allColumns
    var keys = terms.map { term in
      let index = term.fragment.comparedColumn.flatMap { name in columns.firstIndex { $0.name == name } }
      return PageKey(term: term, column: index, mayBeNull: index.map { columns[$0].mayBeNull } ?? true)
    }
    for (index, column) in columns.enumerated() where column.isPrimaryKey {
      guard !keys.contains(where: { $0.column == index }) else { continue }
      // The direction of the last term, so that all terms keep one direction if they have one.
      let direction = keys.last?.term.direction ?? .unspecified
      keys.append(
        PageKey(
          term: OrderingTerm(.column(column.name, of: T.self), direction), column: index,
          mayBeNull: column.mayBeNull))
    }
    return keys
  }

  private var isDescending: Bool { term.direction == .descending }

  private var nullsComeFirst: Bool {
    term.nulls == .unspecified ? !isDescending : term.nulls == .first
  }

  var reversed: PageKey {
    var key = self
    key.term.direction = isDescending ? .ascending : .descending
    if term.nulls != .unspecified { key.term.nulls = term.nulls == .first ? .last : .first }
    return key
  }

  static var refusedLimit: QueryFragment {
    let reason =
      "A page of a query with a limit or an offset would have other rows than the query. Make a common table of it."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }

  static func condition(_ keys: [PageKey], after row: [QueryFragment]) -> QueryFragment {
    let values = keys.map { key in
      key.column.map { row[$0] }
        ?? .bind(.invalid(QueryBindingFailure("A page is ordered by columns of its table. Order by a column.")))
    }
    if let first = keys.first, keys.count > 1,
      keys.allSatisfy({ !$0.mayBeNull && $0.isDescending == first.isDescending })
    {
      let columns = QueryFragment(.tuple(keys.map(\.term.fragment)))
      return .operation(first.isDescending ? .less : .greater, columns, QueryFragment(.tuple(values)))
    }
    var choices: [QueryFragment] = []
    var equal: [QueryFragment] = []
    for (key, value) in zip(keys, values) {
      if let follows = key.follows(value) { choices.append(.all(of: equal + [follows]) ?? follows) }
      equal.append(.operation(key.mayBeNull ? .is : .equal, key.term.fragment, value.nullLiteral))
    }
    switch choices.count {
    case 0: return .literal(integer: 0)
    case 1: return choices[0]
    default: return QueryFragment(.operation(.or, choices))
    }
  }

  /// The condition of this term alone for rows that come later; nil if there can be none.
  private func follows(_ value: QueryFragment) -> QueryFragment? {
    if case .null? = value.binding {
      return nullsComeFirst ? .operation(.isNot, term.fragment, .null) : nil
    }
    let beyond = QueryFragment.operation(isDescending ? .less : .greater, term.fragment, value)
    guard mayBeNull && !nullsComeFirst else { return beyond }
    return .operation(.or, beyond, .operation(.is, term.fragment, .null))
  }
}

extension ColumnDescription {
  var mayBeNull: Bool { valueType is any OptionalRepresentation.Type }
}

protocol OptionalRepresentation {}
extension Optional: OptionalRepresentation {}

extension QueryFragment {
  /// The column that a term is, with or without a collation.
  var comparedColumn: String? {
    if case .collate(let operand, _) = node { operand.columnName } else { columnName }
  }
}
