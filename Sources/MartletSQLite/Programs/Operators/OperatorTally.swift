/// What operators cost, by what they go through.
///
/// Always true: an operator on a value of which nobody knows where it is from counts for all.
struct OperatorTally {
  /// Each program of a statement numbers its cursors anew.
  struct Cursor: Hashable {
    let program: Int
    let number: Int
  }

  /// A column or a parameter.
  enum Origin: Hashable {
    case column(cursor: Cursor, Int)
    /// Of a virtual table, which makes each for itself.
    case made(cursor: Cursor, Int)
    /// Of a trigger's rows, the old one and the new one.
    case ofRow(Int)
    case parameter(Int)

    var isBound: Bool { group == nil }

    /// Values of one group are no longer together than a row may be.
    fileprivate enum Group: Hashable {
      case row(cursor: Cursor)
      case rowsOfTrigger
      case value(cursor: Cursor, Int)
    }

    /// What an instruction reads from a row or a parameter, and the register into which it puts that.
    static func read(by instruction: Instruction, inProgram number: Int) -> (origin: Origin, register: Int)? {
      let (first, second, third) = (instruction.first, instruction.second, instruction.third)
      switch instruction.name {
      case "Variable": return (.parameter(first), second)
      case "Column": return (.column(cursor: Cursor(program: number, number: first), second), third)
      case "VColumn": return (.made(cursor: Cursor(program: number, number: first), second), third)
      case "Param": return (.ofRow(first), second)
      default: return nil
      }
    }

    fileprivate var group: Group? {
      switch self {
      case .column(let cursor, _): .row(cursor: cursor)
      case .made(let cursor, let column): .value(cursor: cursor, column)
      case .ofRow: .rowsOfTrigger
      case .parameter: nil
      }
    }
  }

  private var parts: [Origin: Int] = [:]
  private var (storedParts, allParts) = (0, 0)
  /// Of operators whose values have no known origin.
  private var (otherStoredParts, otherParts) = (0, 0)

  /// `cost` in parts of an operator.
  mutating func add(_ cost: Int, isBound: Bool, of origins: Set<Origin> = []) {
    if !isBound { storedParts += cost }
    allParts += cost
    if origins.isEmpty {
      otherParts += cost
      if !isBound { otherStoredParts += cost }
    }
    for origin in origins { parts[origin, default: 0] += cost }
  }

  /// Takes in what another one has counted.
  mutating func add(_ other: OperatorTally) {
    storedParts += other.storedParts
    allParts += other.allParts
    otherStoredParts += other.otherStoredParts
    otherParts += other.otherParts
    parts.merge(other.parts, uniquingKeysWith: +)
  }

  private static func operators(_ parts: Int) -> Int {
    (parts + SQLiteLimits.operatorParts - 1) / SQLiteLimits.operatorParts
  }

  /// Operators on stored values, and on all.
  var stored: Int { Self.operators(storedParts) }
  var all: Int { Self.operators(allParts) }

  /// Operators that go through one byte of the rows that are read at a time.
  var onRow: Int { Self.operators(otherStoredParts + rowParts) }

  /// The same, and those that go through one byte of a message's values.
  var onMessage: Int {
    Self.operators(otherParts + rowParts + (parts.filter { $0.key.group == nil }.values.max() ?? 0))
  }

  private var rowParts: Int {
    var most: [Origin.Group: Int] = [:]
    // A trigger has two rows.
    var second = 0
    for (origin, count) in parts {
      guard let group = origin.group else { continue }
      let before = most[group] ?? 0
      if group == .rowsOfTrigger { second = max(second, min(before, count)) }
      most[group] = max(before, count)
    }
    return most.values.reduce(second, +)
  }
}
