import Martlet

/// What a query becomes when its tables are joined.
protocol Finishing {
  associatedtype Made
  func finish<S: TableSources>(_ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope) -> Made
}

struct Shaped<R: Shape>: Finishing {
  typealias Made = any Statement<R.Value>

  var isWhole: Bool

  func finish<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> any Statement<R.Value> {
    generator.clauses(query, R.self, scope, isWhole: isWhole)
  }
}

/// Every column of every table.
struct WholeRows: Finishing {
  typealias Made = any Statement

  func finish<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> any Statement {
    let order = generator.integer(2, scope)
    let query = generator.filtered(query, scope)
    return generator.chance(50) ? query.order { _ in order }.limit(20) : query
  }
}

/// How many rows there are, or would be.
struct Counted: Finishing {
  typealias Made = any Statement

  func finish<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> any Statement {
    let filter = generator.condition(1, scope)
    let query = generator.filtered(query, scope)
    switch generator.below(3) {
    case 0: return query.count()
    case 1: return query.count { _ in filter }
    default: return generator.clauses(query, TripleRow.self, scope, isWhole: true).count()
    }
  }
}
