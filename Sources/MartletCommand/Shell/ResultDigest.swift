import MartletValues

/// What a statement has shown so far: its columns and rows as a number, so that another run can be compared with it.
///
/// Always true: the same columns and rows in the same order have the same digest in this process, however they are cut
/// into batches.
struct ResultDigest: Equatable, Sendable {
  private(set) var rows = 0
  private var hash = 0

  mutating func begin(columns: [String]) { hash = Self.hash(of: columns) }

  mutating func append(_ batch: RowBatch) {
    for row in 0..<batch.rowCount {
      var hasher = Hasher()
      hasher.combine(hash)
      for column in batch.columns { Self.combine(column, row, into: &hasher) }
      hash = hasher.finalize()
      rows += 1
    }
  }

  /// Rows that nobody will compare.
  mutating func count(_ batch: RowBatch) { rows += batch.rowCount }

  private static func hash(of columns: [String]) -> Int {
    var hasher = Hasher()
    hasher.combine(columns)
    return hasher.finalize()
  }

  private static func combine(_ column: ColumnValues, _ row: Int, into hasher: inout Hasher) {
    switch column.kind(at: row) {
    case .null, .mixed: hasher.combine(0)
    case .integer:
      hasher.combine(1)
      hasher.combine(column.integers[row])
    case .real:
      hasher.combine(2)
      hasher.combine(column.reals[row].bitPattern)
    case .text: combine(3, column, row, into: &hasher)
    case .blob: combine(4, column, row, into: &hasher)
    }
  }

  private static func combine(_ kind: Int, _ column: ColumnValues, _ row: Int, into hasher: inout Hasher) {
    let range = column.range(at: row)
    hasher.combine(kind)
    hasher.combine(range.count)
    column.data.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}
