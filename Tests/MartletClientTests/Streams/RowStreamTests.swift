/// What a task reads of a result, and when it stops.
import MartletValues
import Testing

@testable import MartletClient

@Suite struct RowStreamTests {
  private let layout = ColumnLayout(ResultColumns(columns: [.init(name: "n")]))

  private func stream(pages: ClosedRange<Int64>) -> RowStream {
    let stream = RowStream(isQuery: true)
    for number in pages {
      stream.receive(.rows(step: 0, RowBatch(rows: [[.integer(number)]], columnCount: 1), layout))
    }
    return stream
  }

  @Test func `a task that is cancelled gets no more rows, though they are there already`() async throws {
    let stream = stream(pages: 1...100)
    let task = Task {
      var pages = 0
      while try await stream.next() != nil {
        pages += 1
        // Rows come faster than they are read, so the task never waits for any.
        if pages == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        if pages > 50 { break }
      }
      return pages
    }
    await #expect(throws: (any Error).self) { try await task.value }
    stream.receive(.rows(step: 0, RowBatch(rows: [[.integer(101)]], columnCount: 1), layout))
    await #expect(throws: (any Error).self) { try await stream.next() }
  }

  @Test func `rows that came before the end are read before an error is told`() async throws {
    let stream = stream(pages: 1...2)
    stream.receive(.failed(step: 0, .cancelled))
    #expect(try await stream.next() != nil)
    #expect(try await stream.next() != nil)
    await #expect(throws: (any Error).self) { try await stream.next() }
  }
}
