/// Sixty queries of middle size, with the builder; Raw.swift holds the same as SQL.
import Foundation
import Martlet

func builder1(_ n: Int, _ now: Date) {
  keep(Reminder.where { !$0.isCompleted })
}

func builder2(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.isCompleted && $0.priority.eq(3) })
}

func builder3(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.priority > 1 || $0.position < n }.order(by: \.title))
}

func builder4(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.title.like("%a%") && !$0.isCompleted }.order { ($0.position.desc(), $0.title) }.limit(10))
}

func builder5(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.id, $0.title, $0.dueDate) }.where { $0.dueDate.is(nil) })
}

func builder6(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.dueDate < now && !$0.isCompleted && $0.cost > 2.5 }.select(\.id))
}

func builder7(_ n: Int, _ now: Date) {
  keep(Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) })
}

func builder8(_ n: Int, _ now: Date) {
  keep(Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.where { $0.isCompleted && $1.position > 2 }.select { ($0.title, $1.title) }.order { ($1.title, $0.position.desc()) }.limit(20))
}

func builder9(_ n: Int, _ now: Date) {
  keep(Reminder.leftJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }.select { Overview.Columns(title: $0.title, listTitle: $1.title, count: $0.position + 1) })
}

func builder10(_ n: Int, _ now: Date) {
  keep(RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }.group(by: \.0.id).select { ($0.title, $1.id.count()) })
}

func builder11(_ n: Int, _ now: Date) {
  keep(RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }.group { l, _ in l.id }.having { $1.id.count() > 5 }.select { Overview.Columns(title: $0.title, listTitle: $1.title.max(), count: $1.id.count()) })
}

func builder12(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.remindersListID).select { ($0.remindersListID, $0.priority.max(), $0.cost.sum()) })
}

func builder13(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.id.in([1, 2, 3]) }.select { $0.title + "!" })
}

func builder14(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.remindersListID.in(RemindersList.where { $0.color.is(nil) }.select(\.id)) })
}

func builder15(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.position.between(n, and: n + 10) && ($0.notes ?? "").neq("") }.count())
}

func builder16(_ n: Int, _ now: Date) {
  keep(Reminder.select { Case($0.priority).when(1, then: "low").when(2, then: "medium").else("high") })
}

func builder17(_ n: Int, _ now: Date) {
  keep(Reminder.select { Case().when($0.isCompleted && $0.cost > 10, then: $0.cost * 2).else($0.cost) })
}

func builder18(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.title.upper(), $0.title.length(), $0.notes ?? "none") })
}

func builder19(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.cost * 1.2 + 3).round(2) })
}

func builder20(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.position * 2 + $0.id - 1) % 7 })
}

func builder21(_ n: Int, _ now: Date) {
  keep(Reminder.join(ReminderTag.all) { $0.id.eq($1.reminderID) }.join(Tag.all) { $1.tagID.eq($2.id) }.select { ($0.title, $2.title) })
}

func builder22(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.id).leftJoin(ReminderTag.all) { $0.id.eq($1.reminderID) }.leftJoin(Tag.all) { $1.tagID.eq($2.id) }.select { ($0.title, $2.title.groupConcat(", ")) })
}

func builder23(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.title, rowNumber().over(.partition(by: $0.remindersListID).order(by: $0.position.desc()))) })
}

func builder24(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.title, $0.cost.sum().over(.partition(by: $0.remindersListID).order(by: $0.id).rows(.unboundedPreceding, .currentRow))) })
}

func builder25(_ n: Int, _ now: Date) {
  keep(Reminder.select(\.title).union(RemindersList.select(\.title)))
}

func builder26(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.cost > 3 }.select { ($0.id, $0.title) }.union(all: true, Tag.select { ($0.id, $0.title) }))
}

func builder27(_ n: Int, _ now: Date) {
  keep(With { Reminder.where { $0.isCompleted }.select { Level.Columns(id: $0.id, depth: $0.position) } } query: { Level.where { $0.depth > 3 }.order(by: \.id) })
}

func builder28(_ n: Int, _ now: Date) {
  keep(With { Level(id: 1, depth: 0).union(all: true, Level.where { $0.depth < 10 }.select { Level.Columns(id: $0.id + 1, depth: $0.depth + 1) }) } query: { Level.all })
}

func builder29(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.id.eq(n) }.update { $0.title = "x"; $0.position += 1; $0.isCompleted.toggle() })
}

func builder30(_ n: Int, _ now: Date) {
  keep(Reminder.find(n).update { $0.priority = 3; $0.notes = nil; $0.cost *= 1.1 }.returning(\.cost))
}

func builder31(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.isCompleted && $0.dueDate < now }.delete())
}

func builder32(_ n: Int, _ now: Date) {
  keep(Reminder.insert { Reminder.Draft(title: "a", priority: 2, remindersListID: n) })
}

func builder33(_ n: Int, _ now: Date) {
  keep(Reminder.insert { ($0.title, $0.remindersListID) } values: { ("a", 1); ("b", 2) })
}

func builder34(_ n: Int, _ now: Date) {
  keep(RemindersList.insert { ($0.title, $0.position) } values: { ("a", n) } onConflict: { $0.id } doUpdate: { $0.position += $1.position })
}

func builder35(_ n: Int, _ now: Date) {
  keep(RemindersList.upsert { RemindersList.Draft(id: n, title: "x") }.returning(\.id))
}

func builder36(_ n: Int, _ now: Date) {
  keep(Tag.insert { $0.title } select: { Reminder.where { $0.isCompleted }.select(\.title) })
}

func builder37(_ n: Int, _ now: Date) {
  keep(Reminder.where { ReminderTag.where { $0.tagID.eq(n) }.exists() && !$0.isCompleted })
}

func builder38(_ n: Int, _ now: Date) {
  keep(RemindersList.select { list in (list.title, Reminder.where { $0.remindersListID.eq(list.id) && !$0.isCompleted }.count()) })
}

func builder39(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.title.collate(.nocase).eq("a") || $0.notes.is(nil) }.distinct().select(\.priority))
}

func builder40(_ n: Int, _ now: Date) {
  keep(Reminder.select { ($0.id.count(), $0.id.count(filter: $0.isCompleted), $0.cost.avg()) })
}

func builder41(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.position > 7 && !$0.isCompleted && $0.title.hasPrefix("a") }.order { ($0.position.desc(), $0.id) }.select { ($0.id, $0.position) }.limit(5).offset(0))
}

func builder42(_ n: Int, _ now: Date) {
  keep(RemindersList.join(Reminder.all) { $0.id.eq($1.remindersListID) && $1.position <= 7 }.where { $0.position >= 0 || $1.notes.isNot(nil) }.select { ($0.title, $1.title, $1.position) }.order { $1.position })
}

func builder43(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.remindersListID).having { $0.position.max() > 7 }.select { ($0.remindersListID, $0.position.min(), $0.position.max(), $0.id.count()) })
}

func builder44(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.position.in(Reminder.where { $0.isCompleted }.select(\.position)) && $0.position + 1 < $0.id * 2 }.select { ($0.title, ($0.notes ?? $0.title).upper()) })
}

func builder45(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.id > 9 && !$0.isCompleted && $0.title.hasPrefix("a") }.order { ($0.id.desc(), $0.id) }.select { ($0.id, $0.id) }.limit(5).offset(1))
}

func builder46(_ n: Int, _ now: Date) {
  keep(RemindersList.join(Reminder.all) { $0.id.eq($1.remindersListID) && $1.id <= 9 }.where { $0.position >= 1 || $1.notes.isNot(nil) }.select { ($0.title, $1.title, $1.id) }.order { $1.id })
}

func builder47(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.remindersListID).having { $0.id.max() > 9 }.select { ($0.remindersListID, $0.id.min(), $0.id.max(), $0.id.count()) })
}

func builder48(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.id.in(Reminder.where { $0.isCompleted }.select(\.id)) && $0.position + 1 < $0.id * 2 }.select { ($0.title, ($0.notes ?? $0.title).upper()) })
}

func builder49(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.cost > 2.5 && !$0.isCompleted && $0.title.hasPrefix("a") }.order { ($0.cost.desc(), $0.id) }.select { ($0.id, $0.cost) }.limit(5).offset(2))
}

func builder50(_ n: Int, _ now: Date) {
  keep(RemindersList.join(Reminder.all) { $0.id.eq($1.remindersListID) && $1.cost <= 2.5 }.where { $0.position >= 2 || $1.notes.isNot(nil) }.select { ($0.title, $1.title, $1.cost) }.order { $1.cost })
}

func builder51(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.remindersListID).having { $0.cost.max() > 2.5 }.select { ($0.remindersListID, $0.cost.min(), $0.cost.max(), $0.id.count()) })
}

func builder52(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.cost.in(Reminder.where { $0.isCompleted }.select(\.cost)) && $0.position + 1 < $0.id * 2 }.select { ($0.title, ($0.notes ?? $0.title).upper()) })
}

func builder53(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.title > "m" && !$0.isCompleted && $0.title.hasPrefix("a") }.order { ($0.title.desc(), $0.id) }.select { ($0.id, $0.title) }.limit(5).offset(3))
}

func builder54(_ n: Int, _ now: Date) {
  keep(RemindersList.join(Reminder.all) { $0.id.eq($1.remindersListID) && $1.title <= "m" }.where { $0.position >= 3 || $1.notes.isNot(nil) }.select { ($0.title, $1.title, $1.title) }.order { $1.title })
}

func builder55(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.remindersListID).having { $0.title.max() > "m" }.select { ($0.remindersListID, $0.title.min(), $0.title.max(), $0.id.count()) })
}

func builder56(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.title.in(Reminder.where { $0.isCompleted }.select(\.title)) && $0.position + 1 < $0.id * 2 }.select { ($0.title, ($0.notes ?? $0.title).upper()) })
}

func builder57(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.priority > 4 && !$0.isCompleted && $0.title.hasPrefix("a") }.order { ($0.priority.desc(), $0.id) }.select { ($0.id, $0.priority) }.limit(5).offset(4))
}

func builder58(_ n: Int, _ now: Date) {
  keep(RemindersList.join(Reminder.all) { $0.id.eq($1.remindersListID) && $1.priority <= 4 }.where { $0.position >= 4 || $1.notes.isNot(nil) }.select { ($0.title, $1.title, $1.priority) }.order { $1.priority })
}

func builder59(_ n: Int, _ now: Date) {
  keep(Reminder.group(by: \.remindersListID).having { $0.priority.max() > 4 }.select { ($0.remindersListID, $0.priority.min(), $0.priority.max(), $0.id.count()) })
}

func builder60(_ n: Int, _ now: Date) {
  keep(Reminder.where { $0.priority.in(Reminder.where { $0.isCompleted }.select(\.priority)) && $0.position + 1 < $0.id * 2 }.select { ($0.title, ($0.notes ?? $0.title).upper()) })
}
