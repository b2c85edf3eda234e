import MartletAST
import MartletValues

/// The values of a statement that is written: numbered parameters, or literals.
///
/// Always true: parameters are numbered from 1 in the order in which the statement is written.
struct StatementValues {
  /// Values become literals: in a schema, of which SQLite keeps the text, and in SQL that people read.
  var areInlined: Bool
  private(set) var parameters: [Value] = []
  private(set) var failure: QueryBindingFailure?

  init(areInlined: Bool = false) { self.areInlined = areInlined }

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
}

/// Values as literals: SQLite reads each back as the value that a parameter would have carried.
extension QueryFragment {
  static func literal(of value: Value) -> QueryFragment {
    switch value {
    case .null, .rows: .null
    case .integer(let integer): .literal(integer: integer)
    case .real(let real): .literal(real: real)
    // SQL text ends at a NUL, bytes do not.
    case .text(let text) where text.utf8.contains(0):
      QueryFragment(.cast(.literal(blob: Array(text.utf8)), type: "TEXT"))
    case .text(let text): .literal(text: text)
    case .blob(let blob): .literal(blob: blob)
    }
  }

  /// The values of a list, one by one.
  static func literals(of rows: RowBatch) -> QueryFragment {
    var elements: [QueryFragment] = []
    for row in 0..<rows.rowCount {
      guard let values = try? rows.row(row) else { continue }
      elements.append(.row(values.map { literal(of: $0) }))
    }
    return QueryFragment(.elements(elements))
  }
}
