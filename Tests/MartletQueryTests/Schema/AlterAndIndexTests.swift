/// ALTER TABLE and indexes.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite
import MartletTestSupport
import Testing

@Suite struct AlterAndIndexTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  /// How SQLite says it will run a query.
  private func plan(_ query: some MartletQuery.Statement) throws -> String {
    let built = query.built
    var sql = "EXPLAIN QUERY PLAN " + (try StatementRenderer().render(built.tree).sql)
    for index in built.parameters.indices { sql = sql.replacingOccurrences(of: "?\(index + 1)", with: "'x'") }
    let statement = try sample.connection.prepare(sql)
    var lines: [String] = []
    while try statement.step() { lines.append(String(decoding: statement.value(at: 3).textBytes, as: UTF8.self)) }
    return lines.joined(separator: "\n")
  }

  @Test func `a table follows its type`() throws {
    let steps: [(any MartletQuery.Statement, String)] = [
      (Reminder.alterTable.dropColumn(\.priority), #"ALTER TABLE "reminders" DROP COLUMN "priority""#),
      (
        Reminder.alterTable.addColumn { $0.priority.default(.high) },
        #"ALTER TABLE "reminders" ADD COLUMN "priority" INTEGER DEFAULT 3"#
      ),
      (Reminder.alterTable.dropColumn("priority"), #"ALTER TABLE "reminders" DROP COLUMN "priority""#),
      (Reminder.alterTable.addColumn(\.priority), #"ALTER TABLE "reminders" ADD COLUMN "priority" INTEGER"#),
      (
        Reminder.alterTable.renameColumn(\.title, to: "name"),
        #"ALTER TABLE "reminders" RENAME COLUMN "title" TO "name""#
      ),
      (
        Reminder.alterTable.renameColumn("name", to: \.title),
        #"ALTER TABLE "reminders" RENAME COLUMN "name" TO "title""#
      ),
      (Reminder.alterTable.rename(to: "tasks"), #"ALTER TABLE "reminders" RENAME TO "tasks""#),
      (Reminder.alterTable.rename(from: "tasks"), #"ALTER TABLE "tasks" RENAME TO "reminders""#),
    ]
    for (statement, sql) in steps {
      #expect(statement.sql == sql)
      try sample.run(statement)
    }
    #expect(try sample.all(Reminder.select(\.priority)).allSatisfy { $0 == nil })
  }

  @Test func `an index is used where it fits`() throws {
    let list = Reminder.createIndex(on: \.remindersListID)
    #expect(list.sql == #"CREATE INDEX "index_reminders_on_remindersListID" ON "reminders" ("remindersListID")"#)
    try sample.run(list)
    let query = Reminder.where { $0.remindersListID.eq(1) }
    #expect(try plan(query).contains("index_reminders_on_remindersListID"))
    #expect(list.drop(ifExists: true).sql == #"DROP INDEX IF EXISTS "index_reminders_on_remindersListID""#)
    try sample.run(list.drop())
    #expect(try !plan(query).contains("INDEX"))

    let text = Reminder.createIndex(
      "by title", on: { ($0.title.collate(.nocase), $0.position.desc()) }, ifNotExists: true,
      where: { !$0.isCompleted })
    #expect(
      text.sql == """
        CREATE INDEX IF NOT EXISTS "by title" ON "reminders" ("title" COLLATE "NOCASE", "position" DESC)
        WHERE NOT ("isCompleted")
        """)
    try sample.run(text)
    #expect(
      try plan(Reminder.where { !$0.isCompleted && $0.title.collate(.nocase).eq("x") }).contains("by title"))
    try sample.run(Reminder.dropIndex("by title"))

    try sample.run(Reminder.createIndex("lower", on: { $0.title.lower() }, unique: true))
    #expect(try plan(Reminder.where { $0.title.lower().eq("x") }).contains("USING INDEX lower"))
    #expect(throws: (any Error).self) {
      try sample.run(Reminder.insert { Reminder.Draft(title: "MILK", remindersListID: 1) })
    }
  }

  @Test func `an index that cannot have its order says so`() {
    let index = Reminder.createIndex(on: { $0.title.asc(nulls: .last) })
    #expect(index.built.failure != nil)
  }
}
