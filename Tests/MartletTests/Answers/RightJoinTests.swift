/// Row values beside joins that keep every row of their right side. SQLite 3.40 looks for them in an index only, and
/// the rows that have no partner are not there; what the builder and a tree write is asked of each row.
import Martlet
import Testing

@Suite struct RightJoinTests {
  @Table struct Thing {
    let id: Int
    var size: Int
  }

  @Table struct Box {
    let id: Int
    var label: String
  }

  private static let script = """
    CREATE TABLE things(id INTEGER PRIMARY KEY, size INTEGER NOT NULL);
    CREATE TABLE boxes(id INTEGER PRIMARY KEY, label TEXT NOT NULL);
    CREATE INDEX boxLabels ON boxes(label);
    INSERT INTO things VALUES (1, 10), (2, 20), (3, 30);
    INSERT INTO boxes VALUES (2, 'b'), (3, 'c'), (4, 'd');
    CREATE VIEW packed AS SELECT b.id, b.label FROM things t RIGHT JOIN boxes b ON t.id = b.id;
    """

  private func same(
    _ query: some Statement<Int>, _ expected: [Int], _ db: Database, at line: SourceLocation = #_sourceLocation
  ) throws {
    let found = try query.fetchAll(db)
    #expect(found == expected, "\(query.sql)", sourceLocation: line)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row value finds the rows that have no partner`(_ home: DatabaseHome) throws {
    try home.open(Self.script).read { db in
      let right = Thing.rightJoin(Box.all) { $0.id.eq($1.id) }
      let full = Thing.fullJoin(Box.all) { $0.id.eq($1.id) }
      try same(right.where { RowValue($1.label, $1.id).in([("d", 4)]) }.select { $1.id }, [4], db)
      try same(right.where { RowValue($1.label, $1.id).in([("d", 4), ("b", 2)]) }.select { $1.id }, [2, 4], db)
      try same(right.where { RowValue($0.id.is(nil), $1.id).in([(true, 4)]) }.select { $1.id }, [4], db)
      try same(full.where { RowValue($1.label ?? "", $1.id ?? 0).in([("d", 4)]) }.select { $1.id ?? 0 }, [4], db)
      let boxes = Box.select { ($0.label, $0.id) }
      try same(right.where { RowValue($1.label, $1.id).in(boxes) }.order { $1.id }.select { $1.id }, [2, 3, 4], db)
      let counted = right.group { ($1.id, $1.label) }.having { RowValue($1.label, $1.id).in([("d", 4)]) }
      try same(counted.select { $1.id }, [4], db)
      let within = right.where { RowValue($1.label, $1.id).in([("d", 4), ("c", 3)]) }.select { $1.id }
      try same(Box.where { $0.id.in(within) }.order(by: \.id).select(\.id), [3, 4], db)
      // Of a join that keeps no row of the right side the index answers.
      let inner = Thing.join(Box.all) { $0.id.eq($1.id) }.where { RowValue($1.label, $1.id).in([("c", 3)]) }
      try same(inner.select { $1.id }, [3], db)
      #expect(!inner.sql.contains("+(") && right.where { RowValue($1.label, $1.id).in([("c", 3)]) }.sql.contains("+("))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `of a view that holds such a join, and in SQL as text, SQLite itself answers`(_ home: DatabaseHome) throws {
    try home.open(Self.script).read { db in
      let lost = #sql("SELECT id FROM packed WHERE (label, id) IN (VALUES ('d', 4))", as: Int.self)
      let found = #sql("SELECT id FROM packed WHERE +((label, id) IN (VALUES ('d', 4)))", as: Int.self)
      #expect(try found.fetchAll(db) == [4])
      // A library that has been mended finds the row.
      let answer = try lost.fetchAll(db)
      #expect(answer == [] || answer == [4])
    }
  }
}
