/// Views, temporary and permanent: the SQL, the rows, and that nothing of them stays.
import Foundation
import MartletAST
import MartletQuery
import MartletValues
import Testing

@Suite struct ViewTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private var joined: some MartletQuery.Statement<ReminderWithList> {
    Reminder
      .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
      .select {
        ReminderWithList.Columns(
          reminderTitle: $0.title,
          remindersListTitle: $1.title
        )
      }
  }

  @Test func `a view has the columns of its type`() throws {
    let view = ReminderWithList.createTemporaryView(as: joined)
    #expect(
      view.sql == """
        CREATE TEMPORARY VIEW
        "reminderWithLists"
        ("reminderTitle", "remindersListTitle")
        AS
        SELECT "reminders"."title" AS "reminderTitle", "remindersLists"."title" AS "remindersListTitle"
        FROM "reminders"
        JOIN "remindersLists" ON ("reminders"."remindersListID") = ("remindersLists"."id")
        WHERE (("remindersLists"."deletedAt") IS (NULL))
        """)
    try sample.run(view)
    let rows = ReminderWithList.order { ($0.remindersListTitle, $0.reminderTitle) }.limit(2)
    #expect(
      try sample.all(rows) == [
        ReminderWithList(reminderTitle: "100% Juice", remindersListTitle: "Home"),
        ReminderWithList(reminderTitle: "Bread", remindersListTitle: "Home"),
      ])
    #expect(view.drop(ifExists: true).sql == #"DROP VIEW IF EXISTS "temp"."reminderWithLists""#)
    try sample.run(view.drop())
    #expect(throws: (any Error).self) { try sample.run(ReminderWithList.all) }
  }

  @Test func `a permanent view, from a compound with values in it`() throws {
    let view = Level.createView(
      ifNotExists: true,
      as: Reminder.where { $0.title.in(["Milk", "it's"]) && $0.dueDate < Date(timeIntervalSince1970: 2e9) }
        .select { Level.Columns(id: $0.id, depth: $0.position + 1) }
        .union(all: true, SQLQueryExpression("SELECT 7, 8", as: Level.self)))
    #expect(view.parameters.isEmpty)
    #expect(view.sql.contains("IN (('Milk'), ('it''s'))") && view.sql.contains("'2033-05-18 03:33:20.000'"))
    try sample.run(view)
    #expect(try sample.all(Level.order(by: \.id)) == [Level(id: 1, depth: 11), Level(id: 7, depth: 8)])
    try sample.run(view)
    #expect(Level.dropView().sql == #"DROP VIEW "levels""#)
    try sample.run(Level.dropView())
    try sample.run(Level.createTemporaryView(ifNotExists: true, as: Level.limit(0)))
    #expect(throws: (any Error).self) { try sample.run(Level.all) }
    try sample.run(Level.dropTemporaryView(ifExists: true))
  }

  @Test func `values of every kind are the same in a view as in a query`() throws {
    let bytes: [UInt8] = [0, 255, 39]
    let id = UUID()
    let values: [QueryFragment] = [
      "\(bind: "it's")", "\(bind: "a\u{0}b")", "\(bind: Int64.min)", "\(bind: true)", "\(bind: 0.1)",
      "\(bind: Double.infinity)", "\(bind: bytes)", "\(bind: Date(timeIntervalSince1970: 1.5))", "\(bind: id)",
      .bind(.null),
    ]
    for value in values {
      let query = SQLQueryExpression<String>("SELECT \(value) AS x", as: String.self)
      let plain = try sample.run(query)
      let view = Single.createTemporaryView(as: SQLQueryExpression("SELECT \(value)", as: Single.self))
      try sample.run(view)
      let throughView = try sample.run(Single.all)
      #expect(plain.columns == throughView.columns, "\(view.sql)")
      try sample.run(view.drop())
    }
  }
}

/// A view of one column of any type.
struct Single: Table {
  var value: String?

  static let tableName = "single"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Single

    var value: TableColumn<Single, String?> { TableColumn("value") }
    static let allColumns = [ColumnDescription("value", String?.self)]
  }

  var columnFragments: [QueryFragment] { String?.fragments(of: value) }
}

extension Single {
  init(decoder: inout some QueryDecoder) throws { value = try decoder.value(String?.self) }
}
