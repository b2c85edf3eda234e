/// What other libraries' programs call on a database: SQL with values, seeds, sections.
import Foundation
import Martlet
import Testing

@Suite struct PortedDatabaseTests {
  typealias Reminder = Port.Reminder
  typealias Tag = Port.Tag

  @Test(arguments: DatabaseHome.allCases)
  func `SQL takes values, and gives those of a type`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let title = "don't; --"
      try db.execute(literal: "INSERT INTO \(Tag.self) VALUES (\(7), \(title))")
      same(try String.fetchOne(db, sql: "SELECT title FROM tags WHERE id = ?", arguments: [7]), title)
      same(try Int.fetchAll(db, sql: "SELECT id FROM tags WHERE title <> ? ORDER BY id", arguments: [title]), [1, 2])
      same(try Date.fetchOne(db, sql: "SELECT '2001-01-01 00:00:00.000'"), Date(timeIntervalSinceReferenceDate: 0))
      same(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0"), nil)
      same(try Int?.fetchAll(db, sql: "SELECT ?", arguments: [nil]), [nil])
      same(try Tag.fetchAll(db, sql: "SELECT * FROM tags WHERE id = 1"), [Tag(id: 1, title: "car")])
      // An error that is caught stands in a savepoint, since a server's answers come later otherwise.
      #expect(throws: (any Error).self) {
        try db.inSavepoint { try db.execute(literal: "INSERT INTO nowhere VALUES (\(1))") }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `seeds are statements, one for each run of a type`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let seeds = Seeds {
        Tag(id: 8, title: "eight")
        Tag(id: 9, title: "nine")
        Reminder.Draft(title: "seed")
        Tag(id: 10, title: "ten")
      }
      same(seeds.map { $0.sql.prefix(20) }.count, 3)
      for seed in seeds { try seed.execute(db) }
      same(try Tag.where { $0.id > 2 }.order(by: \.id).select(\.id).fetchAll(db), [8, 9, 10])
      same(try Reminder.where { $0.title.eq("seed") }.count().fetchOne(db), 1)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are fetched in sections, ordered by them first`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let lists = try Reminder.order { $0.title.desc() }.fetchAll(db, sectionBy: \.listID)
      same(lists.ids, ["1", "2"])
      same(lists.map { $0.map(\.title) }, [["Milk", "Bread"], ["Eggs", "Don't"]])
      same(lists.elements.map(\.id), [1, 2, 3, 4])
      same(lists[id: "2"]?.elements.map(\.id), [3, 4])
      same(lists[id: "7"].map(\.name), nil)
      let backwards = try Reminder.all.order(by: \.id).fetchAll(db, sectionBy: { $0.listID.desc() })
      same(backwards.ids, ["2", "1"])
      let priorities = try Reminder.fetchAll(db, sectionBy: { $0.priority.desc(nulls: .last) })
      same(priorities.ids, ["3", "2", "1", nil])
      same(priorities.last?.name, "")
      let letters = try Reminder.where(\.isFlagged).fetchAll(db, sectionBy: { $0.title.substr(1, 1) })
      same(letters.ids, ["E", "M"])
      same(try Reminder.none.fetchAll(db, sectionBy: \.title).count, 0)
      let joined = try Port.List.leftJoin(Reminder.all) { $0.id.eq($1.listID) }.order { $1.id }
        .select { _, reminder in reminder.title }.fetchAll(db, sectionBy: { list, _ in list.name })
      same(joined.ids, ["Empty", "Home", "Shop"])
      same(joined.map { $0.elements }, [[nil], ["Eggs", "Don't"], ["Milk", "Bread"]])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `sections of a query with a limit have the rows of the limit`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let last = Reminder.order { $0.id.desc() }
      // The first two rows by list would be others.
      let sections = try last.limit(3).fetchAll(db, sectionBy: \.listID)
      same(sections.ids, ["1", "2"])
      same(sections.map { $0.map(\.id) }, [[2], [4, 3]])
      same(try last.limit(2, offset: 1).fetchAll(db, sectionBy: { $0.listID.desc() }).map { $0.map(\.id) }, [[3], [2]])
      same(
        try last.offset(1).select(\.title).fetchAll(db, sectionBy: { $0.isCompleted }).map { $0.elements },
        [["Milk"], ["Eggs", "Bread"]])
      let joined = last.join(Port.List.all) { $0.listID.eq($1.id) }.limit(2).select { reminder, _ in reminder.id }
      same(try joined.fetchAll(db, sectionBy: { $1.name }).map { $0.elements }, [[4, 3]])
      #expect(throws: QueryBindingFailure.self) {
        try Reminder.select(\.title).distinct().limit(2).fetchAll(db, sectionBy: \.listID)
      }
    }
  }

  private struct Model {
    @FetchAll var reminders: [Reminder]
    init(_ database: any DatabaseReader) {
      _reminders = FetchAll(Reminder.order(by: \.id), sectionBy: \.listID, database: database)
    }
  }

  @Test func `sections follow the database`() async throws {
    let database = try DatabaseQueue()
    try await database.write { try $0.execute(sql: Port.script) }
    let model = Model(database)
    same(model.reminders.map(\.id), [1, 2, 3, 4])
    same(model.$reminders.sections.ids, ["1", "2"])
    try await database.write { try Reminder.insert { Reminder(id: 5, title: "New", listID: 0) }.execute($0) }
    await eventually(model.$reminders.sections.ids) { $0 == ["0", "1", "2"] }
    same(model.reminders.map(\.id), [5, 1, 2, 3, 4])
    try await model.$reminders.load(Reminder.where(\.isFlagged), sectionBy: { $0.title.desc() })
    same(model.$reminders.sections.ids, ["Milk", "Eggs"])
    try await model.$reminders.load(Reminder.find(2))
    same(model.$reminders.sections.count, 0)
    same(model.reminders.map(\.id), [2])
  }
}
