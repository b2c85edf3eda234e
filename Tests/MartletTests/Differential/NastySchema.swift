/// The tables that random statements read: names that need quoting, values that break naive code.
///
/// Always true: texts are valid UTF-8, and bytes that are not valid UTF-8 stand only in columns that are never read
/// as text.
import Martlet
import MartletAST

@Table("odd \"table\"; --")
struct Odd {
  @Column("select") let id: Int
  @Column("na\"me'") var name: String?
  @Column("größe 🦅") var size: Int?
  @Column("any value") var mixed: String?
  @Column("x.y") var ratio: Double?
  @Column("is`it") var flag: Bool
  @Column("b[lob]") var bytes: [UInt8]?
}

@Table("group")
struct Keyed {
  let id: ID
  @Column("order") var rank: Int
  @Column("TABLE") var label: String?
  @Column("limit") var weight: Double

  @Selection
  struct ID: Hashable {
    @Column("left") var left: Int
    @Column("Right ") var right: String
  }
}

@Table("leer")
struct Empty {
  let id: Int
  var text: String
  var real: Double?
  var flag: Bool?
}

@Table("values")
struct PlainTable {
  let id: Int
  @Column("oddID") var oddID: Int?
  @Column("naïve") var title: String
  @Column("from") var low: Int
  @Column("to") var high: Int?
  @Column("data") var bytes: [UInt8]?
}

/// The rows of common tables.
@Selection
struct Triple {
  @Column("a b") var number: Int?
  @Column("\"") var text: String?
  @Column("null") var real: Double?
}

@Selection
struct Step {
  @Column("with") var depth: Int?
  @Column("recursive") var path: String?
}

enum NastySchema {
  static let statements = [
    """
    CREATE TABLE "odd ""table""; --" ("select" INTEGER PRIMARY KEY, "na""me'" TEXT COLLATE NOCASE, "größe 🦅" INTEGER,
    "any value", "x.y" REAL, "is`it" INTEGER NOT NULL DEFAULT 0, "b[lob]" BLOB)
    """,
    "CREATE INDEX \"by name\" ON \"odd \"\"table\"\"; --\" (\"na\"\"me'\", \"any value\" DESC)",
    """
    INSERT INTO "odd ""table""; --" VALUES (-9223372036854775808, 'Ä', 9223372036854775807, 12, 1e308, 1, x''),
    (-1, '', -9223372036854775808, 'twelve', -0.0, 0, x'00'), (0, NULL, 0, NULL, 0.1, 1, x'00ff00'),
    (1, 'abc', 1, 1.5, NULL, 0, NULL), (2, 'ABC', 2, x'616200', -1.5, 1, x'616263'),
    (3, 'a%_b\\', NULL, '', 2.5, 0, x'c328'), (9223372036854775807, 'null' || char(0) || 'byte', 64, ' 7 ', 9e999, 1,
    x'ffffffff'), (10, '🦅🇦🇹e' || char(769), -1, '9223372036854775808', 1e-300, 0, x'31')
    """,
    """
    CREATE TABLE "group" ("left" INTEGER NOT NULL, "Right " TEXT NOT NULL COLLATE RTRIM, "order" INTEGER NOT NULL,
    "TABLE" TEXT, "limit" REAL NOT NULL, PRIMARY KEY ("left", "Right " DESC)) WITHOUT ROWID, STRICT
    """,
    """
    INSERT INTO "group" VALUES (1, 'a', 1, 'abc', 1.0), (1, 'b', 1, 'ABC', -2.5), (2, '', 2, NULL, 0.0),
    (2, 'a  x', 3, 'x', 3.25), (3, 'Ä', 1, '', 1e10), (-5, 'z', -9223372036854775808, 'a', 0.5)
    """,
    "CREATE TABLE \"leer\" (\"id\" INTEGER PRIMARY KEY, \"text\" TEXT NOT NULL, \"real\" REAL, \"flag\" INTEGER) STRICT",
    """
    CREATE TABLE "values" ("id" INTEGER PRIMARY KEY, "oddID" INTEGER, "naïve" TEXT NOT NULL, "from" INTEGER NOT NULL,
    "to" INTEGER, "data" BLOB)
    """,
    """
    INSERT INTO "values" VALUES (1, 1, 'one', 0, 10, x'01'), (2, 1, 'two', 5, NULL, NULL), (3, 2, 'Two', 5, 5, x''),
    (4, NULL, '', -3, 3, x'0100'), (5, 99, 'one', 1, 1, x'ff'), (6, 0, 'tWo ', 2, 0, NULL), (7, 3, 'ß', 7, 8, x'7a')
    """,
  ]
}
