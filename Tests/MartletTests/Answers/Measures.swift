/// Tables whose queries once gave an answer that was not asked for.
import Foundation
import Martlet

enum Measures {
  @Table struct Measure: Equatable {
    let id: Int
    var kind = ""
    var value: Int?
    var fields = Fields()
    var updatedAt: Date?

    @Selection struct Fields: Equatable {
      var count = 1
      var limit = 2
    }
  }

  @Table struct Event: Equatable {
    let id: Int
    var name = ""
  }

  /// Fewer columns than the table has, and in another order.
  @Table("articles") struct Article: FTS5 {
    let body: String
    let title: String
  }

  @Table struct Moment: Equatable {
    let id: Int
    var text: Date
    @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
    @Column(as: Date.JulianDayRepresentation.self) var julian: Date
    var real: Double
    var amount: Decimal
    @Column(as: Decimal.TextRepresentation.self) var exact: Decimal
    var length: Duration
    @Column(as: Document.JSONRepresentation.self) var document: Document
  }

  @Selection struct Document: Codable, Equatable {
    var date: Date
    @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
    @Column(as: Date.JulianDayRepresentation.self) var julian: Date
    @Column(as: UUID.BytesRepresentation.self) var bytes: UUID
    @Column(as: UUID.UppercasedRepresentation.self) var upper: UUID
    var uuid: UUID
    @Column(as: Decimal.TextRepresentation.self) var exact: Decimal
    var real: Double
  }

  /// Initial values from which a type without parameters would be inferred.
  @Table struct Begun: Equatable {
    let id: Int
    var note = Optional("hi")
    var some = Optional.some(3)
    @Column(as: [Int].JSONRepresentation.self) var numbers = Array(repeating: 0, count: 2)
    @Column(as: Set<Int>.JSONRepresentation.self) var set = Set([1])
    var other = Optional<Int>(4)
  }

  static let script = """
    CREATE TABLE "measures" ("id" INTEGER PRIMARY KEY, "kind" TEXT NOT NULL DEFAULT '', "value" INTEGER, "count" INTEGER
    NOT NULL DEFAULT 1, "limit" INTEGER NOT NULL DEFAULT 2, "updatedAt" TEXT) STRICT;
    INSERT INTO "measures" ("id", "kind", "value") VALUES (1, 'a', NULL), (2, 'a', 5), (3, 'a', 7), (4, 'b', 3),
    (5, 'b', NULL), (6, 'c', NULL);
    CREATE TABLE "events" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE "articles" USING fts5("note" UNINDEXED, "title", "author", "body");
    INSERT INTO "articles" VALUES ('bird', 'a bird', 'bird', 'no'), ('n', 'no', 'no', 'bird bird and a bird'),
    ('n', 'no', 'bird', 'no');
    CREATE TABLE "moments" ("id" INTEGER PRIMARY KEY, "text" TEXT NOT NULL, "unix" INTEGER NOT NULL, "julian" REAL NOT
    NULL, "real" REAL NOT NULL, "amount" REAL NOT NULL, "exact" TEXT NOT NULL, "length" REAL NOT NULL, "document" TEXT
    NOT NULL) STRICT;
    """
}

extension Measures.Event.TableColumns {
  var shout: SQLQueryExpression<String> { name.upper() }
}
