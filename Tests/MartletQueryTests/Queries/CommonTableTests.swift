/// WITH: several common tables, recursive ones, hints, writes below them, and tables that closures get.
import MartletAST
import MartletQuery
import Testing

struct ListTitle: Table, Equatable {
  var title: String

  static let tableName = "listTitles"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = ListTitle
    var title: TableColumn<ListTitle, String> { TableColumn("title") }
    static let allColumns = [ColumnDescription("title", String.self)]
  }

  struct Columns: QueryExpression {
    typealias QueryValue = ListTitle
    let columnFragments: [QueryFragment]
    var queryFragment: QueryFragment { QueryFragment(row: columnFragments) }
    init(title: some QueryExpression<String>) { columnFragments = title.columnFragments(named: "title") }
  }

  var columnFragments: [QueryFragment] { String.fragments(of: title) }
}

extension ListTitle {
  init(decoder: inout some QueryDecoder) throws { title = try decoder.value(String.self) }
}

@Suite struct CommonTableTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `a selection names its table`() throws {
    let query = With {
      Reminder.where { $0.id < 3 }.select { Level.Columns(id: $0.id, depth: $0.position) }
    } query: {
      Level.order { $0.depth.desc() }
    }
    #expect(
      query.description == """
        WITH "levels" AS (
          SELECT "reminders"."id" AS "id", "reminders"."position" AS "depth"
          FROM "reminders"
          WHERE (("reminders"."id") < (3))
        )
        SELECT "levels"."id", "levels"."depth"
        FROM "levels"
        ORDER BY "levels"."depth" DESC
        """)
    #expect(try sample.all(query) == [Level(id: 2, depth: 20), Level(id: 1, depth: 10)])
  }

  @Test func `rows of expressions, and raw SQL, have the columns of their type`() throws {
    let rows = With {
      Values(Level.Columns(id: 1, depth: 0)).row(Level.Columns(id: 2, depth: RemindersList.count()))
      SQLQueryExpression("VALUES ('a'), ('b')", as: ListTitle.self)
    } query: {
      Level.crossJoin(ListTitle.all).order { level, title in (level.id, title.title) }
    }
    #expect(
      rows.description.hasPrefix(
        """
        WITH "levels"("id", "depth") AS (
          VALUES
          (1, 0), (2, (
            SELECT count(*)
        """))
    #expect(rows.sql.contains("\"listTitles\"(\"title\") AS ("))
    let decoded: [(Level, ListTitle)] = try rows.decode(try sample.run(rows))
    #expect(decoded.map(\.0.depth) == [0, 0, 3, 3] && decoded.map(\.1.title) == ["a", "b", "a", "b"])
    let tree = With {
      Values(Level.Columns(id: 1, depth: 0)).union(
        all: true, Level.where { $0.depth < 2 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) })
    } query: {
      Level.select(\.id)
    }
    #expect(try sample.all(tree) == [1, 2, 4] && tree.sql.hasPrefix("WITH \"levels\" AS (\n  SELECT ?1 AS"))
  }

  @Test func `a closure within the query reads the common table`() throws {
    let query = With {
      Reminder.where { $0.id < 3 }
    } query: { few in
      Reminder.where { $0.id.in(few.select(\.id)) && !$0.id.in(few.where { $0.id.eq(2) }.select(\.id)) }
    }
    #expect(query.sql.contains(#"IN (\#n  SELECT "cte1"."id""#))
    #expect(try sample.all(query).map(\.id) == [1])
  }

  @Test func `several tables, rows of values and hints`() throws {
    let query = With {
      Level(id: 1, depth: 0)
      RemindersList.select { ListTitle.Columns(title: $0.title) }
    } query: {
      Reminder.join(Level.all) { $0.id.eq($1.id) }
        .join(ListTitle.all) { $2.title.eq("Work") }
        .select { ($0.title, $1.depth, $2.title) }
    }
    #expect(
      query.description.hasPrefix(
        "WITH \"levels\" AS (\n  SELECT 1 AS \"id\", 0 AS \"depth\"\n), \"listTitles\" AS ("))
    let rows = try query.decode(try sample.run(query))
    #expect(rows.map(\.2) == ["Work"])
    let merged = With {
      Reminder.select { Level.Columns(id: $0.id, depth: 1) }.materialized(false)
    } query: {
      Level.count()
    }
    #expect(merged.sql.contains("AS NOT MATERIALIZED ("))
    #expect(try sample.all(merged) == [4])
  }

  @Test func `a table grows from its own rows`() throws {
    let levels = With {
      Level(id: 1, depth: 0).union(
        all: true, Level.where { $0.depth < 4 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) })
    } query: {
      Level.all
    }
    #expect(
      levels.sql.hasPrefix("WITH \"levels\" AS (\n  SELECT ?1 AS \"id\", ?2 AS \"depth\"\n    UNION ALL"))
    #expect(try sample.all(levels).map(\.id) == [1, 2, 4, 8, 16])
  }

  @Test func `closures get the tables`() throws {
    let one = With {
      Reminder.where { $0.position > 10 }
    } query: { far in
      far.order(by: \.title).limit(2)
    }
    #expect(one.sql.hasPrefix("WITH \"cte1\" AS (") && one.sql.contains("FROM \"cte1\"\nORDER BY \"cte1\".\"title\""))
    #expect(try sample.all(one).map(\.title) == ["100% Juice", "Bread"])
    let two = With {
      Reminder.where { $0.position > 10 }
    } with: {
      RemindersList.where { $0.title.eq("Work") }
    } query: { far, work in
      far.join(work) { $0.remindersListID.eq($1.id) }.select { ($0.title, $1.title) }
    }
    #expect(try two.decode(try sample.run(two)).map { [$0.0, $0.1] } == [["Report", "Work"]])
    let chain = With {
      Reminder.where { $0.id.eq(1) }
    } recursiveUnion: { chain in
      Reminder.join(chain) { $0.id.eq($1.id + 1) }.select { row, _ in row }
    } query: { chain in
      chain.select(\.id)
    }
    #expect(chain.sql.hasPrefix("WITH \"cte1\""))
    #expect(try sample.all(chain) == [1, 2, 3, 4])
  }

  @Test func `writes stand below them`() throws {
    func done() -> Select<Level, Tables1<Reminder>> {
      Reminder.where(\.isCompleted).select { Level.Columns(id: $0.id, depth: $0.position) }
    }
    try sample.run(
      With {
        done()
      } query: {
        Reminder.where { $0.id.in(Level.select(\.id)) }.update { $0.title = "done" }
      })
    #expect(try sample.all(Reminder.find(2).select(\.title)) == ["done"])
    try sample.run(
      With {
        done()
      } query: {
        Reminder.insert {
          ($0.id, $0.position)
        } select: {
          Level.select { ($0.id + 100, $0.depth) }
        }
      })
    #expect(try sample.all(Reminder.find(102).select(\.position)) == [20])
    let delete = With {
      done()
    } query: {
      Reminder.where { $0.id.in(Level.select(\.id)) }.delete().returning(\.id)
    }
    #expect(try sample.all(delete) == [2])
  }
}
