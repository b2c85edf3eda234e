import MartletAST
import MartletValues

/// The values of a statement that is written: numbered parameters, or literals.
///
/// Always true: parameters are numbered from 1 in the order in which the statement is written.
struct StatementValues {
  /// Values become literals: in a schema, because SQLite keeps its text, and in SQL that people read.
  var areInlined: Bool
  /// Each value of a list is a parameter of its own, for databases without list parameters.
  var expandsLists = false
  private(set) var parameters: [Value] = []
  private(set) var failure: QueryBindingFailure?

  init(areInlined: Bool = false, expandsLists: Bool = false) {
    self.areInlined = areInlined
    self.expandsLists = expandsLists
  }

  /// A list is one parameter.
  var hasLists: Bool { !areInlined && !expandsLists }

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

/// Values as literals: SQLite reads each back as the value that a parameter would have carried. Only of very small real
/// numbers (near 1e-302) SQLite 3.40 reads some as their neighbours.
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

  /// A value that is bound, or a row of them.
  static func parameter(of value: Value) -> QueryFragment {
    switch value {
    case .null, .rows: .bind(.null)
    case .integer(let integer): .bind(.int(integer))
    case .real(let real): .bind(.double(real))
    case .text(let text): .bind(.text(text))
    case .blob(let blob): .bind(.blob(blob))
    }
  }

  /// The values of a list, one by one.
  static func elements(of rows: RowBatch, _ element: (Value) -> QueryFragment) -> QueryFragment {
    var elements: [QueryFragment] = []
    for row in 0..<rows.rowCount {
      guard let values = try? rows.row(row) else { continue }
      elements.append(.row(values.map(element)))
    }
    return QueryFragment(.elements(elements))
  }
}
