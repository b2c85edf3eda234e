/// Dumps that are written in part, and those that were written of a file that could not be read to its end.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct DumpTests {
  let shop: ServedShop
  var url: String { shop.url }

  init() throws { shop = try ServedShop(making: "create table t(a integer primary key, b)") }

  @Test func `a dump takes patterns of names`() throws {
    let made = "create table albums(a); create table alb(a); create table other(a); insert into alb values (1)"
    try #require(try Martlet.run(["sql", url, made]).status == 0)
    let some = try Martlet.run(["sql", url, ".dump 'ALB%'"])
    #expect(some.status == 0 && some.output.contains("TABLE albums") && some.output.contains("INTO \"alb\""), "\(some)")
    #expect(!some.output.contains("other") && !some.output.contains("TABLE t("))
    #expect(try Martlet.run(["sql", url, ".dump 'no%'"]).status == 1)
  }

  @Test func `a dump takes the name of a view`() throws {
    try #require(try Martlet.run(["sql", url, "create view v1 as select a from t"]).status == 0)
    let dump = try Martlet.run(["sql", url, ".dump v1"])
    #expect(dump.status == 0 && dump.output.contains("CREATE VIEW v1 as select a from t;"), "\(dump)")
    #expect(!dump.output.contains("CREATE TABLE"))
  }

  @Test(
    arguments: [
      "INSERT INTO u VALUES(1);\nROLLBACK; -- due to errors\n",
      "/****** CORRUPTION ERROR *******/\n/****** database disk image is malformed ******/\nINSERT INTO u VALUES(2);\n"
        + "COMMIT;\n",
      "/**** ERROR: (11) database disk image is malformed *****/\nCOMMIT;\n",
      // Its rows would come to those that are there, statement by statement.
      "CREATE TABLE IF NOT EXISTS t(a, b);\nINSERT INTO t VALUES(1,1);\nROLLBACK; -- due to errors\n",
    ])
  func `of the dump of a damaged file nothing is kept, and it is said why`(end: String) throws {
    let dump = "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE u(a);\n" + end
    for options in [[], ["--keep-going"]] {
      let outcome = try Martlet.run(["sql", url] + options, input: dump + "select 'behind';\n")
      #expect(outcome.status == 1 && outcome.output.contains("behind") == !options.isEmpty, "\(outcome)")
      #expect(
        outcome.complaint.contains("SQLite's shell met damage in the file while it wrote this dump"),
        "\(outcome.complaint)")
      #expect(try shop.rows("select name from sqlite_schema where name in ('t', 'u')") == ["t"])
      #expect(try shop.rows("select a from t").isEmpty)
    }
    // In a text, and in a script that is no dump, the line says nothing.
    let text = "/****** CORRUPTION ERROR *******/\ninsert into t values (1, '\n/****** CORRUPTION ERROR *******/\n');\n"
    let outcome = try Martlet.run(["sql", url], input: text)
    #expect(outcome.status == 0, "\(outcome.complaint)")
  }
}
