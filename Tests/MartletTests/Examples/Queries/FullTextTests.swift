/// 002 "Full-Text Search (FTS5)".
///
/// Always true: the better a row matches, the more negative is its rank, so the best comes first in ascending order.
import Foundation
import Martlet
import Testing

@Suite struct FullTextSeedTests {
  @Table
  struct ReminderText: FTS5 {
    let rowid: Int
    let title: String
    let notes: String
    let tags: String
  }

  @Table
  struct ItemText: FTS5 {
    let rowid: Int
    let title: String
    let description: String
  }

  private let script = """
    CREATE VIRTUAL TABLE "itemTexts" USING fts5("title", "description");
    INSERT INTO "itemTexts" ("rowid", "title", "description") VALUES
      (1, 'A search engine', 'the search term appears in a search'), (2, 'A lamp', 'light'),
      (3, 'A long book about many other things than that', 'one search in it');
    """

  @Test(arguments: DatabaseHome.allCases)
  func `a migration makes the index`(home: DatabaseHome) throws {
    let database = try home.empty()
    var migrator = DatabaseMigrator()
    // Create FTS table in migration
    migrator.registerMigration("Create full-text search") { db in
      try #sql(
        """
        CREATE VIRTUAL TABLE "reminderTexts" USING fts5(
            "title", "notes", "tags",
            tokenize = 'trigram'
        )
        """
      )
      .execute(db)
    }
    try migrator.migrate(database)
    try database.write { db in
      try ReminderText.insert {
        ReminderText(rowid: 1, title: "Groceries", notes: "Milk", tags: "food")
        ReminderText(rowid: 2, title: "Run", notes: "", tags: "")
      }
      .execute(db)
      same(try ReminderText.where { $0.match("ceri") }.fetchAll(db).map(\.rowid), [1])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what matched is marked`(home: DatabaseHome) throws {
    let searchQuery = "search"
    try home.open(script).read { db in
      // Highlight search terms in results
      let results =
        try ItemText
        .where { $0.match(searchQuery) }
        .select {
          (
            $0.rowid,
            $0.title.highlight("<b>", "</b>"),  // <b>search</b> term
            $0.description.highlight("<mark>", "</mark>")
          )
        }
        .fetchAll(db)
      same(results.map { $0.0 }, [1, 3])
      same(results.first?.1, "A <b>search</b> engine")
      same(results.first?.2, "the <mark>search</mark> term appears in a <mark>search</mark>")

      // Extract snippets with context
      let snippets =
        try ItemText
        .where { $0.match(searchQuery) }
        .select {
          $0.description.snippet(
            "<b>", "</b>",  // highlight markers
            "...",  // ellipsis for truncation
            64  // max tokens
          )
        }
        .fetchAll(db)
      same(snippets, ["the <b>search</b> term appears in a <b>search</b>", "one <b>search</b> in it"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the best match comes last in descending order of bm25`(home: DatabaseHome) throws {
    let searchQuery = "search"
    try home.open(script).read { db in
      // The page says "most relevant first" of this; it is the other way round.
      let ranked =
        try ItemText
        .where { $0.match(searchQuery) }
        .order { $0.bm25().desc() }
        .select {
          ($0.title, $0.bm25())
        }
        .fetchAll(db)
      same(ranked.map { $0.0 }, ["A long book about many other things than that", "A search engine"])
      same(ranked.allSatisfy { ($0.1 ?? 0) < 0 }, true)
      let bestFirst = try ItemText.where { $0.match(searchQuery) }.order { $0.rank }.select(\.rowid).fetchAll(db)
      same(bestFirst, [1, 3])
    }
  }
}
