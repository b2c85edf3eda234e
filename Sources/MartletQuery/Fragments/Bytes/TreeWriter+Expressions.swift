import Foundation
import MartletAST
import MartletProtobuf
import MartletValues

/// Expressions as bytes.
///
/// Always true: fields come in the order of their numbers, as those of a serialized tree.
extension TreeWriter {
  mutating func expression(_ field: UInt32, _ fragment: QueryFragment) {
    message(field) { $0.expression(fragment) }
  }

  mutating func expressions(_ field: UInt32, _ fragments: [QueryFragment]) {
    for fragment in fragments { expression(field, fragment) }
  }

  mutating func expression(_ fragment: QueryFragment) {
    switch fragment.node {
    case .column(let schema, let table, let name, _):
      message(GrammarFields.Expression.column) {
        $0.text(GrammarFields.Column.schema, schema)
        $0.text(GrammarFields.Column.table, table)
        $0.text(GrammarFields.Column.name, name)
      }
    case .star: misplacedStar()
    case .sharedColumn(_, let condition): expression(condition)
    case .bind(let binding): bind(binding)
    case .list(let rows, let reason): list(rows, reason)
    case .literal(let literal): message(GrammarFields.Expression.literal) { $0.literal(literal) }
    case .operation(let symbol, let operands):
      message(GrammarFields.Expression.call) {
        $0.present(GrammarFields.Call.operator, UInt64(bitPattern: Int64(symbol.rawValue)))
        $0.expressions(GrammarFields.Call.arguments, operands)
      }
    case .function(let call): message(GrammarFields.Expression.call) { $0.call(call) }
    case .choice(let base, let branches, let otherwise):
      message(GrammarFields.Expression.case) { $0.choice(base, branches, otherwise) }
    case .cast(let operand, let type):
      message(GrammarFields.Expression.cast) {
        $0.expression(GrammarFields.Cast.operand, operand)
        $0.text(GrammarFields.Cast.type, type)
      }
    case .collate(let operand, let collation):
      message(GrammarFields.Expression.collate) {
        $0.expression(GrammarFields.Collate.operand, operand)
        $0.text(GrammarFields.Collate.collation, collation)
      }
    case .tuple(let elements):
      message(GrammarFields.Expression.tuple) { $0.expressions(GrammarFields.Tuple.elements, elements) }
    case .elements(let elements):
      message(GrammarFields.Expression.list) { $0.expressions(GrammarFields.List.elements, elements) }
    case .subquery(let statement): self.statement(GrammarFields.Expression.subquery, statement)
    case .exists(let statement): self.statement(GrammarFields.Expression.exists, statement)
    case .raise(let raise):
      message(GrammarFields.Expression.raise) {
        $0.word(GrammarFields.Raise.action, raise.action)
        $0.text(GrammarFields.Raise.message, raise.message)
      }
    case .aliased(let inner, _): expression(inner)
    case .raw(let parts): message(GrammarFields.Expression.raw) { $0.raw(parts) }
    }
  }

  /// `*` stands for an unknown number of columns, so it cannot be a value.
  private mutating func misplacedStar() {
    values.fail(
      QueryBindingFailure("`star` stands in `select` and `returning` only. Name the columns that are meant here."))
    expression(.null)
  }

  private mutating func bind(_ binding: QueryBinding) {
    if let reason = binding.failure { values.fail(reason) }
    if values.areInlined { return expression(.literal(of: binding.value)) }
    parameter(GrammarFields.Expression.parameter, values.bind(binding.value))
  }

  private mutating func list(_ rows: RowBatch, _ reason: QueryBindingFailure?) {
    guard !values.hasLists else {
      return parameter(GrammarFields.Expression.parameter, values.bind(rows: rows, reason))
    }
    if let reason { values.fail(reason) }
    expression(.elements(of: rows, values.areInlined ? QueryFragment.literal : QueryFragment.parameter))
  }

  mutating func parameter(_ field: UInt32, _ parameter: ASTParameter) {
    message(field) {
      $0.number(GrammarFields.Parameter.index, UInt64(parameter.index))
      $0.flag(GrammarFields.Parameter.list, parameter.list)
      $0.number(GrammarFields.Parameter.columns, UInt64(parameter.columns))
    }
  }

  private mutating func literal(_ literal: ASTLiteral) {
    switch literal.kind {
    case .keyword(let keyword): present(GrammarFields.Literal.keyword, UInt64(bitPattern: Int64(keyword.rawValue)))
    case .integer(let integer): presentSigned(GrammarFields.Literal.integer, integer)
    case .real(let real): presentFixed64(GrammarFields.Literal.real, real.bitPattern)
    case .text(let text): presentText(GrammarFields.Literal.text, text)
    case .blob(let blob): presentBytes(GrammarFields.Literal.blob, blob)
    case nil: break
    }
  }

  private mutating func call(_ call: FunctionCall) {
    presentText(GrammarFields.Call.function, call.name)
    expressions(GrammarFields.Call.arguments, call.arguments)
    flag(GrammarFields.Call.star, call.star)
    flag(GrammarFields.Call.distinct, call.distinct)
    ordering(GrammarFields.Call.orderBy, call.order)
    if let filter = call.filter { expression(GrammarFields.Call.filter, filter) }
    switch call.over {
    case .named(let name): message(GrammarFields.Call.over) { $0.presentText(GrammarFields.Over.name, name) }
    case .window(let window): message(GrammarFields.Call.over) { $0.window(GrammarFields.Over.window, window) }
    case nil: break
    }
  }

  private mutating func choice(
    _ base: QueryFragment?, _ branches: [(when: QueryFragment, then: QueryFragment)], _ otherwise: QueryFragment?
  ) {
    if let base { expression(GrammarFields.Case.base, base) }
    for branch in branches {
      message(GrammarFields.Case.branches) {
        $0.expression(GrammarFields.Case.Branch.when, branch.when)
        $0.expression(GrammarFields.Case.Branch.then, branch.then)
      }
    }
    if let otherwise { expression(GrammarFields.Case.else, otherwise) }
  }

  mutating func raw(_ parts: [QueryFragment.RawPart]) {
    let texts = parts.lazy.map { part in if case .sql(let text) = part { text } else { nil as String? } }
    if let placeholder = RawPlaceholders.first(in: texts) {
      values.fail(
        QueryBindingFailure(
          "Raw SQL holds the placeholder \(placeholder), which would take the value of another one. "
            + "Write the value itself as \\(value), or the character between quotes."))
    }
    for part in parts {
      message(GrammarFields.Raw.parts) {
        switch part {
        case .sql(let sql): $0.presentText(GrammarFields.Raw.Part.sql, sql)
        case .expression(let fragment): $0.expression(GrammarFields.Raw.Part.expression, fragment)
        case .statement(let statement): $0.statement(GrammarFields.Raw.Part.statement, statement)
        case .identifier(let name): $0.presentText(GrammarFields.Raw.Part.identifier, name)
        }
      }
    }
  }
}
