import Foundation
import MartletAST

/// Whether SQLite sorts what is stored as the values sort.
///
/// Always true: what compares or orders by something else is refused when the statement is built. That holds for each
/// member of a row, a group and a row value, too. An index and a key are no order that rows are read in, so they may
/// have such columns.
extension QueryRepresentable {
  /// The representation in it that does not sort as it is stored.
  private static var unsorted: (any QueryRepresentable.Type)? {
    if sortsAsStored { return nil }
    let columns = (Self.self as? any Table.Type)?.columnDescriptions ?? []
    return columns.first { !$0.valueType.sortsAsStored }?.valueType ?? Self.self
  }

  /// Why it is not sorted and compared by order; nil if it may be.
  static var orderFailure: QueryBindingFailure? {
    guard let unsorted else { return nil }
    if unsorted.isOfDecimalTexts {
      return QueryBindingFailure(
        "'Decimal.TextRepresentation' is stored as a text, and texts do not sort as numbers do. Compare and order "
          + "cast(as: Double.self), or in Swift.")
    }
    return QueryBindingFailure(
      "'\(unsorted)' is stored in a form that does not sort as its values do. Compare and order something else, or in "
        + "Swift.")
  }

  /// Why rows are not ordered by one of its columns, counted from 0.
  static func orderFailure(ofColumn index: Int) -> QueryBindingFailure? {
    guard let columns = (Self.self as? any Table.Type)?.columnDescriptions else { return orderFailure }
    return columns.indices.contains(index) ? columns[index].valueType.orderFailure : nil
  }

  private static var isOfDecimalTexts: Bool { QueryUnwrapped.self == Decimal.TextRepresentation.self }

  /// The other side of a comparison by order. Enums are refused, because their cases have no order: the first case's
  /// column would decide, and it is NULL in most rows.
  static func ordered(_ value: QueryFragment) -> QueryFragment {
    if let orderFailure { return .bind(.invalid(orderFailure)) }
    guard membersMayBeNull, QueryUnwrapped.self is any EnumTable.Type else { return value }
    let reason = "The cases of an enum have no order. Compare the column of a case: $0.kind.number < 3."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }
}

extension Table {
  fileprivate static var columnDescriptions: [ColumnDescription] { TableColumns.allColumns }
}

extension QueryExpression {
  /// Why rows are not ordered by it; nil if they may be.
  static var orderFailure: QueryBindingFailure? {
    if let value = QueryValue.self as? any QueryRepresentable.Type { return value.orderFailure }
    return (Self.self as? any OrderedRow.Type)?.memberOrderFailure
  }
}

/// A row value, whose own type has no representation.
protocol OrderedRow {
  /// Why one of its members is not sorted; nil if all may be.
  static var memberOrderFailure: QueryBindingFailure? { get }
}

extension RowValue: OrderedRow {
  static var memberOrderFailure: QueryBindingFailure? {
    for member in repeat (each Element).self {
      if let failure = member.orderFailure { return failure }
    }
    return nil
  }

  /// The other side of a comparison by order.
  static func ordered(_ row: QueryFragment) -> QueryFragment {
    if let memberOrderFailure { return .bind(.invalid(memberOrderFailure)) }
    return row
  }
}
