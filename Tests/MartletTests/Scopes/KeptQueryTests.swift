/// A query that its table keeps goes behind conditions, orders, limits, groups, chosen columns and joins.
import Foundation
import Martlet
import Testing

@Suite struct KeptQueryTests {
  typealias Post = KeptQueries.Post
  typealias Folder = Notes.Folder

  private func check(_ trials: [HandTrial], _ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      for trial in trials {
        let (found, expected) = (try trial.run(db), try trial.byHand(db))
        let isEqual = trial.isSorted ? found == expected : found.sorted() == expected.sorted()
        #expect(isEqual, "\(trial.built)\ngave \(found)\nnot  \(expected)")
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a kept query adds its clauses to those before it`(_ home: DatabaseHome) throws {
    try check(KeptQueries.clauses, home)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a kept join goes behind clauses and behind other joins`(_ home: DatabaseHome) throws {
    try check(KeptQueries.joins, home)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a kept query has the default scope once, and none where it is unscoped`(_ home: DatabaseHome) throws {
    try check(KeptQueries.scoped, home)
  }

  @Test func `a kept query has the text that it has by hand`() {
    same(
      Post.where { $0.id > 1 }.order { $0.position }.limit(5).shown.withFolders.sql,
      Post.where { $0.id > 1 }.where { !$0.isDeleted }.group(by: \.id).order { $0.position }.limit(5)
        .leftJoin(Folder.all) { $0.id.eq($1.noteID) }.sql)
    let rows: Select<(Post, Folder), Tables2<Post, Folder>> = Post.byTitle.inFolders
    same(rows.sql, Post.byTitle.join(Folder.all) { $0.id.eq($1.noteID) }.sql)
    let kept: SelectOf<Post> = Post.limit(1).shown.byTitle
    same(kept.sql, Post.shown.byTitle.limit(1).sql)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what one statement cannot say of a kept query is refused`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      func refusal(_ statement: some Statement<Int>) -> String {
        let error = #expect(throws: QueryBindingFailure.self) { try statement.fetchAll(db) }
        return error?.description ?? ""
      }
      let limits = Post.limit(3).firstTwo
      #expect(refusal(limits.select(\.id)).contains("both have a limit"))
      same(try limits.limit(1).select(\.id).fetchAll(db).count, 1)
      let unscoped = Notes.Ordered.join(Folder.all) { $0.id.eq($1.noteID) }.archived
      #expect(refusal(unscoped.select(\.id)).contains("Begin with it"))
      let chosen = Notes.Limited.order(by: \.id).inFolders
      #expect(refusal(chosen.select(\.id)).contains("behind the kept query"))
      let custom = Post.select { _ in #sql("1, 'a', 0, 0, NULL", as: Post.self) }
      #expect(refusal(custom.inFolders.select(\.id)).contains("Choose them behind it"))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `whole rows that were chosen are joined as those of a query that chose none`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      let posts = Post.order(by: \.id).select { $0 }
      let pairs = try posts.join(Folder.all) { $0.id.eq($1.noteID) }.fetchAll(db)
      same(pairs.map { "\($0.0.id) \($0.1.id)" }, ["1 1", "3 2", "5 3"])
      let others = try Folder.join(posts) { $0.noteID.eq($1.id) }.fetchAll(db)
      same(others.map { "\($0.0.id) \($0.1.id)" }, ["1 1", "2 3", "3 5"])
      // The columns are those of the joined query, not the first ones of a row.
      same(try posts.join(Folder.select(\.noteID)) { $0.id.eq($1.noteID) }.fetchAll(db), [1, 3, 5])
      let both = try posts.join(Folder.select { $0 }) { $0.id.eq($1.noteID) }.fetchAll(db)
      same(both.map { "\($0.0.id) \($0.1.id)" }, ["1 1", "3 2", "5 3"])
    }
  }
}
