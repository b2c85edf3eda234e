internal import MartletValues

/// What a statement set a column to, or compared it with, as a line of the audit log shows it.
///
/// Always true: it is of a column that the operator has named; there are `AuditLimits.valuesMax` values at most.
struct AuditedValues: Sendable, Equatable {
  let column: AuditedColumn
  private(set) var values: [Value] = []
  /// Values that are not shown because there are too many.
  private(set) var moreCount = 0

  init(column: AuditedColumn) { self.column = column }

  /// About how much memory they take.
  var byteCount: Int {
    MemoryLayout<Self>.size + values.reduce(0) { $0 + MemoryLayout<Value>.stride + $1.byteCount }
  }

  /// In the order of the parameters. What the server takes from an earlier step of a batch is not known here.
  static func of(
    _ parameters: [StepParameter], standingFor columns: [ParameterColumn], asked: Set<AuditedColumn>
  ) -> [AuditedValues] {
    var found: [AuditedValues] = []
    guard !parameters.isEmpty else { return found }
    for entry in columns {
      let column = AuditedColumn(table: entry.table, column: entry.column)
      guard asked.contains(column), (1...parameters.count).contains(entry.parameter),
        case .value(let value) = parameters[entry.parameter - 1]
      else { continue }
      let index =
        found.firstIndex { $0.column == column }
        ?? {
          found.append(AuditedValues(column: column))
          return found.count - 1
        }()
      found[index].add(value, member: entry.member)
    }
    return found.filter { !$0.values.isEmpty }
  }

  private mutating func add(_ value: Value, member: Int) {
    guard case .rows(let rows) = value else { return add(value) }
    guard member < rows.columns.count else { return }
    let shown = min(rows.rowCount, max(0, AuditLimits.valuesMax - values.count))
    for row in 0..<shown { add((try? rows.columns[member].value(at: row)) ?? .null) }
    moreCount += rows.rowCount - shown
  }

  private mutating func add(_ value: Value) {
    guard values.count < AuditLimits.valuesMax else { return moreCount += 1 }
    // Of a long value only its beginning goes into the line, and nothing else is kept of it.
    switch value {
    case .text(let text) where text.unicodeScalars.count > AuditLimits.textScalarsMax:
      values.append(.text(String(String.UnicodeScalarView(text.unicodeScalars.prefix(AuditLimits.textScalarsMax + 1)))))
    case .blob(let blob): values.append(.blob(Array(blob.prefix(AuditLimits.textScalarsMax))))
    default: values.append(value)
    }
  }
}
