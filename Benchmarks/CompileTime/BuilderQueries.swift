// Sixty queries of medium size in the builder; StringQueries.swift says the same ones in SQL, in the same order.
import Foundation
import Martlet

func filters(text: String, now: Date, ids: [Int]) {
  _ = Reminder.where { !$0.isCompleted && $0.priority.eq(.high) }
  _ = Reminder.where { $0.title.contains(text) || $0.notes.contains(text) }
  _ = Reminder.where { $0.dueDate < now && !$0.isCompleted && $0.status.neq(.completed) }
  _ = Reminder.where { $0.id.in(ids) && $0.position.between(10, and: 100) && $0.dueDate.isNot(nil) }
  _ = Reminder.where { $0.title.collate(.nocase).eq("bread") || $0.title.like("%milk%") || $0.position > 3 }
  _ = Reminder.where { ($0.price * 1.19).round(2) > 10 && $0.price / 2 < 100 && ($0.position % 2).eq(0) }
  _ = Reminder.where { $0.remindersListID.in(RemindersList.where { $0.title.hasPrefix("W") }.select(\.id)) }
  _ = Reminder.where { reminder in
    ReminderTag.where { $0.reminderID.eq(reminder.id) && $0.tagID.eq(1) }.exists()
  }
  _ = Reminder.where { ($0.priority ?? .low).eq(.low) && ($0.dueDate ?? now) >= now }
  _ = Reminder.incomplete.flagged.where { $0.title.length() > 3 }
  _ = Reminder.where { $0.title.lower().trim().eq(text) && $0.notes.replace("a", "b").substr(1, 3).neq("xyz") }
  _ = Reminder.where { $0.price >= 10.5 && $0.price <= 99.5 && ($0.isFlagged || $0.priority.eq(.high)) }
}

func selections(now: Date) {
  _ = Reminder.select { ($0.id, $0.title, $0.dueDate) }.order { ($0.dueDate.desc(nulls: .last), $0.title) }
  _ = Reminder.where(\.isCompleted).order { ($0.priority.desc(nulls: .last), $0.title) }.limit(10, offset: 20)
  _ = Reminder.select { ($0.title.upper(), $0.price * 2 + 1, $0.position - 1) }.limit(10)
  _ = Reminder.select { ($0.priority ?? .low, $0.dueDate.isNot(nil), $0.title + "!") }
  _ = Reminder.select { ($0.title, Case($0.priority).when(.low, then: "Low").when(.high, then: "High").else("-")) }
  _ = Reminder.select {
    (
      $0.title,
      Case().when($0.price < 10, then: "Budget").when($0.price < 100, then: "Standard").else("Premium")
    )
  }
  _ = Reminder.order { Case($0.isFlagged).when(true, then: 0).else(1) }.select { ($0.id, $0.title) }
  _ = Reminder.select { ($0.dueDate.year, $0.dueDate.month, $0.title.substr(1, 10)) }.distinct()
  _ = Reminder.select { ($0.title.length() + $0.notes.length(), $0.price.round(1), $0.price.abs()) }
  _ = Reminder.select { ($0.id, rowNumber().over(.partition(by: $0.remindersListID).order(by: $0.position))) }
  _ = Reminder.select { ($0.id, $0.price.sum().over(Window.order(by: $0.id).rows(.preceding(2), .currentRow))) }
  _ = Reminder.select { ($0.title, $0.price - $0.price.lag(1, default: 0).over(.order(by: $0.dueDate))) }
}

func groups() {
  _ = RemindersList.select { list in
    (list.title, Reminder.where { $0.remindersListID.eq(list.id) }.select { $0.dueDate.max() })
  }
  _ = Reminder.group(by: \.remindersListID).select { ($0.remindersListID, $0.count()) }
  _ = Reminder.group(by: \.remindersListID).having { $0.count() > 1 }.select { ($0.remindersListID, $0.price.sum()) }
  _ = Reminder.select { ($0.price.min(), $0.price.max(), $0.price.avg(), $0.price.total()) }
  _ = Reminder.select { ($0.count(filter: $0.isCompleted), $0.count(filter: !$0.isCompleted && $0.isFlagged)) }
  _ = Reminder.group { ($0.remindersListID, $0.priority) }.select {
    ($0.remindersListID, $0.priority, $0.title.groupConcat(", ", order: $0.title))
  }
  _ = Reminder.group(by: \.status).having { $0.price.avg() > 10 && $0.count() >= 2 }.select {
    ($0.status, $0.price.avg(), $0.price.sum(filter: $0.isFlagged))
  }
  _ = Reminder.group(by: \.remindersListID).select {
    ListStats.Columns(
      listID: $0.remindersListID, count: $0.count(), completed: $0.count(filter: $0.isCompleted),
      latest: $0.dueDate.max())
  }
  _ = Reminder.where { !$0.isCompleted }.select { $0.title.groupConcat(distinct: true, separator: " | ") }
  _ = Reminder.incomplete.count(filter: { $0.priority.eq(.high) || $0.isFlagged })
  _ = Reminder.group(by: \.priority).order { $0.count().desc() }.limit(3).select { ($0.priority, $0.count()) }
}

func joins(text: String) {
  _ = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.select { ($0.title, $1.title) }
  _ = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }
    .where { $0.title.contains(text) && $1.color.isNot(nil) }
    .order { ($1.position, $0.position) }
    .select { ($0, $1.title) }
    .limit(20)
  _ = RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }.where { $1.id.is(nil) }
  _ = RemindersList.leftJoin(Reminder.incomplete) { $0.id.eq($1.remindersListID) }
    .group { list, _ in list.id }
    .select { ($0.title, $1.count(), $1.price.sum()) }
  _ = Reminder.leftJoin(Employee.all) { $0.assigneeID.eq($1.id) }.select { ($0.title, $1.name ?? "nobody") }
  _ = Reminder.join(ReminderTag.all) { $0.id.eq($1.reminderID) }.join(Tag.all) { $1.tagID.eq($2.id) }
    .where { $2.title.in(["food", "shop"]) && !$0.isCompleted }
    .select { ($0.title, $2.title) }
  _ = Reminder.group(by: \.id).leftJoin(ReminderTag.all) { $0.id.eq($1.reminderID) }
    .leftJoin(Tag.all) { $1.tagID.eq($2.id) }
    .select { ($0.title, $2.title.groupConcat(", ")) }
  _ = Employee.leftJoin(Employee.as(Manager.self).all) { $0.managerID.eq($1.id) }.select { ($0.name, $1.name) }
  _ = Employee.join(Employee.as(Manager.self).all) { $0.managerID.eq($1.id) && $0.salary > $1.salary }
    .order { ($0.salary - $1.salary).desc() }
    .select { ($0.name, $0.salary - $1.salary) }
  _ = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.select {
    ReminderRow.Columns(
      title: $0.title, listTitle: $1.title, isUrgent: $0.priority.is(.high) && !$0.isCompleted)
  }
}

func compounds() {
  _ = Reminder.select(\.title).union(RemindersList.select(\.title)).order(byColumn: 1)
  _ = Reminder.select { ($0.id, $0.title) }.union(all: true, Tag.select { ($0.id, $0.title) })
  _ = Reminder.where(\.isFlagged).select(\.remindersListID).except(RemindersList.where { $0.position > 3 }.select(\.id))
  _ = With {
    Reminder.where { $0.price > 100 && !$0.isCompleted }
  } query: { expensive in
    expensive.order { ($0.price.desc(), $0.title) }.limit(10)
  }
  _ = With {
    Level(id: 1, depth: 0).union(
      all: true, Level.where { $0.depth < 4 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) })
  } query: {
    Level.order { $0.depth.desc() }
  }
  _ = With {
    Reminder.group(by: \.remindersListID).select {
      ListStats.Columns(
        listID: $0.remindersListID, count: $0.count(), completed: $0.count(filter: $0.isCompleted),
        latest: $0.dueDate.max())
    }
  } query: {
    RemindersList.join(ListStats.all) { $0.id.eq($1.listID) }.where { $1.count > 3 }.select { ($0.title, $1.completed) }
  }
}

func writes(text: String, id: Int, now: Date) {
  _ = Reminder.insert {
    Reminder.Draft(title: text, priority: .high, remindersListID: 1)
    Reminder.Draft(title: "Salt", dueDate: now, remindersListID: 1)
  }
  .returning(\.id)
  _ = Reminder.insert {
    ($0.title, $0.remindersListID)
  } values: {
    ("Milk", 1)
    (text, 2)
  }
  _ = Reminder.insert {
    ($0.title, $0.remindersListID)
  } select: {
    Tag.select { ($0.title, $0.id) }
  }
  _ = Reminder.insert {
    Reminder(id: 1, title: text, remindersListID: 1)
  } onConflict: {
    $0.id
  } doUpdate: { row, excluded in
    row.title = excluded.title
    row.notes = excluded.notes
  } where: { row, excluded in
    row.title.neq(excluded.title)
  }
  _ = Reminder.find(id).update {
    $0.title += "!"
    $0.isCompleted.toggle()
    $0.position += 1
    $0.price = $0.price * 1.1
  }
  _ = Reminder.where { $0.dueDate < now && !$0.isCompleted }.update {
    $0.priority = .high
    $0.dueDate = nil
  }
  _ = Reminder.find(id).update {
    $0.status = Case($0.status)
      .when(.incomplete, then: .completing)
      .when(.completing, then: .completed)
      .else(.incomplete)
  }
  _ = Reminder.update(from: RemindersList.all) { row, list in
    row.title = row.title + list.title
    row.position = list.position
  } where: {
    $0.remindersListID.eq($1.id) && $1.title.neq("")
  }
  _ = Reminder.where { $0.isCompleted && $0.dueDate < now }.delete().returning { ($0.id, $0.title.upper()) }
}
