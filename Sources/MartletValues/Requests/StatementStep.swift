/// One statement of a batch: which one, with which values, and whether it runs.
///
/// Always true: steps are counted from 1; a condition or a reference names an earlier step, or the batch is refused.
public struct StatementStep: Sendable, Equatable {
  public var source: StatementSource
  public var parameters: [StepParameter]

  /// The version of the columns' metadata that the client holds; 0: none.
  public var columnsVersion: UInt64

  /// None: the step always runs. One that does not run is skipped.
  public var conditions: [StepCondition]

  /// One condition is enough; otherwise all must hold.
  public var isAnyEnough: Bool

  public init(
    source: StatementSource, parameters: [StepParameter] = [], columnsVersion: UInt64 = 0,
    conditions: [StepCondition] = [], isAnyEnough: Bool = false
  ) {
    self.source = source
    self.parameters = parameters
    self.columnsVersion = columnsVersion
    self.conditions = conditions
    self.isAnyEnough = isAnyEnough
  }
}

/// A statement by the id of its shape, or by its serialized bytes.
public enum StatementSource: Sendable, Equatable {
  case shape(ShapeID)
  case statement([UInt8])
}

/// A value that a step binds: known beforehand, or what an earlier step produced.
public enum StepParameter: Sendable, Equatable {
  case value(Value)
  case lastInsertRowID(step: Int)
  case rowsChanged(step: Int)
  /// A column, counted from 0, of the step's first row; NULL if it gave no row.
  case firstRow(step: Int, column: Int)
}

extension StepParameter: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  public init(stringLiteral value: String) { self = .value(.text(value)) }
  public init(nilLiteral: ()) { self = .value(.null) }
}

/// What must be true of an earlier step.
public struct StepCondition: Sendable, Equatable {
  /// How a step ended, with the numbers of the protocol.
  public enum Outcome: UInt32, Sendable {
    case succeeded = 1
    case failed = 2
    case skipped = 3
    case returnedRows = 4
    case changedRows = 5
  }

  public var step: Int
  public var outcome: Outcome
  public var isNegated: Bool

  public init(step: Int, _ outcome: Outcome, isNegated: Bool = false) {
    self.step = step
    self.outcome = outcome
    self.isNegated = isNegated
  }

  /// The same with the opposite meaning.
  public static prefix func ! (condition: StepCondition) -> StepCondition {
    StepCondition(step: condition.step, condition.outcome, isNegated: !condition.isNegated)
  }
}
