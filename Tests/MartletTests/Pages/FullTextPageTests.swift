/// The examples of docs/FULLTEXT.md, as they stand there.
import Foundation
import Martlet
import Testing

@Suite struct FullTextPageTests {
  @Table
  struct Recipe: Identifiable {
    let id: Int
    var title = ""
    var steps = ""
  }

  @Table
  struct RecipeText: FTS5 {
    let rowid: Int
    let title: String
    let steps: String
  }

  @Test func `the page shows nothing that this test does not run`() throws {
    try PageText("FULLTEXT.md").expectAll(in: #filePath)
  }

  @Test(arguments: DatabaseHome.allCases, ["appl", "don't \"", "APPLE pie"])
  func `words are found in texts that change`(home: DatabaseHome, typed: String) throws {
    let database = try home.empty()
    try database.write { db in
      try Recipe.createTable().execute(db)
      try RecipeText.createTable(
        tokenize: .porter(.unicode61(diacritics: .remove)), content: .table(Recipe.self, rowID: \.id), prefix: [2, 3]
      )
      .execute(db)
      for trigger in RecipeText.synchronizingTriggers(with: Recipe.self, rowID: \.id) {
        try trigger.execute(db)
      }
      try Recipe.insert {
        Recipe(id: 1, title: "Crumble", steps: "Cut the apples, and do not peel them. Bake.")
        Recipe(id: 2, title: "Apple pie", steps: "Roll the dough.")
        Recipe(id: 3, title: "Soup", steps: "Boil.")
      }
      .execute(db)
    }
    try database.read { db in
      let found =
        try RecipeText
        .where { $0.match(.allPrefixes(in: typed)) }
        .order { $0.bm25([\.title: 10]) }
        .limit(20)
        .select { ($0.rowid, $0.steps.snippet("<b>", "</b>", "…", 16)) }
        .fetchAll(db)
      #expect(found.map { $0.0 } == ["appl": [2, 1], "don't \"": [], "APPLE pie": [2]][typed])
      if typed == "appl" { #expect(found.last?.1?.contains("<b>apples</b>") == true) }
      let recipes =
        try Recipe
        .join(RecipeText.matching("apple")) { $0.id.eq($1.rowid) }
        .select { recipe, _ in recipe }
        .fetchAll(db)
      #expect(Set(recipes.map(\.title)) == ["Crumble", "Apple pie"])
    }
    try database.write { db in
      try RecipeText.optimize().execute(db)
      try RecipeText.integrityCheck(comparingContent: true).execute(db)
      try RecipeText.rebuild().execute(db)
    }
  }
}
