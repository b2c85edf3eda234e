import MartletAST
import MartletProtobuf

/// Queries that are one, without their types.
///
/// Always true: terms are combined from left to right; ORDER BY and LIMIT are the whole compound's.
struct CompoundParts: StatementTree {
  private(set) var first: StatementFragment
  private(set) var terms: [(symbol: ASTCompound.Operator, query: StatementFragment)]
  /// Counted where it is made: a loop makes one of it and another one, each time.
  private var depthOfQueries: Int32
  var order: [OrderingTerm] = []
  var limit: QueryFragment?
  var offset: QueryFragment?

  init(first: StatementFragment, terms: [(symbol: ASTCompound.Operator, query: StatementFragment)]) {
    self.first = first.bounded
    self.terms = terms.map { ($0.symbol, $0.query.bounded) }
    depthOfQueries = StatementFragment.depth(around: [self.first] + self.terms.map(\.query))
  }

  mutating func append(_ symbol: ASTCompound.Operator, _ query: StatementFragment) {
    let query = query.bounded
    terms.append((symbol, query))
    depthOfQueries = max(depthOfQueries, StatementFragment.depth(around: CollectionOfOne(query)))
  }

  /// Has the last query with fewer clauses.
  mutating func replaceLast(_ query: StatementFragment) { terms[terms.count - 1].query = query }

  var columnNames: [String]? { first.tree.columnNames }

  var isNone: Bool {
    // Whether no row is left of the first query, term by term.
    terms.reduce(first.tree.isNone) { isNone, term in
      switch term.symbol {
      case .except: isNone
      case .intersect: isNone || term.query.tree.isNone
      default: isNone && term.query.tree.isNone
      }
    }
  }
}

extension CompoundParts {
  var depth: Int32 {
    order.reduce(max(depthOfQueries, limit?.depth ?? 0, offset?.depth ?? 0)) { max($0, $1.fragment.depth) }
  }

  var hasSeveralRows: Bool { limit?.isOne != true }

  var readsDocument: Bool { first.tree.readsDocument || terms.contains { $0.query.tree.readsDocument } }

  func withReals(_ areReal: [Bool]) -> any StatementTree {
    var parts = self
    parts.first = StatementFragment(first.tree.withReals(areReal))
    parts.terms = terms.map { ($0.symbol, StatementFragment($0.query.tree.withReals(areReal))) }
    return parts
  }

  func mapping(_ change: ColumnMapping) -> any StatementTree {
    var parts = self
    parts.first = first.mapping(change)
    parts.terms = terms.map { ($0.symbol, $0.query.mapping(change)) }
    return parts
  }

  func look(_ search: inout PlaceSearch) {
    first.tree.look(&search)
    for term in terms { term.query.tree.look(&search) }
    order.look(&search)
  }
}

extension CompoundParts {
  func write(to writer: inout TreeWriter) {
    writer.message(GrammarFields.Statement.compound) {
      $0.statement(GrammarFields.Compound.first, first)
      for term in terms {
        $0.message(GrammarFields.Compound.terms) {
          $0.word(GrammarFields.Compound.Term.operator, term.symbol)
          $0.statement(GrammarFields.Compound.Term.query, term.query)
        }
      }
      $0.rowOrdering(GrammarFields.Compound.orderBy, order)
      if let limit { $0.expression(GrammarFields.Compound.limit, limit) }
      if let offset { $0.expression(GrammarFields.Compound.offset, offset) }
    }
  }
}
