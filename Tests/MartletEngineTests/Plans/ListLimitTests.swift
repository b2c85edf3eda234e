/// Lists and bulk rows have limits of their own, which the engine checks before SQLite sees a value.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ListLimitTests {
  private static let select = Trees.bytes(
    .select {
      $0.columns = [.expression(.column("a"))]
      $0.from = .table("t")
      $0.where = .call(.in, .column("a"), .listParameter(1))
    })

  @Test func `a list of a million values is refused with the limit, by readers and by the writer`() throws {
    let base = try TemporaryDatabase()
    try base.sql("CREATE TABLE t(a, b)")
    let million = Value.rows(Self.integers(1_000_000))
    let delete = Trees.bytes(
      .delete(from: "t") { $0.where = .call(.in, .column("a"), .listParameter(1)) })
    for statement in [Self.select, delete, Trees.insertRows("t", ["a"])] {
      let error = base.result(statement, [million]).error
      #expect(error?.code == .resourceExhausted && error?.reason == .limit)
      #expect(error?.message == "Parameter 1 has more than 100000 rows. Send them in several requests.")
      #expect(base.result(statement, [.rows(Self.integers(100_000))]).error == nil)
    }
    #expect(try base.sql("SELECT count(*) FROM t").rows == [[100_000]])
  }

  @Test func `bulk rows of several columns have the larger limit`() throws {
    let base = try TemporaryDatabase { $0.limits.bulkRowsMax = 1_000 }
    try base.sql("CREATE TABLE t(a, b)")
    let insert = Trees.insertRows("t", ["a", "b"])
    let error = base.result(insert, [.rows(Self.integers(1_001, columns: 2))]).error
    #expect(error?.reason == .limit && error?.message.contains("more than 1000 rows") == true)
    #expect(try base.run(insert, [.rows(Self.integers(1_000, columns: 2))]).completion?.rowsChanged == 1_000)
  }

  private static func integers(_ count: Int, columns: Int = 1) -> RowBatch {
    RowBatch(rows: (0..<count).map { Array(repeating: .integer(Int64($0)), count: columns) }, columnCount: columns)
  }
}
