/// Spellings that people expect to compile, each with what it gives.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct FormTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `implicit members stand for values`() throws {
    #expect(try sample.all(Reminder.select { $0.position.sum(filter: $0.priority.eq(.high)) }) == [10])
    #expect(
      try sample.all(
        Reminder.order(by: \.id).select { Case($0.priority).when(.low, then: .medium).else(.high) }
          as Select<
            Priority?, Tables1<Reminder>
          >) == [.high, .high, .medium, .high])
    let bound = Reminder.order(by: \.id).select {
      Case($0.priority).when(BindQueryExpression(.low), then: "l").when(.high, then: "h").else("-")
    }
    #expect(try sample.all(bound) == ["h", "-", "l", "-"])
  }

  @Test func `labels and separators of aggregates`() throws {
    let lists = Reminder.group(by: \.remindersListID).order(by: \.remindersListID)
    #expect(try sample.all(lists.select { $0.title.groupConcat(separator: "; ") }).last == "Report")
    #expect(try sample.all(lists.select { $0.id.groupConcat() }) == ["1,2,4", "3"])
    #expect(
      try sample.all(Reminder.select { $0.remindersListID.groupConcat(distinct: true, separator: " | ") }) == ["1 | 2"])
    #expect(try sample.all(Reminder.select { $0.remindersListID.groupConcat(distinct: true) }) == ["1,2"])
    let ordered = Reminder.select { $0.title.groupConcat(", ", order: $0.title.desc(), filter: $0.id < 3) }
    #expect(
      ordered.description.hasPrefix(
        "SELECT group_concat(\"reminders\".\"title\", ', ' ORDER BY \"reminders\".\"title\" DESC) FILTER (WHERE ("))
    #expect(Reminder.select { $0.title.groupConcat(separator: ", ", order: { $0.asc() }) }.sql.contains("ASC)"))
  }

  @Test func `joins of queries with columns, filters and orders`() throws {
    let both = Reminder.select(\.title).join(RemindersList.select(\.title)) { $0.remindersListID.eq($1.id) }
    #expect(try both.order { row, _ in row.id }.decode(try sample.run(both)).map(\.1).count == 4)
    let right = Reminder.where { $0.id < 4 }.order(by: \.id)
      .join(RemindersList.where { $0.title.neq("x") }.order(by: \.title).select(\.title)) {
        $0.remindersListID.eq($1.id)
      }
    #expect(try sample.all(right) == ["Home", "Home", "Work"])
    #expect(right.sql.contains("ORDER BY \"reminders\".\"id\", \"remindersLists\".\"title\""))
    let left = Reminder.select(\.title).join(RemindersList.all) { $0.remindersListID.eq($1.id) }
    #expect(try sample.all(left.where { $1.title.eq("Work") }) == ["Report"])
    let cross = Reminder.crossJoin(RemindersList.all).select { ($0.id, $1.id) }
    #expect(try cross.decode(try sample.run(cross)).count == 12)
  }

  @Test func `columns of optional and aliased sides`() throws {
    enum Other: AliasName {}
    let optional = RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }.where { $1.isUrgent ?? false }
    #expect(try sample.all(optional.select { $1.id }) == [1])
    let aliased = Reminder.join(Reminder.where { $0.isUrgent }.as(Other.self)) { $0.id.eq($1.id) }
    #expect(aliased.sql.contains("(\"others\".\"priority\") = (?1)"))
    #expect(try sample.all(aliased.where { $1.isUrgent }.select { row, _ in row.id }) == [1])
    #expect(
      try sample.all(Reminder.order(by: \.id).as(Other.self).where { $0.id > 1 }.limit(1).select(\.title)) == ["Bread"])
  }

  @Test func `scopes combine as predicates do`() throws {
    let urgent = Reminder.where { $0.priority.eq(.high) }
    let done = Reminder.where(\.isCompleted)
    #expect(try sample.all((urgent || done).order(by: \.id).select(\.id)) == [1, 2])
    #expect(try sample.all((urgent && !done).select(\.id)) == [1])
    #expect(try sample.all((urgent + done).select(\.id)) == [])
    #expect(try sample.all(urgent.or(done).not().order(by: \.id).select(\.id)) == [3, 4])
    #expect(try sample.all(urgent.and(Reminder.incomplete).select(\.id)) == [1])
    #expect(try sample.all(Reminder.incomplete.important.select(\.id)) == [1])
    #expect(try sample.all(Reminder.important.inOrder.select(\.id)) == [1])
    #expect(
      Reminder.important.listed.sql.contains("((\"reminders\".\"priority\") = (?1))"),
      "the first table of a right join is optional")
    let isSearching = true
    let built = Reminder.where {
      if isSearching { $0.title.contains("e") }
      for id in [1, 2] { $0.id.neq(id) }
    }
    #expect(try sample.all(built.select(\.id)) == [3, 4])
  }

  @Test func `columns are added, mapped, starred and counted`() throws {
    let pairs = Reminder.order(by: \.id).select(\.id).select(\.title).limit(1)
    #expect(try pairs.decode(try sample.run(pairs)).map(\.1) == ["Milk"])
    let mapped = Reminder.find(1).select { ($0.id, $0.position) }.map { id, position in id + position }
    #expect(try sample.all(mapped) == [11])
    #expect(try sample.all(Reminder.find(1).select(\.title).map { $0.upper() }) == ["MILK"])
    let both = Reminder.find(1).select { ($0.id, $0.title) }.map { id, title in (title, id) }
    #expect(try both.decode(try sample.run(both)).map(\.0) == ["Milk"])
    #expect(try sample.all(Reminder.find(1).selectStar()).map(\.id) == [1])
    let counts = Reminder.group(by: \.remindersListID).having { $0.count() > 1 }.count { !$0.isCompleted }
    #expect(try sample.all(counts) == [2])
    #expect(try sample.all(Reminder.limit { _ in RemindersList.count() }.select(\.id)).count == 3)
    #expect(try sample.all(Reminder.order(by: \.id).offset(3).select(\.id)) == [4])
    #expect(try sample.all(Reminder.order(by: \.id).limit(2, offset: 1).select(\.id)) == [2, 3])
    #expect(try sample.all(Reminder.select(\.remindersListID).distinct().distinct(false).count()) == [4])
    #expect(try sample.all(Reminder.where { _ in RemindersList.exists() }.count()) == [4])
    #expect(try sample.all(Reminder(id: 8, title: "v", remindersListID: 1).statement).map(\.title) == ["v"])
  }
}

extension Reminder {
  fileprivate static let inOrder = Self.order(by: \.id)
  fileprivate static let listed = Self.rightJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
}
