import MartletAST
import MartletValues

/// How deep an expression nests, counted where it is made.
///
/// Always true: no expression nests deeper than `QueryLimits.depthMax`, because writing a deeper one, or only letting
/// go of it, would overflow the stack. In its place stands a value that cannot be bound, and says why.
extension QueryFragment.Node {
  /// Levels below it, from those that its operands have counted. Names and conditions of a join are no level.
  var depth: Int32 {
    switch self {
    case .column, .star, .bind, .list, .literal, .raise: 0
    case .operation(_, let operands), .tuple(let operands), .elements(let operands): 1 + operands.depth
    case .function(let call): 1 + call.depth
    case .choice(let base, let branches, let otherwise):
      1
        + branches.reduce(max(base?.depth ?? 0, otherwise?.depth ?? 0)) { max($0, $1.when.depth, $1.then.depth) }
    case .cast(let operand, _), .collate(let operand, _): 1 + operand.depth
    case .subquery(let statement), .exists(let statement): 1 + statement.tree.depth
    case .aliased(let operand, _), .sharedColumn(_, let operand): operand.depth
    case .raw(let parts): 1 + parts.reduce(0) { max($0, $1.depth) }
    }
  }

  /// The node, or what stands in its place if it nests too deep.
  func bounded(_ depth: Int32) -> QueryFragment.Node {
    depth <= QueryLimits.depthMax ? self : .bind(.invalid(RequestError.treeTooDeep(Limits())))
  }
}

extension QueryFragment.RawPart {
  var depth: Int32 {
    switch self {
    case .expression(let expression): expression.depth
    case .statement(let statement): statement.tree.depth
    case .sql, .identifier: 0
    }
  }
}

extension [QueryFragment] {
  var depth: Int32 {
    var deepest: Int32 = 0
    for fragment in self where fragment.depth > deepest { deepest = fragment.depth }
    return deepest
  }
}

extension FunctionCall {
  fileprivate var depth: Int32 {
    var deepest = max(arguments.depth, filter?.depth ?? 0)
    for term in order { deepest = max(deepest, term.fragment.depth) }
    if case .window(let window) = over { deepest = max(deepest, window.depth) }
    return deepest
  }
}

extension Window {
  /// That of its clauses.
  var depth: Int32 {
    var deepest = max(partition.depth, frame?.start.offset?.depth ?? 0, frame?.end?.offset?.depth ?? 0)
    for term in order { deepest = max(deepest, term.fragment.depth) }
    return deepest
  }
}
