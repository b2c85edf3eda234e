import MartletAST
import MartletValues

/// The columns of a value of several, such as a group, that is one expression.
///
/// Always true: each column has its own expression, or the statement is refused. Raw SQL and a query do not say which
/// of their columns is which, and whoever took the first for all of them would lose the others without a word.
extension QueryFragment {
  /// The columns of a choice between values of several: of a CASE, and of `??`. Nil if it is no such choice.
  var chosenColumns: [QueryFragment]? {
    guard let count = widthOfChoice else { return nil }
    return columns(count) ?? Self.refusedColumns(count)
  }

  /// The expression for each column of a value of so many; nil if it does not say.
  func columns(_ count: Int) -> [QueryFragment]? {
    switch node {
    case .tuple(let elements): return elements.count == count ? elements : nil
    case .aliased(let inner, _): return inner.columns(count)
    case .choice(let base, let branches, let otherwise):
      guard let values = Self.columns(count, of: branches.map(\.then) + (otherwise.map { [$0] } ?? [])) else {
        return nil
      }
      return (0..<count).map { column in
        let chosen = branches.indices.map { (when: branches[$0].when, then: values[$0][column]) }
        return QueryFragment(
          .choice(base: base, branches: chosen, otherwise: otherwise == nil ? nil : values.last?[column]))
      }
    case .function(let call) where call.isFirstPresent:
      guard let values = Self.columns(count, of: call.arguments) else { return nil }
      return (0..<count).map { column in
        let chosen = values.dropLast().map { (when: QueryFragment.isPresent($0), then: $0[column]) }
        return QueryFragment(.choice(base: nil, branches: chosen, otherwise: values.last?[column]))
      }
    default: return isNull ? Array(repeating: .null, count: count) : nil
    }
  }

  private static func columns(_ count: Int, of values: [QueryFragment]) -> [[QueryFragment]]? {
    let columns = values.compactMap { $0.columns(count) }
    return columns.count == values.count ? columns : nil
  }

  /// How many columns the values have between which it chooses; nil if it chooses between no such values.
  private var widthOfChoice: Int? {
    switch node {
    case .choice(_, let branches, let otherwise):
      branches.lazy.compactMap(\.then.width).first ?? otherwise.flatMap(\.width)
    case .function(let call) where call.isFirstPresent: call.arguments.lazy.compactMap(\.width).first
    default: nil
    }
  }

  private var width: Int? {
    if case .tuple(let elements) = node { return elements.count }
    return widthOfChoice
  }

  /// NULL, however it is written.
  private var isNull: Bool {
    if case .null? = binding { return true }
    guard case .raw(let parts) = node, parts.count == 1, case .sql(let text) = parts[0] else { return false }
    return text.uppercased() == "NULL"
  }

  /// What stands for the columns of a value that does not say which they are.
  static func refusedColumns(_ count: Int) -> [QueryFragment] {
    let reason =
      "A value of several columns is one expression here: neither SQL nor a query says which of its columns is which. "
      + "Give each column one, with the 'Columns(…)' of the value's type."
    return Array(repeating: .bind(.invalid(QueryBindingFailure(reason))), count: count)
  }
}

extension FunctionCall {
  /// It returns the first of its arguments that is not NULL.
  fileprivate var isFirstPresent: Bool { (name == "coalesce" || name == "ifnull") && filter == nil && over == nil }
}

extension [QueryFragment] {
  /// The columns of a value of so many: themselves, or what the only one of them says.
  func ofEachColumn(_ count: Int) -> [QueryFragment] {
    if self.count == count { return self }
    return (self.count == 1 ? self[0].columns(count) : nil) ?? QueryFragment.refusedColumns(count)
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  /// One expression for each column of the value, also where the expression is one for all of them.
  var eachColumn: [QueryFragment] { columnFragments.ofEachColumn(QueryValue.columnWidth) }
}
