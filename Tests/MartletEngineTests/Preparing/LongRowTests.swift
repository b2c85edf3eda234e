/// Rows of megabytes: what SQLite stores can be read, and a result that is longer says what to select in its place.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LongRowTests {
  private func outcome(_ sql: String, in fixture: ReadFixture) throws -> CollectingSink.Outcome {
    fixture.sink.outcome(of: try fixture.start(sql).token)
  }

  @Test func `the longest row that SQLite stores is read`() throws {
    let fixture = try ReadFixture()
    // The rest of the row has a few bytes.
    let length = fixture.limits.valueBytesMax - 32
    try fixture.run("INSERT INTO items(id, title) VALUES (1, zeroblob(\(length)))")
    let read = try outcome("SELECT * FROM items", in: fixture)
    #expect(read.error == nil && read.rows.count == 1, "\(String(describing: read.error))")
    guard case .blob(let bytes)? = read.rows.first?[1] else {
      Issue.record("there is no blob")
      return
    }
    #expect(bytes.count == length)
  }

  @Test func `a row that is longer than a frame, and a value that is too long, say what to select`() throws {
    let fixture = try ReadFixture()
    try fixture.run("INSERT INTO items(id, title) VALUES (1, zeroblob(4000000))")
    let row = try #require(try outcome("SELECT title, title FROM items", in: fixture).error)
    #expect(row.reason == .limit && row.code == .resourceExhausted && !row.isRetryable)
    #expect(row.message.hasPrefix("A row of the result has 8000016 bytes, and may have \(fixture.limits.rowBytesMax)."))
    #expect(row.message.hasSuffix("Select fewer columns, or parts of long values with substr()."))
    let value = try #require(try outcome("SELECT zeroblob(6000000)", in: fixture).error)
    #expect(value.reason == .limit && value.code == .resourceExhausted && value.sqliteCode != 0)
    #expect(value.message.contains("has more than \(fixture.limits.valueBytesMax) bytes: string or blob too big."))
    #expect(value.message.hasSuffix("Select other columns, or leave its row out."))
  }
}
