/// Rows of values as a server sends them.
import MartletQuery
import MartletValues
import Testing

@testable import MartletDatabase

@Suite struct ValueRowsTests {
  /// A server that says what it likes.
  private final class Batches: BatchSource {
    private var left: [RowBatch]

    init(_ batches: [RowBatch]) { left = batches }

    func next() throws -> RowBatch? { left.isEmpty ? nil : left.removeFirst() }
    var resultColumns: [ResultColumns.Column] { [] }
    func abandon() { left = [] }
  }

  private func rows() -> ValueRows {
    ValueRows(.batches(Batches([RowBatch(rows: [[1, 2]], columnCount: 2), RowBatch(rows: [[3]], columnCount: 1)])))
  }

  @Test func `a row with fewer values than were asked for is an error`() throws {
    #expect(try rows().all(width: 1) == [[1, 2], [3]])
    let error = #expect(throws: (any Error).self) { try rows().all(width: 2) }
    #expect(error.map { "\($0)" }?.contains("answered something else") == true)
  }
}
