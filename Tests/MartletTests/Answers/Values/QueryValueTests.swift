/// Queries of one column where a value stands: as sets, and as one value.
import Martlet
import Testing

@Suite struct QueryValueTests {
  @Table struct Note: Equatable {
    let id: Int
    var rank = 0
    var title = ""
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
  }

  @Table("shelves") struct Shelf { let id: Int }

  private func database() throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { db in
      try Note.createTable().execute(db)
      try Shelf.createTable().execute(db)
      try Note.insert {
        Note(id: 1, rank: 5, title: "one", tags: ["x", "y"])
        Note(id: 2, rank: 9, title: "two")
        Note(id: 3, rank: 2, title: "three", tags: ["yes"])
      }.execute(db)
      try Shelf.insert { for id in 1...3 { Shelf(id: id) } }.execute(db)
    }
    return database
  }

  @Test func `a text is looked for among all values of a query`() throws {
    try database().read { db in
      let tagged = try Note.where { $0.tags.jsonEach().select(\.value).contains("y") }.select(\.id).fetchAll(db)
      #expect(tagged == [1])
      let titles = Note.order(by: \.id).select(\.title)
      func holds(_ condition: SQLQueryExpression<Bool>) throws -> Bool {
        try Shelf.find(1).select { _ in condition }.fetchOne(db) ?? false
      }
      #expect(try holds(titles.contains("two")) && holds(titles.contains("a two".suffix(3))))
      #expect(try !holds(titles.contains("on")) && !holds(titles.contains("one%")))
      let both = titles.union(Note.select { $0.title + "!" })
      #expect(try holds(both.contains("two!")) && !holds(both.contains("o")))
      let shelves = Note.where { $0.rank > 4 }.select(\.id).union(Note.where { $0.id > 2 }.select(\.rank))
      #expect(try Shelf.where { shelves.contains($0.id) }.order(by: \.id).select(\.id).fetchAll(db) == [1, 2])
      // Of a column, and of what is calculated, it is a part of the text.
      #expect(try Note.where { $0.title.contains("w") }.select(\.id).fetchAll(db) == [2])
      #expect(try Note.where { ($0.title + "!").contains("o!") }.select(\.id).fetchAll(db) == [2])
      #expect(try Note.where { $0.title.upper().contains("THR".dropFirst()) }.select(\.id).fetchAll(db) == [3])
    }
  }

  @Test func `an aggregate of a query is refused where the query may have several rows`() throws {
    let queries: [any Statement] = [
      Shelf.select { _ in Note.select(\.rank).max() }, Shelf.select { _ in Note.select(\.rank).sum() },
      Shelf.select { _ in Note.where { $0.id > 1 }.select { $0.rank * 2 }.min() },
      Shelf.select { _ in Note.select(\.rank).avg() }, Shelf.select { _ in Note.select(\.rank).total() },
      Shelf.select { _ in Note.select(\.title).groupConcat() },
      Shelf.select { _ in Note.select(\.title).jsonGroupArray() },
      Shelf.select { _ in Note.group(by: \.title).select { $0.rank.max() }.jsonGroupArray() },
      Shelf.select { _ in Note.select(\.rank).union(Note.select(\.id)).max() },
      Shelf.select { _ in Note.select(\.rank).limit(2).max() },
      Shelf.select { _ in Note.select(\.rank).count(distinct: true) },
      Shelf.select { _ in
        With {
          Note.where { $0.id > 1 }
        } query: {
          Note.select(\.rank)
        }.max()
      },
    ]
    for query in queries {
      #expect(query.built.failure?.description.contains("first row in each") == true, "\(query)")
    }
    try database().read { db in
      let most = try Shelf.select { _ in Note.select { $0.rank.max() } }.fetchAll(db)
      #expect(most == [9, 9, 9])
      // Of one row for each of the rows around it there are aggregates.
      let counts = try Shelf.select { shelf in Note.where { $0.id > shelf.id }.count().max() }.fetchAll(db)
      #expect(counts == [2])
      let ranks = Shelf.select { shelf in Note.where { $0.id.eq(shelf.id) }.select(\.rank).limit(1).sum() }
      #expect(try ranks.fetchAll(db) == [16])
      #expect(try Note.select(\.rank).union(Note.select(\.id)).count().fetchOne(db) == 5)
    }
  }

  @Test func `a query that is a value is its first row's, and NULL if it finds no row`() throws {
    try database().read { db in
      let titles = Note.order(by: \.rank).select(\.title)
      let one = try titles.upper().fetchAll(db)
      #expect(one == ["THREE"])
      #expect(try Note.order(by: \.rank).select { $0.title.upper() }.fetchAll(db) == ["THREE", "ONE", "TWO"])
      let nobody = Note.where { $0.rank > 9 }.select(\.title)
      #expect(try nobody.upper().asOptional().fetchAll(db) == [nil])
      #expect(try Shelf.select { _ in nobody.asOptional() }.fetchAll(db) == [nil, nil, nil])
      #expect(try Shelf.select { _ in nobody.asOptional() ?? "-" }.fetchAll(db) == ["-", "-", "-"])
      #expect(try Shelf.where { _ in nobody.eq("one") }.fetchCount(db) == 0)
      let error = #expect(throws: QueryDecodingError.self) { try Shelf.select { _ in nobody }.fetchAll(db) }
      #expect(error?.description.contains("A query within another is NULL if it finds no row") == true)
      #expect(error?.description.contains("asOptional()") == true)
    }
  }

  @Test func `NULL of a column is put down to a query within another only if one is chosen`() throws {
    try database().write { db in
      try #sql("CREATE TABLE loose (a)").execute(db)
      try #sql("INSERT INTO loose VALUES (NULL)").execute(db)
      for (query, isRemarked) in [
        ("SELECT a FROM loose", false),
        ("SELECT a FROM loose WHERE 1 IN (SELECT 1)", false),
        ("SELECT a\nFROM loose WHERE EXISTS (SELECT 1)", false),
        ("WITH other AS (SELECT 1) SELECT a FROM loose", false),
        ("SELECT a FROM loose UNION ALL SELECT a FROM loose WHERE (SELECT 1)", false),
        ("SELECT a AS \"(SELECT x\" FROM loose", false),
        ("SELECT (SELECT a FROM loose)", true),
        ("select (\n  select a from loose\n) from shelves", true),
      ] {
        let error = #expect(throws: QueryDecodingError.self) { try #sql("\(raw: query)", as: String.self).fetchAll(db) }
        #expect(error?.description.contains("A query within another") == isRemarked, "\(query)")
        #expect(error?.description.contains("NOT NULL") == true, "\(query)")
      }
    }
  }
}
