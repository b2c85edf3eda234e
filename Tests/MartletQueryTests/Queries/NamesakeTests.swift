/// Tables of one name in several schemas: a table of the file, and a temporary one with changes to it.
import MartletAST
import MartletQuery
import MartletSQLite
import Testing

/// Where a table is.
protocol Schema { static var name: String { get } }
enum InFile: Schema { static let name = "main" }
enum Temporary: Schema { static let name = "temp" }

/// `"main"."items"` and `"temp"."items"`.
struct Item<Place: Schema>: PrimaryKeyedTable, Equatable {
  var id: Int
  var title: String

  static var tableName: String { "items" }
  static var defaultScope: DefaultScope { DefaultScope() }
  static var schemaName: String? { Place.name }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Item

    var id: TableColumn<Item, Int> { TableColumn("id") }
    var title: TableColumn<Item, String> { TableColumn("title") }
    var primaryKey: TableColumn<Item, Int> { id }

    static var allColumns: [ColumnDescription] {
      [ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("title", String.self)]
    }
  }

  struct Draft: TableDraft {
    typealias PrimaryTable = Item
    typealias TableColumns = DraftColumns<Item>

    var id: Int?
    var title: String

    init(_ row: Item) {
      id = row.id
      title = row.title
    }

    init(decoder: inout some QueryDecoder) throws {
      id = try decoder.value(Int?.self)
      title = try decoder.value(String.self)
    }

    var columnFragments: [QueryFragment] { Int?.fragments(of: id) + String.fragments(of: title) }
  }

  init(id: Int, title: String) {
    self.id = id
    self.title = title
  }

  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    title = try decoder.value(String.self)
  }

  var columnFragments: [QueryFragment] { Int.fragments(of: id) + String.fragments(of: title) }
}

@Suite struct NamesakeTests {
  typealias Stored = Item<InFile>
  typealias Edited = Item<Temporary>
  enum Other: AliasName {}

  let sample: Sample

  init() throws {
    sample = try Sample()
    try sample.run(Stored.createTable())
    let edited = "CREATE TEMPORARY TABLE \"items\" (\"id\" INTEGER PRIMARY KEY, \"title\" TEXT)"
    _ = try sample.connection.prepare(edited, for: .engine).step()
    try sample.run(
      Stored.insert {
        Stored(id: 1, title: "Milk")
        Stored(id: 2, title: "Bread")
        Stored(id: 3, title: "Salt")
      })
    try sample.run(
      Edited.insert {
        Edited(id: 1, title: "Milk")
        Edited(id: 2, title: "Rye bread")
      })
  }

  @Test func `a join tells them apart`() throws {
    let both = Stored.join(Edited.all) { $0.id.eq($1.id) && $0.title.neq($1.title) }
    #expect(
      both.description == """
        SELECT "main"."items"."id", "main"."items"."title", "temp"."items"."id", "temp"."items"."title"
        FROM "main"."items"
        JOIN "temp"."items" ON (("main"."items"."id") = ("temp"."items"."id")) AND (("main"."items"."title") <> \
        ("temp"."items"."title"))
        """)
    let rows = try both.decode(try sample.run(both))
    #expect(rows.map(\.0) == [Stored(id: 2, title: "Bread")] && rows.map(\.1) == [Edited(id: 2, title: "Rye bread")])
    let every = Stored.leftJoin(Edited.all) { using($0.id, $1.id) }.order { stored, _ in stored.id }
    let edits: [(Stored, Edited?)] = try every.decode(try sample.run(every))
    #expect(edits.map { $1?.title } == ["Milk", "Rye bread", nil])
  }

  @Test func `a subquery reads the row outside of it`() throws {
    let changed = Stored.where { stored in
      Edited.where { $0.id.eq(stored.id) && $0.title.neq(stored.title) }.exists()
    }
    #expect(try sample.all(changed.select(\.id)) == [2])
  }

  @Test func `writes read the one that they mean`() throws {
    try sample.run(
      Stored.update(from: Edited.all) { stored, edited in
        stored.title = edited.title + "!"
        stored.title += "!"
      } where: {
        $0.id.eq($1.id)
      })
    #expect(try sample.all(Stored.order(by: \.id).select(\.title)) == ["Milk!!", "Rye bread!!", "Salt"])
    try sample.run(
      Edited.insert {
        Edited(id: 2, title: "Oats")
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.title = $0.title + $1.title
      } where: {
        $0.id.eq($1.id)
      })
    #expect(try sample.all(Edited.find(2).select(\.title)) == ["Rye breadOats"])
    let deleted = Stored.where { !$0.id.in(Edited.select(\.id)) }.delete().returning(\.title)
    #expect(try sample.all(deleted) == ["Salt"])
    #expect(try sample.all(Stored.upsert { Stored(id: 1, title: "Cream") }.returning(\.title)) == ["Cream"])
  }

  @Test func `another name stands for schema and name`() throws {
    let pairs = Stored.join(Stored.as(Other.self).all) { $0.id < $1.id }.where { $1.title.eq("Salt") }
    #expect(pairs.sql.contains("FROM \"main\".\"items\"\nJOIN \"main\".\"items\" AS \"others\" ON"))
    #expect(try sample.all(pairs.select { stored, _ in stored.id }.order { stored, _ in stored.id }) == [1, 2])
    let renamed = Stored.where { $0.title.eq("Salt") }.order(by: \.id).as(Other.self)
    #expect(renamed.sql.contains("WHERE ((\"others\".\"title\") = (?1))\nORDER BY \"others\".\"id\""))
    #expect(try sample.all(renamed.select(\.id)) == [3])
    let raw = SQLQueryExpression(
      "SELECT \(Stored.as(Other.self).columns.id) FROM \(Stored.self) AS \(Stored.as(Other.self))", as: Int.self)
    #expect(try sample.all(raw) == [1, 2, 3])
  }

  @Test func `rows of the program are of no schema`() throws {
    let prices = [Edited(id: 1, title: "A"), Edited(id: 3, title: "C")]
    let joined = Stored.join(Edited.rows(prices)) { $0.id.eq($1.id) }.order { $1.title.desc() }
    #expect(try sample.all(joined.select { $1.title }) == ["C", "A"])
    try sample.run(
      Stored.update(from: Edited.rows(prices)) {
        $0.title = $1.title
      } where: {
        $0.id.eq($1.id)
      })
    #expect(try sample.all(Stored.order(by: \.id).select(\.title)) == ["A", "Bread", "C"])
  }
}
