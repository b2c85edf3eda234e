import MartletAST
import MartletSQLite
package import MartletValues

/// The values of a request, bound to the compiled statement after checking that they fit it.
///
/// Always true: a statement that runs has a value for each of its parameters and none left over, lists where it reads
/// lists and single values elsewhere. Errors name a parameter by its number, never its value.
extension PreparedPlan {
  package func bind(
    _ values: [Value], limits: Limits, restriction: Restriction? = nil
  ) throws(RequestError) {
    let longest = values.lazy.map(\.textByteCount).max() ?? 0
    statement.setPace(hasLongValues: longest > limits.inlineValueBytesMax)
    if longest > limits.inlineValueBytesMax { try checkWork(on: longest, limits) }
    // Under rules there is no raw text, and the parameters behind the tree's are claims.
    let wanted = plan.rules == nil ? max(statement.parameterCount, plan.parameterCount) : plan.parameterCount
    guard values.count == wanted else { throw .parameterCount(values.count, wanted: wanted) }
    if !plan.valueDemands.isEmpty { try Self.check(values, plan.valueDemands, limits) }
    // Raw text may use parameters that the tree does not name, and a tree parameters that SQLite dropped; the latter
    // cannot be bound.
    let bindable = min(values.count, statement.parameterCount)
    let hasLists = !plan.listParameters.isEmpty
    for index in 0..<bindable {
      if hasLists, let width = plan.listParameters[index + 1] {
        try bindList(values[index], width: width, at: index + 1, limits: limits)
      } else {
        try bindScalar(values[index], at: index + 1)
      }
    }
    for (index, claim) in plan.claims.enumerated() {
      let value = restriction?.claims[claim].map { Value.text($0) } ?? .null
      try bindScalar(value, at: plan.parameterCount + index + 1)
    }
  }

  /// Nobody can end SQLite between two operators, so what all of them may take is bounded before any of them runs.
  private func checkWork(on bytes: Int, _ limits: Limits) throws(RequestError) {
    let (work, overflow) = bytes.multipliedReportingOverflow(by: statement.operatorCount)
    if overflow || work > limits.longValueWorkMax {
      throw .valueWork(bytes, operators: statement.operatorCount, max: limits.longValueWorkMax)
    }
  }

  /// The error that SQLite would report when it uses the value. Under rules it is reported before a row is read,
  /// because whether SQLite uses the value would tell something about rows of others.
  private static func check(_ values: [Value], _ demands: ValueDemands, _ limits: Limits) throws(RequestError) {
    for index in demands.wholeNumbers where values.indices.contains(index - 1) && !values[index - 1].isWhole {
      throw RequestError(SQLiteError(extendedCode: SQLiteCode.mismatch, message: ""))
    }
    for index in demands.patterns where values.indices.contains(index - 1) {
      guard values[index - 1].textByteCount > limits.likePatternBytesMax else { continue }
      throw RequestError(SQLiteError(extendedCode: SQLiteCode.error, message: "LIKE or GLOB pattern too complex"))
    }
  }

  @inline(__always)
  private func bindScalar(_ value: Value, at index: Int) throws(RequestError) {
    do throws(SQLiteError) {
      switch value {
      case .integer(let integer): try statement.bind(integer, at: index)
      case .text(let text): try statement.bindText(text, at: index)
      case .real(let real): try statement.bind(real, at: index)
      case .null: try statement.bindNull(at: index)
      case .blob(let blob): try bindBlob(blob, at: index)
      case .rows: throw SQLiteError(extendedCode: SQLiteCode.mismatch, message: "")
      }
    } catch {
      throw Self.refusal(error, index)
    }
  }

  private func bindBlob(_ blob: [UInt8], at index: Int) throws(SQLiteError) {
    let result = blob.withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in try statement.bindBlob(bytes, at: index) }
    }
    try result.get()
  }

  private func bindList(_ value: Value, width: Int, at index: Int, limits: Limits) throws(RequestError) {
    guard case .rows(let batch) = value else {
      throw .parameterIsList(index)
    }
    let most = width == 1 ? limits.listValuesMax : limits.bulkRowsMax
    guard batch.rowCount <= most else {
      throw .parameterRowsTooMany(index, rowsMax: most)
    }
    // An empty batch may come without its columns.
    guard batch.columns.count == width || batch.rowCount == 0 else {
      throw .parameterColumns(index, given: batch.columns.count, wanted: width)
    }
    guard let rows = RowsPointer.copy(of: batch) else {
      throw .parameterRowsMalformed(index)
    }
    do throws(SQLiteError) {
      try statement.bind(rows, at: index)
    } catch {
      throw Self.refusal(error, index)
    }
  }

  private static func refusal(_ error: SQLiteError, _ index: Int) -> RequestError {
    switch error.code {
    case SQLiteCode.tooBig:
      .parameterTooLong(index, sqliteCode: error.extendedCode)
    case SQLiteCode.mismatch:
      .parameterIsNoList(index)
    default:
      .parameterNotBound(index, sqliteCode: error.extendedCode)
    }
  }
}

extension Value {
  /// Whether SQLite takes it for a number of rows, without reading a text.
  fileprivate var isWhole: Bool {
    switch self {
    case .integer: true
    case .real(let real): Int64(exactly: real) != nil
    case .text, .blob, .null, .rows: false
    }
  }

  fileprivate var textByteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.count
    case .integer, .real, .null, .rows: 0
    }
  }
}
