/// Names in SQL: which may stand bare, and how the others are quoted.
///
/// Always true: what `isPlain` accepts holds no character that could end a token.
enum Identifier {
  /// An ASCII letter or underscore, then letters, digits and underscores.
  static func isPlain(_ name: String) -> Bool {
    var utf8 = name.utf8.makeIterator()
    guard let first = utf8.next(), isLetter(first) else { return false }
    while let byte = utf8.next() {
      guard isLetter(byte) || (0x30...0x39).contains(byte) else { return false }
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
  }

  /// Whether a function's name needs no quotes: plain, and no keyword except those that SQLite has functions of.
  static func mayBeBareFunction(_ name: String) -> Bool {
    isPlain(name) && !isKeyword(name) || functionsNamedAsKeywords.contains(name)
  }

  static func isKeyword(_ name: String) -> Bool {
    // No keyword is longer than CURRENT_TIMESTAMP.
    name.utf8.count <= 17 && keywords.contains(name.uppercased())
  }

  private static let functionsNamedAsKeywords: Set<String> = ["replace", "glob", "like", "match", "regexp"]

  private static let keywords: Set<String> = Set(
    """
    ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY
    CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE
    CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH
    ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL
    GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD
    INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL
    NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE
    RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
    SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING
    VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHIN WITHOUT
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
