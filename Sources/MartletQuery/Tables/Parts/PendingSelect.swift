/// A SELECT whose table's default scope is read when the statement is written, and not where the query is made.
///
/// Always true: making such a query reads no `all`. So the value of a `static let all` may hold queries of its own
/// table: Swift makes that value once, and a reader of the same thread would wait for itself.
struct PendingSelect: StatementTree {
  /// With its columns named.
  var parts: SelectParts

  /// With the scopes, for who must see the clauses.
  var settled: SelectParts {
    var settled = parts.withScope
    settled.settleAll()
    return settled
  }

  func write(to writer: inout TreeWriter) { parts.writeWithScopes(to: &writer) }

  var depth: Int32 { parts.depth }
  var columnNames: [String]? { parts.columnNames }
  var isNone: Bool { settled.isNone }
  var hasSeveralRows: Bool { parts.hasSeveralRows }
  var readsDocument: Bool { parts.readsDocument }

  func withReals(_ areReal: [Bool]) -> any StatementTree { PendingSelect(parts: parts.makingReals(areReal)) }

  // The scope was made by closures of its own, so no column of an outer one is in it.
  func look(_ search: inout PlaceSearch) { parts.look(&search) }

  func mapping(_ change: ColumnMapping) -> any StatementTree { settled.mapping(change) }
}

extension SelectParts {
  /// The same clauses with the default scopes of the queries in them. Whoever reads a scope of its own while it is
  /// read is found here.
  var withScopesOfQueries: SelectParts {
    holdsQuery ? mapping { $0.mapping(ColumnMapping { _ in nil }) } : self
  }

  private var holdsQuery: Bool {
    source?.subquery != nil || columns.contains(where: \.holdsQuery) || predicates.contains(where: \.holdsQuery)
      || group.contains(where: \.holdsQuery) || having.contains(where: \.holdsQuery)
      || order.contains(where: \.fragment.holdsQuery) || limit?.holdsQuery == true || offset?.holdsQuery == true
  }
}

extension QueryFragment {
  /// True if a query is somewhere in it. Makes no list of what is in it.
  fileprivate var holdsQuery: Bool {
    switch node {
    case .subquery, .exists: true
    case .operation(_, let operands), .tuple(let operands), .elements(let operands):
      operands.contains(where: \.holdsQuery)
    case .function(let call):
      call.arguments.contains(where: \.holdsQuery) || call.filter?.holdsQuery == true
        || call.order.contains(where: \.fragment.holdsQuery) || call.over != nil
    case .choice(let base, let branches, let otherwise):
      base?.holdsQuery == true || otherwise?.holdsQuery == true
        || branches.contains { $0.when.holdsQuery || $0.then.holdsQuery }
    case .cast(let inner, _), .collate(let inner, _), .aliased(let inner, _), .sharedColumn(_, let inner):
      inner.holdsQuery
    case .raw(let parts):
      parts.contains { part in
        switch part {
        case .statement: true
        case .expression(let inner): inner.holdsQuery
        case .sql, .identifier: false
        }
      }
    case .column, .star, .bind, .list, .literal, .raise: false
    }
  }
}

extension StatementFragment {
  /// The source of the query, if it is a SELECT.
  var source: SourceFragment? {
    switch tree {
    case let parts as SelectParts: parts.source
    case let pending as PendingSelect: pending.parts.source
    default: nil
    }
  }
}
