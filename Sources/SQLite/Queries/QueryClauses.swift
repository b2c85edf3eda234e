internal import MartletAST

/// What a query is made of, clause by clause; `QueryType` has the calls that set them.
public struct QueryClauses: Sendable {
  var isDistinct = false
  var columns: [Node] = [.star]
  var from: QuerySource
  var joins: [QueryJoin] = []
  var filter: Node?
  var group: [Node] = []
  var having: Node?
  var order: [Node] = []
  var limit: Int?
  var offset: Int?
  var unions: [(isAll: Bool, query: QueryClauses)] = []
  var commonTables: [CommonTableNode] = []
  var isRecursive = false

  init(_ name: String, alias: String? = nil, database: String?) {
    from = QuerySource(name: name, alias: alias, database: database)
  }

  /// A query of another one's rows, under the name of its table.
  init(rowsOf query: QueryClauses) {
    from = QuerySource(name: query.from.alias ?? query.from.name, alias: nil, database: nil, query: [query])
  }

  /// What is counted, summed and so on among the columns would be so before these clauses choose rows, or for each
  /// group.
  var choosesRows: Bool {
    isDistinct || !group.isEmpty || having != nil || limit != nil || offset != nil || !unions.isEmpty
  }

  /// The query names a table and chooses among its rows, and does nothing else.
  var isPlainTable: Bool {
    let selectsAll = columns.count == 1 && columns.allSatisfy { if case .star(nil) = $0.kind { true } else { false } }
    return selectsAll && from.query.isEmpty && !isDistinct && joins.isEmpty && group.isEmpty && having == nil
      && order.isEmpty && limit == nil
      && unions.isEmpty && commonTables.isEmpty
  }
}

/// A table, as FROM and JOIN name it, or a query in its place.
struct QuerySource: Sendable {
  var name: String
  var alias: String?
  var database: String?
  /// One query, whose rows are meant by the name, or none. An array, because a value cannot hold its own kind.
  var query: [QueryClauses] = []

  /// What stands before the names of its columns.
  var qualifier: Node {
    if let alias { return .column(alias) }
    guard let database else { return .column(name) }
    return Node(.column(schema: "", table: database, name: name))
  }

  func print(to printer: inout SQLPrinter) {
    if let query = query.first {
      printer.wrapped { query.print(to: &$0) }
      printer.write(" AS ")
      return printer.name(name)
    }
    if let database {
      printer.name(database)
      printer.write(".")
    }
    printer.name(name)
    if let alias {
      printer.write(" AS ")
      printer.name(alias)
    }
  }

  func tree(_ values: inout TreeValues) -> ASTTableSource {
    if let query = query.first { return .subquery(query.tree(&values), as: name) }
    return .table(name, as: alias ?? "", schema: database ?? "")
  }
  var table: ASTTable { .named(name, schema: database ?? "") }
}

/// How rows of two tables are paired.
public enum JoinType: String, Sendable {
  /// Every row with every row that the condition pairs it with; SQLite keeps the order of the tables.
  case cross = "CROSS"
  /// Rows that the condition pairs.
  case inner = "INNER"
  /// Rows that the condition pairs, and those of the left table that it pairs with none.
  case leftOuter = "LEFT OUTER"

  var tree: ASTJoin.Kind {
    switch self {
    case .cross: .cross
    case .inner: .inner
    case .leftOuter: .left
    }
  }
}

struct QueryJoin: Sendable {
  var type: JoinType
  var query: QueryClauses
  /// The condition, and the joined query's own filter.
  var condition: Node
}

/// What SQLite does with a common table: computes it once, or merges it into the query.
public enum MaterializationHint: String, Sendable {
  /// `AS MATERIALIZED`
  case materialized = "MATERIALIZED"
  /// `AS NOT MATERIALIZED`
  case notMaterialized = "NOT MATERIALIZED"
}

struct CommonTableNode: Sendable {
  var name: String
  var columns: [Node]
  var hint: MaterializationHint?
  var query: QueryClauses
}
