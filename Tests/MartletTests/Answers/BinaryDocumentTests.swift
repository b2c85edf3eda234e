/// Documents in SQLite's binary JSON, where the SQLite of the run has it: `scripts/newer-sqlite` runs them on one that
/// does.
import Foundation
import Martlet
import Testing

@Suite struct BinaryDocumentTests {
  @Table struct Paper: Equatable {
    let id: Int
    @Column(as: Page.JSONBRepresentation.self) var page: Page
    @Column(as: [String].JSONBRepresentation.self) var tags: [String] = []
    @Column(as: [Int].JSONBRepresentation?.self) var numbers: [Int]?
  }

  @Selection struct Page: Codable, Equatable {
    var title: String
    var count: Int?
    var ratio: Double
    var at: Date
  }

  static let isThere: Bool = {
    let version = try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
    let parts = (version ?? nil)?.split(separator: ".").compactMap { Int($0) } ?? []
    return parts.count == 3 && (parts[0], parts[1]) >= (3, 45)
  }()

  @Test func `a binary document is named where it is written and waited for`() {
    let page = Page(title: "a", count: 1, ratio: 0.5, at: Date(0))
    let insert = Paper.insert {
      ($0.id, $0.page, $0.tags)
    } values: {
      (1, page, ["x"])
    } onConflict: {
      $0.tags
    } doUpdate: {
      $0.numbers = nil
    }
    #expect(insert.sql.contains(#"("id", "page", "tags")"#) && insert.sql.contains(#"ON CONFLICT ("tags")"#))
    let one = Paper.createTrigger("t", after: .update(of: \.page) { _, _ in Paper.delete() })
    let all = Paper.createTrigger("t", after: .update(of: { ($0.page, $0.tags) }) { _, _ in Paper.delete() })
    #expect(one.sql.contains(#"AFTER UPDATE OF "page" ON"#))
    #expect(all.sql.contains(#"AFTER UPDATE OF "page", "tags" ON"#))
  }

  private static let script = """
    CREATE TABLE "papers" ("id" INTEGER PRIMARY KEY, "page" BLOB NOT NULL, "tags" BLOB NOT NULL, "numbers" BLOB) STRICT;
    """

  @Test(.enabled(if: isThere))
  func `binary documents come back as they were, and are found`() throws {
    var random = SplitMix(state: 7)
    let database = try DatabaseHome.embedded.open(Self.script)
    try database.write { db in
      for id in 1...200 {
        let paper = Paper(
          id: id,
          page: Page(
            title: "é\"\\\n\(id)", count: id.isMultiple(of: 3) ? nil : Int.random(in: .min ... .max, using: &random),
            ratio: Double.random(in: -1e9...1e9, using: &random),
            at: Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000)) + 0.061)),
          tags: (0..<random.below(4)).map { "t\($0)" }, numbers: id.isMultiple(of: 2) ? [id, -id] : nil)
        try Paper.insert { paper }.execute(db)
        same(try Paper.find(db, key: id), paper)
        same(try Paper.where { $0.page.eq(paper.page) && $0.tags.eq(paper.tags) }.select(\.id).fetchAll(db), [id])
      }
      same(try String.fetchSet(db, sql: "SELECT typeof(page) FROM papers"), ["blob"])
      same(try Paper.fetchCount(db), 200)
    }
  }

  @Test(.enabled(if: isThere))
  func `members of binary documents are read and changed`() throws {
    let database = try DatabaseHome.embedded.open(Self.script)
    let page = Page(title: "a", count: 1, ratio: 0.5, at: Date(0))
    try database.write { db in
      let first = Paper(id: 1, page: page, tags: ["x"], numbers: nil)
      try Paper.insert { first }.execute(db)
      let paper = Paper.find(1)
      same(try paper.select { $0.page.jsonExtract(\.title) }.fetchOne(db) ?? nil, "a")
      same(try paper.select { $0.tags.jsonArrayLength() }.fetchOne(db) ?? nil, 1)
      try paper.update {
        $0.page = $0.page.jsonbSet(\.title, "b")
        $0.tags = $0.tags.jsonbAppend("y")
        $0.numbers = [3, 4]
      }.execute(db)
      let changed = try paper.fetchOne(db)
      same(changed?.page.title, "b")
      same(changed?.page.at, page.at)
      same(changed?.tags, ["x", "y"])
      same(changed?.numbers, [3, 4])
      same(try Paper.select { $0.tags.jsonArrayLength() }.fetchOne(db) ?? nil, 2)
      try paper.update { $0.numbers = nil }.execute(db)
      same(try Paper.where { $0.numbers.is(nil) }.fetchCount(db), 1)
      same(try String.fetchSet(db, sql: "SELECT typeof(page) || typeof(tags) FROM papers"), ["blobblob"])
    }
  }
}
