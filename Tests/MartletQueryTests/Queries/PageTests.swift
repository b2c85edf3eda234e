/// Pages: walking page after page gives every row once, in order, with NULLs, directions and several keys.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct PageTests {
  let sample: Sample
  init() throws {
    sample = try Sample()
    try sample.run(
      Reminder.insert {
        for id in 5..<40 {
          Reminder(
            id: id, title: "t\(id % 3)", isCompleted: id % 2 == 0, priority: Priority(rawValue: id % 4),
            dueDate: id % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(id / 6)), position: id % 7,
            remindersListID: 1)
        }
      })
  }

  private typealias Order = @Sendable (Reminder.TableColumns) -> [OrderingTerm]

  private static let orders: [Order] = [
    { [$0.position.asc()] }, { [$0.priority.asc(), $0.title.desc()] }, { [$0.priority.desc()] },
    { [$0.dueDate.asc(nulls: .last), $0.priority.desc(nulls: .first)] },
    { [$0.dueDate.desc(nulls: .first), $0.position.asc()] }, { [$0.title.desc(), $0.position.desc()] }, { _ in [] },
    { [$0.title.collate(.nocase).asc(), $0.dueDate.desc()] }, { [$0.id.desc()] },
  ]

  @Test func `pages give every row once, in order`() throws {
    for (number, order) in Self.orders.enumerated() {
      let all = try sample.all(
        Reminder.order { columns in
          for term in order(columns) { term }
          // What a page adds: the key, the way of the last term.
          if number == 2 || number == 5 || number == 7 || number == 1 || number == 3 {
            columns.id.desc()
          } else if number != 8 {
            columns.id
          }
        })
      #expect(all.count == 39)
      var seen: [Reminder] = []
      while true {
        let page = try sample.all(
          Reminder.page(after: seen.last, size: 4) { columns in for term in order(columns) { term } })
        seen += page
        if page.count < 4 { break }
      }
      #expect(seen.map(\.id) == all.map(\.id), "order \(number)")
      let back = try sample.all(
        Reminder.all.page(before: all[20], size: 5) { columns in for term in order(columns) { term } })
      #expect(back.map(\.id) == all[15..<20].reversed().map(\.id), "order \(number)")
    }
  }

  @Test func `the condition is one comparison where it can be`() throws {
    let row = Reminder(id: 7, title: "x", position: 3, remindersListID: 1)
    #expect(
      Reminder.where(\.isCompleted).page(after: row, size: 10) { ($0.title, $0.position) }.select(\.id).description
        == """
        SELECT "reminders"."id"
        FROM "reminders"
        WHERE ("reminders"."isCompleted") \
        AND (("reminders"."title", "reminders"."position", "reminders"."id") > ('x', 3, 7))
        ORDER BY "reminders"."title", "reminders"."position", "reminders"."id"
        LIMIT 10
        """)
    #expect(
      Reminder.page(after: row, size: 10, by: \.dueDate).description.contains(
        """
        WHERE ((("reminders"."dueDate") IS NOT (NULL)) OR ((("reminders"."dueDate") IS (NULL)) AND \
        (("reminders"."id") > (7))))
        """))
    #expect(try sample.all(Reminder.all.page(after: nil, size: 2).select(\.id)) == [1, 2])
  }

  @Test func `a term that is no column is refused`() {
    let row = Reminder(id: 7, remindersListID: 1)
    #expect(throws: QueryBindingFailure.self) {
      try sample.run(Reminder.page(after: row, size: 2) { $0.title.length() })
    }
  }

  @Test func `a page of a query with a limit or an offset is refused`() throws {
    for query in [Reminder.limit(3), Reminder.order(by: \.id).offset(1)] {
      #expect(throws: QueryBindingFailure.self) { try sample.run(query.page(after: nil, size: 2)) }
    }
    #expect(try sample.all(Reminder.all.page(after: nil, size: 3).select(\.id)) == [1, 2, 3])
  }
}
