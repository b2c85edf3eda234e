/// Texts that are not UTF-8 are copied byte by byte, out of a database that holds them.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

struct AnyTextTests {
  let shop: ServedShop
  var url: String { shop.url }

  /// Some in each of several batches, in two columns, beside blobs of the same bytes and in a table of another kind.
  private static let script = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b, c);
    CREATE TABLE k(name TEXT PRIMARY KEY, n) WITHOUT ROWID;
    INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
      SELECT i, 'row ' || i, i * 1.5, NULL FROM n;
    UPDATE t SET a = CAST(x'61ff62' AS TEXT) WHERE id IN (1, 2500, 6000);
    UPDATE t SET b = CAST(x'e4' AS TEXT), c = x'e4' WHERE id IN (4000, 5999);
    INSERT INTO k VALUES (CAST(x'fffe' AS TEXT), 1), ('plain', CAST(x'80' AS TEXT));
    """

  init() throws { shop = try ServedShop("any") }

  private static let look = """
    SELECT id, hex(a), typeof(a), hex(b), typeof(b), hex(c), typeof(c) FROM t WHERE id IN (1, 2, 2500, 4000, 5999, 6000)
      UNION ALL SELECT 0, hex(name), typeof(name), hex(n), typeof(n), count(*) OVER (), '' FROM k;
    SELECT count(*), count(DISTINCT id), sum(length(CAST(a AS BLOB))), total(b) FROM t;
    """

  private func look(at database: String) throws -> String {
    let shown = try Martlet.run(["sql", database, Self.look])
    #expect(shown.status == 0, "\(shown)")
    return shown.output
  }

  @Test func `an exported file has the texts of its database`() throws {
    try #require(try Martlet.run(["sql", "--create", url, Self.script]).status == 0)
    let copy = shop.server.directory + "/copied.sqlite"
    let exported = try Martlet.run(["export", url, copy])
    #expect(exported.status == 0 && exported.output.contains("6,002 rows"), "\(exported)")
    #expect(try look(at: shop.server.url(database: "copied")) == look(at: url))
  }

  @Test func `a dump has the texts of its database`() throws {
    try #require(try Martlet.run(["sql", "--create", url, Self.script]).status == 0)
    let dump = try Martlet.run(["sql", url, ".dump"])
    #expect(dump.status == 0 && dump.output.contains("CAST(X'61ff62' AS TEXT)"), "\(dump.complaint)")
    #expect(dump.output.components(separatedBy: "INSERT INTO \"t\"").count == 6_001)
    let texts = dump.output.components(separatedBy: "CAST(X'").count - 1
    #expect(texts == 7, "\(texts)")
  }

  @Test func `where a text cannot be copied, the table and the column are named`() throws {
    try #require(try Martlet.run(["sql", "--create", url, Self.script]).status == 0)
    let text = try Martlet.run(["export", url, shop.folder.path + "/t.csv", "--table", "t"])
    #expect(text.status == 1 && text.complaint.contains("Column") && text.complaint.contains("(a)"), "\(text)")
  }
}
