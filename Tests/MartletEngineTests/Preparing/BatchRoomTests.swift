/// The room that a batch makes for the next one: no value depends on it, and little memory is held for nothing.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct BatchRoomTests {
  private func batches(_ fixture: ReadFixture, _ sql: String) throws -> [RowBatch] {
    let (token, _) = try fixture.start(sql)
    let outcome = fixture.sink.outcome(of: token)
    #expect(outcome.error == nil, "\(sql)")
    return fixture.sink.events(of: token).compactMap { if case .rows(let rows) = $0 { rows } else { nil } }
  }

  private static func counted(_ value: String, upTo count: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i, \(value) FROM n"
  }

  @Test func `batches whose rows change their size and their kind hold what SQLite returned`() throws {
    let fixture = try ReadFixture()
    for value in [
      "printf('%.*c', i % 97, 'x')",
      "CASE WHEN i % 2000 < 1000 THEN i ELSE printf('%.*c', 60, 'y') END",
      "CASE i / 3000 WHEN 0 THEN NULL WHEN 1 THEN i * 0.5 WHEN 2 THEN zeroblob(i % 50) ELSE 'é' || i END",
      "iif(i % 500 = 0, printf('%.*c', 200000, 'z'), i)",
    ] {
      let all = try batches(fixture, Self.counted(value, upTo: 12_000))
      let one = try all.flatMap { batch in try (0..<batch.rowCount).map { try batch.row($0) } }
      #expect(all.count > 2 && one.count == 12_000, "\(value)")
      // The same rows, each by itself, which leaves no room behind.
      for i in stride(from: 1, through: 12_000, by: 397) {
        let alone = try batches(fixture, "SELECT i, \(value) FROM (SELECT \(i) AS i)")
        #expect(try alone.first?.row(0) == one[i - 1], "\(value), row \(i)")
      }
    }
  }

  @Test func `the arrays of a batch are hardly larger than what they hold`() throws {
    let fixture = try ReadFixture()
    let all = try batches(fixture, Self.counted("printf('%.*c', 40 + i % 7, 'x')", upTo: 30_000))
    for batch in all.dropFirst().dropLast() {
      for column in batch.columns {
        #expect(column.integers.capacity <= column.integers.count * 5 / 4 + 64)
        #expect(column.data.capacity <= column.data.count * 5 / 4 + 64)
      }
    }
    #expect(all.count > 5)
  }

  @Test func `a large row makes no room for small ones`() throws {
    let fixture = try ReadFixture()
    let all = try batches(fixture, Self.counted("iif(i % 9000 = 1, printf('%.*c', 1000000, 'x'), 'y')", upTo: 20_000))
    let small = all.filter { $0.byteCount < 200_000 }
    #expect(small.count > 1)
    for batch in small { #expect(batch.columns.allSatisfy { $0.data.capacity < 400_000 }) }
  }
}
