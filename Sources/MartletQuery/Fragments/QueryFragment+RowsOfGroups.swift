import MartletAST

/// Which expressions make one value of many rows.
///
/// Always true: an aggregate within a subquery is the subquery's.
extension QueryFragment {
  /// Whether `result`, made of this value of a row, is made of the values of many: then no row's NULL decides it.
  func isLifted(by result: QueryFragment) -> Bool { result.readsRows && !readsRows }

  /// Whether an aggregate or a window function stands in it.
  private var readsRows: Bool {
    switch node {
    case .function(let call):
      call.isAggregate || call.over != nil || call.star || call.arguments.contains(where: \.readsRows)
    case .operation(_, let operands): operands.contains(where: \.readsRows)
    case .choice(let base, let branches, let otherwise):
      base?.readsRows == true || otherwise?.readsRows == true
        || branches.contains { $0.when.readsRows || $0.then.readsRows }
    case .cast(let operand, _), .collate(let operand, _), .aliased(let operand, _), .sharedColumn(_, let operand):
      operand.readsRows
    case .tuple(let elements), .elements(let elements): elements.contains(where: \.readsRows)
    case .raw(let parts):
      parts.contains { part in
        if case .expression(let inner) = part { inner.readsRows } else { false }
      }
    case .column, .star, .bind, .list, .literal, .subquery, .exists, .raise: false
    }
  }
}
