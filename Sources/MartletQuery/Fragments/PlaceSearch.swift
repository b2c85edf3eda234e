import MartletValues

/// Looks for columns of one place within queries that have a table which they call the same: there SQL takes them for
/// columns of that table's row.
///
/// Always true: outside of such queries no column is found.
struct PlaceSearch {
  /// What a column calls its table.
  private struct TableName: Equatable {
    var schema: String
    var name: String
  }

  private let place: ColumnPlace
  /// How many queries are around.
  private var depth = 0
  /// The tables of the columns that were read, of which no query so far had one. Mostly there is one, and a list would
  /// cost an allocation.
  private var first: TableName?
  private var others: [TableName] = []
  /// What the first column that is mistaken calls its table.
  private(set) var mistaken: String?

  init(_ place: ColumnPlace) { self.place = place }

  /// Whether a query has a source for which the closure returns true.
  typealias HasSource = ((SourceFragment) -> Bool) -> Bool

  /// Looks through clauses of a query, whose sources it asks `hasSource` for. Every table that they name is compared:
  /// that another query named it too, beside this one or around it, says nothing about this one.
  mutating func within(_ hasSource: HasSource, _ body: (inout PlaceSearch) -> Void) {
    let outer = (first: first, others: others)
    (first, others) = (nil, [])
    depth += 1
    body(&self)
    depth -= 1
    let inner = (first: first, others: others)
    (first, others) = outer
    guard let table = inner.first, mistaken == nil else { return }
    compare(table, with: hasSource)
    for table in inner.others { compare(table, with: hasSource) }
    // The query around it may have one of them.
    note(table)
    for table in inner.others { note(table) }
  }

  private mutating func compare(_ table: TableName, with hasSource: HasSource) {
    if hasSource({ $0.isMeant(by: table.schema, table.name) }) { mistaken = table.name }
  }

  /// A column with the place; outside of queries it means what it says.
  mutating func note(_ schema: String, _ table: String) { note(TableName(schema: schema, name: table)) }

  private mutating func note(_ table: TableName) {
    guard depth > 0 else { return }
    if first == nil {
      first = table
    } else if first != table, !others.contains(table) {
      others.append(table)
    }
  }

  func isOf(_ place: ColumnPlace) -> Bool { place == self.place }

  func refusal(_ table: String) -> QueryFragment {
    .bind(
      .invalid(
        QueryBindingFailure(
          "A query of \(table) within another one of it reads the row of the outer one, but both rows are called the "
            + "same, and SQL would take the inner one's. Give the inner one a name of its own with as(Other.self).")))
  }
}

extension SourceFragment {
  /// True if a column's names mean it. SQLite does not distinguish a letter from its capital.
  fileprivate func isMeant(by otherSchema: String, _ table: String) -> Bool {
    guard qualifier.isSameName(as: table) else { return false }
    guard let schema, !otherSchema.isEmpty else { return true }
    return schema.isSameName(as: otherSchema)
  }
}

extension String {
  fileprivate func isSameName(as other: String) -> Bool {
    utf8.count == other.utf8.count && (self == other || lowercased() == other.lowercased())
  }
}

extension QueryFragment {
  func look(_ search: inout PlaceSearch) {
    switch node {
    case .bind, .list, .literal, .raise: break
    case .column(_, _, _, let place) where !search.isOf(place): break
    case .column(let schema, let table, _, _): search.note(schema, table)
    case .star(let table, let place): if search.isOf(place) { search.note("", table) }
    case .operation(_, let operands), .tuple(let operands), .elements(let operands): operands.look(&search)
    case .function(let call): call.look(&search)
    case .choice(let base, let branches, let otherwise):
      base?.look(&search)
      for branch in branches {
        branch.when.look(&search)
        branch.then.look(&search)
      }
      otherwise?.look(&search)
    case .cast(let inner, _), .collate(let inner, _), .aliased(let inner, _), .sharedColumn(_, let inner):
      inner.look(&search)
    case .subquery(let statement), .exists(let statement): statement.tree.look(&search)
    case .raw(let parts): parts.look(&search)
    }
  }
}

extension Sequence<QueryFragment> {
  func look(_ search: inout PlaceSearch) { for fragment in self { fragment.look(&search) } }
}

extension Sequence<QueryFragment.RawPart> {
  func look(_ search: inout PlaceSearch) {
    for part in self {
      switch part {
      case .expression(let expression): expression.look(&search)
      case .statement(let statement): statement.tree.look(&search)
      case .sql, .identifier: break
      }
    }
  }
}

extension Sequence<OrderingTerm> {
  func look(_ search: inout PlaceSearch) { for term in self { term.fragment.look(&search) } }
}

extension Window {
  func look(_ search: inout PlaceSearch) {
    partition.look(&search)
    order.look(&search)
    frame?.start.offset?.look(&search)
    frame?.end?.offset?.look(&search)
  }
}

extension FunctionCall {
  fileprivate func look(_ search: inout PlaceSearch) {
    arguments.look(&search)
    order.look(&search)
    filter?.look(&search)
    if case .window(let window)? = over { window.look(&search) }
  }
}

extension SourceFragment {
  /// Looks through a query in its place, which does not see the tables beside it.
  func lookWithinQuery(_ search: inout PlaceSearch) {
    subquery?.tree.look(&search)
    for join in joins { join.source.lookWithinQuery(&search) }
  }

  /// Looks through what it reads of the tables beside it.
  func look(_ search: inout PlaceSearch) {
    arguments?.look(&search)
    fragment?.look(&search)
    joins.look(&search)
  }
}

extension Sequence<JoinPart> {
  func look(_ search: inout PlaceSearch) {
    for join in self {
      join.on?.look(&search)
      join.source.look(&search)
    }
  }
}
