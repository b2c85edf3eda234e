internal import Foundation
internal import MartletAST
internal import MartletValues

/// The values of a statement that is written as a tree: numbered parameters, or literals in a schema, of which SQLite
/// keeps the text.
///
/// Always true: parameters are numbered from 1 in the order in which they are met, and the tree uses each number once.
struct TreeValues {
  private(set) var parameters: [SQLValue] = []
  /// The first reason for which the statement cannot run.
  private(set) var failure: String?
  var areInlined = false

  mutating func fail(_ reason: String) {
    if failure == nil { failure = reason }
  }

  /// Fails for a value that cannot be kept.
  mutating func check(_ value: SQLValue) {
    if value.isUnkept { fail(SQLValue.unkeptReason) }
  }

  mutating func expression(_ value: SQLValue) -> ASTExpression {
    check(value)
    if areInlined { return Self.literal(value) }
    parameters.append(value)
    return .parameter(UInt32(clamping: parameters.count))
  }

  /// Values for the right side of IN: one parameter, however many they are.
  mutating func list(_ values: [SQLValue]) -> ASTExpression {
    for value in values { check(value) }
    if areInlined { return .list(values.map(Self.literal)) }
    var batch = RowBatch(columnCount: 1)
    for value in values {
      batch.columns[0].append(value, row: batch.rowCount)
      batch.rowCount += 1
    }
    return .listParameter(bind(batch))
  }

  /// Rows as one parameter.
  mutating func bind(_ rows: RowBatch) -> UInt32 {
    parameters.append(.rows(rows))
    return UInt32(clamping: parameters.count)
  }

  static func literal(_ value: SQLValue) -> ASTExpression {
    switch value {
    case .null, .rows: .null
    case .integer(let integer): .literal(integer)
    case .real(let real): .literal(real)
    // SQL's text ends at a NUL, bytes do not.
    case .text(let text) where text.utf8.contains(0): .cast(.literal(Array(text.utf8)), as: "TEXT")
    case .text(let text): .literal(text)
    case .blob(let bytes): .literal(bytes)
    }
  }
}
