import MartletAST
import MartletValues

/// Fragments to expressions of the tree, values to numbered parameters.
///
/// Always true: parameters are numbered from 1 in the order in which the tree is built.
struct TreeBuilder {
  /// Values become literals: in a schema, of which SQLite keeps the text, and in SQL that people read.
  var inlinesValues: Bool
  private(set) var parameters: [Value] = []
  private(set) var failure: QueryBindingFailure?

  init(inliningValues: Bool = false) { inlinesValues = inliningValues }

  mutating func bind(_ value: Value) -> ASTParameter {
    parameters.append(value)
    var parameter = ASTParameter()
    parameter.index = UInt32(clamping: parameters.count)
    return parameter
  }

  mutating func bind(rows: RowBatch, _ reason: QueryBindingFailure? = nil) -> ASTParameter {
    if let reason { fail(reason) }
    var parameter = bind(.rows(rows))
    parameter.list = true
    parameter.columns = UInt32(clamping: rows.columns.count)
    return parameter
  }

  /// The first reason counts; the statement throws it before anything is sent.
  mutating func fail(_ reason: QueryBindingFailure) {
    if failure == nil { failure = reason }
  }

  mutating func expression(_ fragment: QueryFragment) -> ASTExpression {
    var tree = ASTExpression()
    switch fragment.node {
    case .column(let schema, let table, let name):
      var column = ASTColumn()
      column.schema = schema
      column.table = table
      column.name = name
      tree.column = column
    case .star: return expression(misplacedStar())
    case .sharedColumn(_, let condition): return expression(condition)
    case .bind(let binding):
      if let reason = binding.failure { fail(reason) }
      if inlinesValues { return literal(of: binding.value) }
      tree.parameter = bind(binding.value)
    case .list(let rows, let reason):
      if inlinesValues { return inlined(rows, reason) }
      tree.parameter = bind(rows: rows, reason)
    case .literal(let literal): tree.literal = literal
    case .operation(let symbol, let operands):
      var call = ASTCall()
      call.operator = symbol
      call.arguments = expressions(operands)
      tree.call = call
    case .function(let call): tree.call = self.call(call)
    case .choice(let base, let branches, let otherwise): tree.case = choice(base, branches, otherwise)
    case .cast(let operand, let type):
      tree.cast.operand = expression(operand)
      tree.cast.type = type
    case .collate(let operand, let collation):
      tree.collate.operand = expression(operand)
      tree.collate.collation = collation
    case .tuple(let elements): tree.tuple.elements = expressions(elements)
    case .elements(let elements): tree.list.elements = expressions(elements)
    case .subquery(let statement): tree.subquery = statement.tree.tree(in: &self)
    case .exists(let statement): tree.exists = statement.tree.tree(in: &self)
    case .raise(let raise): tree.raise = raise
    case .aliased(let inner, _): return expression(inner)
    case .raw(let parts): tree.raw = raw(parts)
    }
    return tree
  }

  /// Columns that nobody counted are no value.
  mutating func misplacedStar() -> QueryFragment {
    fail(QueryBindingFailure("`star` stands in `select` and `returning` only. Name the columns that are meant here."))
    return .null
  }

  mutating func expressions(_ fragments: [QueryFragment]) -> [ASTExpression] {
    fragments.map { expression($0) }
  }

  private mutating func choice(
    _ base: QueryFragment?, _ branches: [(when: QueryFragment, then: QueryFragment)], _ otherwise: QueryFragment?
  ) -> ASTCase {
    var tree = ASTCase()
    if let base { tree.base = expression(base) }
    for branch in branches {
      var node = ASTCase.Branch()
      node.when = expression(branch.when)
      node.then = expression(branch.then)
      tree.branches.append(node)
    }
    if let otherwise { tree.else = expression(otherwise) }
    return tree
  }

  private mutating func call(_ call: FunctionCall) -> ASTCall {
    var tree = ASTCall()
    tree.function = call.name
    tree.arguments = expressions(call.arguments)
    tree.star = call.star
    tree.distinct = call.distinct
    tree.orderBy = ordering(call.order)
    if let filter = call.filter { tree.filter = expression(filter) }
    switch call.over {
    case .named(let name): tree.over.name = name
    case .window(let window): tree.over.window = self.window(window)
    case nil: break
    }
    return tree
  }

  mutating func raw(_ parts: [QueryFragment.RawPart]) -> ASTRaw {
    var tree = ASTRaw()
    for piece in parts {
      var part = ASTRaw.Part()
      switch piece {
      case .sql(let sql): part.sql = sql
      case .identifier(let name): part.identifier = name
      case .expression(let fragment): part.expression = expression(fragment)
      case .statement(let statement): part.statement = statement.tree.tree(in: &self)
      }
      tree.parts.append(part)
    }
    return tree
  }
}

// MARK: - Clauses that many statements share

extension TreeBuilder {
  mutating func ordering(_ terms: [OrderingTerm]) -> [ASTOrderingTerm] {
    terms.map { term in
      var tree = ASTOrderingTerm()
      tree.expression = expression(term.fragment)
      tree.direction = term.direction
      tree.nulls = term.nulls
      return tree
    }
  }

  mutating func window(_ window: Window) -> ASTWindow {
    var tree = ASTWindow()
    tree.base = window.base
    tree.partitionBy = expressions(window.partition)
    tree.orderBy = ordering(window.order)
    if let frame = window.frame { tree.frame = self.frame(frame) }
    return tree
  }

  private mutating func frame(_ frame: Frame) -> ASTFrame {
    var tree = ASTFrame()
    tree.unit = frame.unit
    tree.start = bound(frame.start)
    if let end = frame.end { tree.end = bound(end) }
    tree.exclusion = frame.exclusion
    return tree
  }

  private mutating func bound(_ bound: FrameBound) -> ASTFrameBound {
    var tree = ASTFrameBound()
    tree.kind = bound.kind
    if let offset = bound.offset { tree.offset = expression(offset) }
    return tree
  }

  mutating func resultColumns(_ fragments: [QueryFragment]) -> [ASTResultColumn] {
    fragments.map { fragment in
      var column = ASTResultColumn()
      switch fragment.node {
      case .star(let table): column.all.table = table
      case .aliased(let inner, let alias):
        column.expression = expression(inner)
        column.alias = alias
      default: column.expression = expression(fragment)
      }
      return column
    }
  }
}
