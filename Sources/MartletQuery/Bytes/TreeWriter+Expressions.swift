import Foundation
import MartletAST
import MartletProtobuf
import MartletValues

/// Expressions as bytes.
///
/// Always true: fields come in the order of their numbers, as SwiftProtobuf writes them.
extension TreeWriter {
  mutating func expression(_ field: UInt32, _ fragment: QueryFragment) {
    message(field) { $0.expression(fragment) }
  }

  mutating func expressions(_ field: UInt32, _ fragments: [QueryFragment]) {
    for fragment in fragments { expression(field, fragment) }
  }

  mutating func expression(_ fragment: QueryFragment) {
    switch fragment.node {
    case .column(let schema, let table, let name):
      message(1) {
        $0.text(1, schema)
        $0.text(2, table)
        $0.text(3, name)
      }
    case .star: misplacedStar()
    case .sharedColumn(_, let condition): expression(condition)
    case .bind(let binding): bind(binding)
    case .list(let rows, let reason): list(rows, reason)
    case .literal(let literal): message(3) { $0.literal(literal) }
    case .operation(let symbol, let operands):
      message(4) {
        $0.present(1, UInt64(bitPattern: Int64(symbol.rawValue)))
        $0.expressions(3, operands)
      }
    case .function(let call): message(4) { $0.call(call) }
    case .choice(let base, let branches, let otherwise): message(5) { $0.choice(base, branches, otherwise) }
    case .cast(let operand, let type):
      message(6) {
        $0.expression(1, operand)
        $0.text(2, type)
      }
    case .collate(let operand, let collation):
      message(7) {
        $0.expression(1, operand)
        $0.text(2, collation)
      }
    case .tuple(let elements): message(8) { $0.expressions(1, elements) }
    case .elements(let elements): message(9) { $0.expressions(1, elements) }
    case .subquery(let statement): self.statement(10, statement)
    case .exists(let statement): self.statement(11, statement)
    case .raise(let raise):
      message(12) {
        $0.word(1, raise.action)
        $0.text(2, raise.message)
      }
    case .aliased(let inner, _): expression(inner)
    case .raw(let parts): message(13) { $0.raw(parts) }
    }
  }

  /// Columns that nobody counted are no value.
  private mutating func misplacedStar() {
    values.fail(
      QueryBindingFailure("`star` stands in `select` and `returning` only. Name the columns that are meant here."))
    expression(.null)
  }

  private mutating func bind(_ binding: QueryBinding) {
    if let reason = binding.failure { values.fail(reason) }
    if values.areInlined { return expression(.literal(of: binding.value)) }
    parameter(2, values.bind(binding.value))
  }

  private mutating func list(_ rows: RowBatch, _ reason: QueryBindingFailure?) {
    guard !values.hasLists else { return parameter(2, values.bind(rows: rows, reason)) }
    if let reason { values.fail(reason) }
    expression(.elements(of: rows, values.areInlined ? QueryFragment.literal : QueryFragment.parameter))
  }

  mutating func parameter(_ field: UInt32, _ parameter: ASTParameter) {
    message(field) {
      $0.number(1, UInt64(parameter.index))
      $0.flag(2, parameter.list)
      $0.number(3, UInt64(parameter.columns))
    }
  }

  private mutating func literal(_ literal: ASTLiteral) {
    switch literal.kind {
    case .keyword(let keyword): present(1, UInt64(bitPattern: Int64(keyword.rawValue)))
    case .integer(let integer): presentSigned(2, integer)
    case .real(let real): presentFixed64(3, real.bitPattern)
    case .text(let text): presentText(4, text)
    case .blob(let blob): presentBytes(5, blob)
    case nil: break
    }
  }

  private mutating func call(_ call: FunctionCall) {
    presentText(2, call.name)
    expressions(3, call.arguments)
    flag(4, call.star)
    flag(5, call.distinct)
    ordering(6, call.order)
    if let filter = call.filter { expression(7, filter) }
    switch call.over {
    case .named(let name): message(8) { $0.presentText(1, name) }
    case .window(let window): message(8) { $0.window(2, window) }
    case nil: break
    }
  }

  private mutating func choice(
    _ base: QueryFragment?, _ branches: [(when: QueryFragment, then: QueryFragment)], _ otherwise: QueryFragment?
  ) {
    if let base { expression(1, base) }
    for branch in branches {
      message(2) {
        $0.expression(1, branch.when)
        $0.expression(2, branch.then)
      }
    }
    if let otherwise { expression(3, otherwise) }
  }

  mutating func raw(_ parts: [QueryFragment.RawPart]) {
    for part in parts {
      message(1) {
        switch part {
        case .sql(let sql): $0.presentText(1, sql)
        case .expression(let fragment): $0.expression(2, fragment)
        case .statement(let statement): $0.statement(3, statement)
        case .identifier(let name): $0.presentText(4, name)
        }
      }
    }
  }
}
