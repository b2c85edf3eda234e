import MartletValues

/// Batches of rows that a paused stream keeps for its client while others use its connection.
///
/// Always true: they leave in the order in which they came.
struct RowCopy: Sendable {
  private var batches: [RowBatch] = []
  private var next = 0
  private(set) var byteCount = 0

  mutating func keep(_ rows: RowBatch) {
    batches.append(rows)
    byteCount += rows.byteCount
  }

  /// The batch that is next; nil if there is none left.
  mutating func take() -> RowBatch? {
    guard next < batches.count else { return nil }
    let rows = batches[next]
    batches[next] = RowBatch()
    next += 1
    byteCount -= rows.byteCount
    return rows
  }

  /// Drops what is left and returns how many bytes that was.
  mutating func removeAll() -> Int {
    defer { self = RowCopy() }
    return byteCount
  }
}
