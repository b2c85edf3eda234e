/// Rows with more columns than a list has go in one by one, and come out as they were.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

struct WideRowTests {
  let shop: ServedShop
  var url: String { shop.url }
  private static let columns = 600

  init() throws { shop = try ServedShop("copy") }

  private var names: String { (1...Self.columns).map { "c\($0)" }.joined(separator: ", ") }

  @Test func `values of all types, NULLs at the end and given rowids come back`() async throws {
    let source = shop.folder.path + "/wide.sqlite"
    do {
      let file = try LocalFile(making: source)
      try file.execute(sql: "CREATE TABLE w(\(names))")
      try file.execute(sql: "CREATE TABLE k(id INTEGER PRIMARY KEY, \(names))")
      try file.execute(sql: "CREATE TABLE p(\(names), PRIMARY KEY (c1)) WITHOUT ROWID")
      for (rowid, first) in [(-7, "x'00ff'"), (900, "'a' || char(0) || 'b'"), (901, "-0.0"), (902, "9e999")] {
        try file.execute(sql: "INSERT INTO w(rowid, c1, c2, c599) VALUES (\(rowid), \(first), 'ä', x'')")
        try file.execute(sql: "INSERT INTO k(id, c600) VALUES (\(rowid), \(first))")
        try file.execute(sql: "INSERT INTO p(c1, c3) VALUES (\(first), \(rowid))")
      }
      try file.execute(sql: "INSERT INTO w(rowid) VALUES (5)")
      try file.commit()
    }
    let copy = shop.folder.path + "/copy.sqlite"
    let imported = try Martlet.run(["import", url, source])
    #expect(imported.status == 0 && imported.output.contains("13 rows in 3 tables"), "\(imported)")
    #expect(try Martlet.run(["export", url, copy]).status == 0)
    let before = try await TransferTests.contents(of: source)
    #expect(try await TransferTests.contents(of: copy) == before)
    #expect(try await TransferTests.contents(of: shop.server.directory + "/copy.sqlite") == before)
  }

  @Test func `a text that is not UTF-8 is told with its row, and nothing comes in`() throws {
    let source = shop.folder.path + "/latin.sqlite"
    let file = try LocalFile(making: source)
    try file.execute(sql: "CREATE TABLE w(\(names))")
    try file.execute(sql: "INSERT INTO w(c1) VALUES ('fine'), ('fine')")
    try file.execute(sql: "INSERT INTO w(c600) VALUES (CAST(x'e4' AS TEXT))")
    try file.commit()
    let refused = try Martlet.run(["import", url, source])
    #expect(refused.status == 1, "\(refused)")
    #expect(
      refused.complaint
        == "Error: w, row 3: A text is not UTF-8. Send such bytes as a blob. In the file, UPDATE … SET column = "
        + "CAST(column AS BLOB) makes one of it. Nothing was imported.\n",
      "\(refused.complaint)")
  }

  @Test func `a table of as many columns as there may be comes out without its rowids, and a note says so`() throws {
    let names = (1...2_000).map { "c\($0)" }.joined(separator: ", ")
    let make = "create table w(\(names)); insert into w(rowid, c1, c2000) values (7, 1, 'x'), (9, 2, 'y')"
    let made = try Martlet.run(["sql", "--create", url, make])
    try #require(made.status == 0, "\(made.complaint)")
    let note = "The rows of w get new rowids: the table has 2000 columns, and a statement names no more."
    let copy = shop.folder.path + "/copy.sqlite"
    let exported = try Martlet.run(["export", url, copy])
    #expect(exported.status == 0 && exported.complaint.contains("Note: \(note)"), "\(exported.complaint)")
    let file = try LocalFile(reading: copy)
    #expect(
      try file.rows(of: .select(["c1", "c2000"], from: .table("w")), []) == [[1, "x"], [2, "y"]])
    let dumped = try Martlet.run(["sql", url], input: ".dump\n")
    #expect(dumped.status == 0 && dumped.output.contains("-- \(note)\n"), "\(dumped.complaint)")
    let imported = try Martlet.run(["import", shop.server.url(database: "back"), copy])
    #expect(imported.status == 0 && imported.complaint.contains("Note: \(note)"), "\(imported.complaint)")
  }

  @Test func `exact CSV of wide rows comes back`() throws {
    try #require(
      try Martlet.run([
        "sql", "--create", url, "create table w(\(names)); insert into w(c1, c2, c3) values (1, x'00', '')",
      ])
      .status == 0)
    let path = shop.folder.path + "/w.csv"
    try #require(try Martlet.run(["export", url, path, "--table", "w", "--exact"]).status == 0)
    let back = try Martlet.run(["import", url, path, "--table", "w", "--exact", "--replace"])
    #expect(back.status == 0, "\(back)")
    let kinds = "select typeof(c1) || typeof(c2) || typeof(c3) || typeof(c600) from w"
    #expect(try shop.rows(kinds) == ["integerblobtextnull"])
  }
}
