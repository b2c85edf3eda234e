import MartletSQLite
import MartletValues

/// What the operators of a statement may take together.
///
/// Always true: SQLite cannot be ended between two of them, so it is known before the first of them runs.
extension PreparedPlan {
  /// Nobody can end SQLite between two operators, so what all of them may take is bounded before any of them runs.
  func checkWork(on bytes: Int, of together: Int, _ limits: Limits) throws(RequestError) {
    let least = together.multipliedReportingOverflow(by: try operatorCount(on: .message))
    if !least.overflow, least.partialValue <= limits.longValueWorkMax { return }
    let operators = try operatorCount(on: .all)
    let (work, overflow) = bytes.multipliedReportingOverflow(by: operators)
    if overflow || work > limits.longValueWorkMax {
      throw .valueWork(bytes, operators: operators, max: limits.longValueWorkMax)
    }
  }

  /// The same for values that SQLite reads from tables or makes: it takes none that are too long for the statement's
  /// operators.
  func boundValues(_ limits: Limits) throws(RequestError) {
    // Who maintains the file looks at all of its tables in one statement, each of them on its own.
    guard limits.longValueWorkMax < .max, plan.maintenance == nil, !statement.isSmall else { return }
    if try fits(limits, .row) { return }
    if try fits(limits, .round) { return statement.setPace(hasLongValues: true) }
    let operators = try operatorCount(on: .stored)
    var bytes = limits.longValueWorkMax / max(1, operators)
    if operators <= EngineLimits.operatorsMax {
      bytes = max(bytes, EngineLimits.boundValueBytesMin)
    } else {
      var mayRun = operators <= EngineLimits.operatorsOnShortValuesMax
      if mayRun { mayRun = try readsSchema(within: bytes) }
      guard mayRun else { throw .operatorsTooMany(operators, max: EngineLimits.operatorsMax) }
    }
    if bytes < limits.valueBytesMax { statement.connection.boundValues(toBytes: bytes) }
  }

  /// Whether no text of the schema is longer, which SQLite may have to read within the bound for values.
  private func readsSchema(within bytes: Int) throws(RequestError) -> Bool {
    do throws(SQLiteError) { return try statement.connection.schemaSize().bytes <= bytes } catch {
      throw RequestError(error, plan: plan, stop: statement.connection.limiter.interruption)
    }
  }

  /// Whether the statement may have values of any length.
  private func fits(_ limits: Limits, _ values: Statement.OperatorValues) throws(RequestError) -> Bool {
    let (work, overflow) = limits.valueBytesMax.multipliedReportingOverflow(by: try operatorCount(on: values))
    return !overflow && work <= limits.longValueWorkMax
  }

  /// What cannot be counted in the statement's time does not run in it.
  private func operatorCount(on values: Statement.OperatorValues) throws(RequestError) -> Int {
    do throws(SQLiteError) {
      let operators = try statement.operatorCount(on: values)
      // No operator begins after that.
      if statement.connection.limiter.isOver { throw SQLiteError.interrupted }
      return operators
    } catch {
      throw RequestError(error, plan: plan, stop: statement.connection.limiter.interruption)
    }
  }
}
