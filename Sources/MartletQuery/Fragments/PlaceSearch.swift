import MartletValues

/// Looks for columns of one place within queries that have a table which they call the same: there SQL takes them for
/// columns of that table's row.
///
/// Always true: outside of such queries no column is found.
struct PlaceSearch {
  /// What a table is called within a query.
  fileprivate struct TableName {
    var schema: String?
    var name: String
  }

  private let place: ColumnPlace
  private var inner: [TableName] = []

  init(_ place: ColumnPlace) { self.place = place }

  /// The search within a query of these sources.
  func within(_ sources: [SourceFragment]) -> PlaceSearch {
    var search = self
    search.inner += sources.map { TableName(schema: $0.schema, name: $0.qualifier) }
    return search
  }

  /// False outside of queries.
  var isWithinQuery: Bool { !inner.isEmpty }

  /// True if SQL takes the column for one of an inner query's table.
  func isMistaken(_ schema: String, _ table: String, _ place: ColumnPlace) -> Bool {
    place == self.place && inner.contains { $0.isMeant(by: schema, table) }
  }

  func refusal(_ table: String) -> QueryFragment {
    .bind(
      .invalid(
        QueryBindingFailure(
          "A query of \(table) within another one of it reads the row of the outer one, but both rows are called the "
            + "same, and SQL would take the inner one's. Give the inner one a name of its own: "
            + "Reminder.as(Other.self).")))
  }
}

extension PlaceSearch.TableName {
  /// SQLite does not distinguish a letter from its capital.
  fileprivate func isMeant(by otherSchema: String, _ table: String) -> Bool {
    guard name == table || name.lowercased() == table.lowercased() else { return false }
    guard let schema, !otherSchema.isEmpty else { return true }
    return schema.lowercased() == otherSchema.lowercased()
  }
}

extension QueryFragment {
  /// The table of a column that SQL would take for another row's; nil if there is none.
  func mistakenTable(in search: PlaceSearch) -> String? {
    switch node {
    case .bind, .list, .literal, .raise: return nil
    case .column where !search.isWithinQuery: return nil
    case .column(let schema, let table, _, let place):
      return search.isMistaken(schema, table, place) ? table : nil
    case .star(let table, let place):
      return search.isWithinQuery && search.isMistaken("", table, place) ? table : nil
    case .operation(_, let operands), .tuple(let operands), .elements(let operands):
      return operands.mistakenTable(in: search)
    case .function(let call): return call.mistakenTable(in: search)
    case .choice(let base, let branches, let otherwise):
      return base?.mistakenTable(in: search)
        ?? branches.firstTable { $0.when.mistakenTable(in: search) ?? $0.then.mistakenTable(in: search) }
        ?? otherwise?.mistakenTable(in: search)
    case .cast(let inner, _), .collate(let inner, _), .aliased(let inner, _), .sharedColumn(_, let inner):
      return inner.mistakenTable(in: search)
    case .subquery(let statement), .exists(let statement): return statement.tree.mistakenTable(in: search)
    case .raw(let parts): return parts.mistakenTable(in: search)
    }
  }
}

extension Sequence {
  /// What is found first.
  func firstTable(_ find: (Element) -> String?) -> String? {
    for element in self {
      if let table = find(element) { return table }
    }
    return nil
  }
}

extension Sequence<QueryFragment> {
  func mistakenTable(in search: PlaceSearch) -> String? { firstTable { $0.mistakenTable(in: search) } }
}

extension Sequence<QueryFragment.RawPart> {
  func mistakenTable(in search: PlaceSearch) -> String? {
    firstTable { part in
      switch part {
      case .expression(let expression): expression.mistakenTable(in: search)
      case .statement(let statement): statement.tree.mistakenTable(in: search)
      case .sql, .identifier: nil
      }
    }
  }
}

extension Sequence<OrderingTerm> {
  func mistakenTable(in search: PlaceSearch) -> String? { firstTable { $0.fragment.mistakenTable(in: search) } }
}

extension Window {
  func mistakenTable(in search: PlaceSearch) -> String? {
    partition.mistakenTable(in: search) ?? order.mistakenTable(in: search)
      ?? frame?.start.offset?.mistakenTable(in: search) ?? frame?.end?.offset?.mistakenTable(in: search)
  }
}

extension FunctionCall {
  fileprivate func mistakenTable(in search: PlaceSearch) -> String? {
    if let table = arguments.mistakenTable(in: search) ?? order.mistakenTable(in: search) { return table }
    if case .window(let window)? = over, let table = window.mistakenTable(in: search) { return table }
    return filter?.mistakenTable(in: search)
  }
}

extension SourceFragment {
  /// In a query in its place, which does not see the tables beside it, and in what it reads of those.
  ///
  /// - Parameter own: the search within the query that has the source.
  func mistakenTable(in search: PlaceSearch, _ own: PlaceSearch) -> String? {
    subquery?.tree.mistakenTable(in: search) ?? arguments?.mistakenTable(in: own)
      ?? fragment?.mistakenTable(in: own)
      ?? joins.firstTable { $0.mistakenTable(in: search, own) }
  }
}

extension JoinPart {
  func mistakenTable(in search: PlaceSearch, _ own: PlaceSearch) -> String? {
    on?.mistakenTable(in: own) ?? source.mistakenTable(in: search, own)
  }
}
