/// Rows of megabytes come out of a database whole, and one that is too long is named.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct LongRowExportTests {
  let shop: ServedShop
  var url: String { shop.url }

  init() throws { shop = try ServedShop("long") }

  private func expectNamed(_ run: Martlet.Outcome, _ location: SourceLocation = #_sourceLocation) {
    #expect(run.status == 1, sourceLocation: location)
    #expect(
      run.complaint.contains("t, row 1001: A value that the statement reads or makes has more than"),
      "\(run.complaint)", sourceLocation: location)
  }

  @Test func `a row that was made longer than what a client sends is read, exported and dumped`() throws {
    let make = "create table t(id integer primary key, b); insert into t(b) values (zeroblob(2600000))"
    try #require(try Martlet.run(["sql", "--create", url, make]).status == 0)
    let grown = try Martlet.run(["sql", url, "update t set b = zeroblob(2 * length(b))"])
    #expect(grown.status == 0, "\(grown.complaint)")
    let read = try Martlet.run(["sql", url, "select * from t", "--format", "csv"])
    #expect(read.status == 0 && read.output.utf8.count > 5_200_000, "\(read.complaint)")
    let copy = shop.folder.path + "/copy.sqlite"
    let exported = try Martlet.run(["export", url, copy])
    #expect(exported.status == 0, "\(exported.complaint)")
    let dumped = try Martlet.run(["sql", url], input: ".dump\n")
    #expect(dumped.status == 0 && dumped.output.hasSuffix("COMMIT;\n"), "\(dumped.complaint)")
    // And it can be sent back.
    let imported = try Martlet.run(["import", shop.server.url(database: "back"), copy])
    #expect(imported.status == 0, "\(imported.complaint)")
  }

  @Test func `a value that another program made too long is told with its table and its row`() throws {
    do {
      let file = try LocalFile(making: shop.server.directory + "/long.sqlite")
      try file.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, b)")
      let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
      try file.execute(sql: "\(numbers) INSERT INTO t SELECT i, 'row ' || i FROM n")
      try file.execute(sql: "INSERT INTO t VALUES (1001, zeroblob(10000000)), (1002, 'last')")
      try file.commit()
    }
    let copy = shop.folder.path + "/copy.sqlite"
    expectNamed(try Martlet.run(["export", url, copy]))
    #expect(!FileManager.default.fileExists(atPath: copy))
    expectNamed(try Martlet.run(["export", url, shop.folder.path + "/t.csv", "--table", "t"]))
    expectNamed(try Martlet.run(["sql", url], input: ".dump\n"))
  }
}
