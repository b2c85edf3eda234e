import Foundation
import SQLite

/// The queries of BuilderQueries.swift in typed SQL, in the same order.
func filters(text: String, now: Date, ids: [Int64]) {
  _ = reminders.filter(!isCompleted && priority == .high)
  _ = reminders.filter(title.like("%\(text)%") || notes.like("%\(text)%"))
  _ = reminders.filter(dueDate < now && !isCompleted && status != .completed)
  _ = reminders.filter(ids.contains(id) && 10...100 ~= position && dueDate != nil)
  _ = reminders.filter(title.collate(.nocase) == "bread" || title.like("%milk%") || position > 3)
  _ = reminders.filter((price * 1.19).round(2) > 10 && price / 2 < 100 && position % 2 == 0)
  _ = reminders.filter(lists.filter(title.like("W%")).select(id).contains(remindersListID))
  _ = reminders.filter(
    SQLite.Expression<Bool>(
      reminderTags.filter(reminderTags[reminderID] == reminders[id] && reminderTags[tagID] == 1).exists))
  _ = reminders.filter((priority ?? .low) == .low && (dueDate ?? now) >= now)
  _ = incomplete.filter(isFlagged).filter(title.length > 3)
  _ = reminders.filter(
    title.lowercaseString.trim() == text && notes.replace("a", with: "b").substring(1, length: 3) != "xyz")
  _ = reminders.filter(price >= 10.5 && price <= 99.5 && (isFlagged || priority == .high))
}

func selections(now: Date) {
  // NULL is less than every value, so that descending it comes last.
  _ = reminders.select(id, title, dueDate).order(dueDate.desc, title)
  _ = reminders.filter(isCompleted).order(priority.desc, title).limit(10, offset: 20)
  _ = reminders.select(title.uppercaseString, price * 2 + 1, position - 1).limit(10)
  _ = reminders.select(priority ?? .low, dueDate != nil, title + "!")
  _ = reminders.select(title, choice((priority == .low, "Low"), (priority == .high, "High"), otherwise: "-"))
  _ = reminders.select(title, choice((price < 10, "Budget"), (price < 100, "Standard"), otherwise: "Premium"))
  _ = reminders.order(choice((isFlagged == true, 0), otherwise: 1)).select(id, title)
  _ = reminders.select(distinct: dueDate.part("%Y"), dueDate.part("%m"), title.substring(1, length: 10))
  _ = reminders.select(title.length + notes.length, price.round(1), price.absoluteValue)
  _ = reminders.select(id, rowNumber(position, partition: [remindersListID]))
  _ = reminders.select(id, price.sum.over(id, frame: .rows(.preceding(2), .currentRow)))
  _ = reminders.select(title, price - price.lag(offset: 1, default: 0, dueDate))
}

func groups() {
  _ = lists.select(
    title, reminders.filter(reminders[remindersListID] == lists[id]).select(dueDate.max).asExpression)
  _ = reminders.group(remindersListID).select(remindersListID, id.count)
  _ = reminders.group(remindersListID, having: id.count > 1).select(remindersListID, price.sum)
  _ = reminders.select(price.min, price.max, price.average, price.total)
  _ = reminders.select(id.count.filtered(by: isCompleted), id.count.filtered(by: !isCompleted && isFlagged))
  _ = reminders.group(remindersListID, priority).select(
    remindersListID, priority, title.groupConcat(", ", order: title)
  )
  _ = reminders.group(status, having: price.average > 10 && id.count >= 2).select(
    status, price.average, price.sum.filtered(by: isFlagged)
  )
  _ = reminders.group(remindersListID).select(
    remindersListID.alias("listID"), id.count.alias("count"), id.count.filtered(by: isCompleted).alias("completed"),
    dueDate.max.alias("latest")
  )
  // SQLite takes DISTINCT with one argument only, so that the titles are made different first.
  _ = titles.with(titles, as: incomplete.select(distinct: title)).select(title.groupConcat(" | "))
  _ = incomplete.select(count(*).filtered(by: priority == .high || isFlagged))
  _ = reminders.group(priority).order(id.count.desc).limit(3).select(priority, id.count)
}

func joins(text: String) {
  _ = reminders.join(lists, on: reminders[remindersListID] == lists[id]).select(reminders[title], lists[title])
  _ = reminders.join(lists, on: reminders[remindersListID] == lists[id])
    .filter(reminders[title].like("%\(text)%") && lists[color] != nil)
    .order(lists[position], reminders[position])
    .select(reminders[*], lists[title])
    .limit(20)
  _ = lists.join(.leftOuter, reminders, on: lists[id] == reminders[remindersListID])
    .filter(SQLite.Expression<Int64?>(reminders[id]) == nil)
  _ = lists.join(.leftOuter, reminders, on: lists[id] == reminders[remindersListID])
    .filter(!reminders[isCompleted])
    .group(lists[id])
    .select(lists[title], reminders[id].count, reminders[price].sum)
  _ = reminders.join(.leftOuter, employees, on: reminders[assigneeID] == employees[id])
    .select(reminders[title], SQLite.Expression<String?>(employees[name]) ?? "nobody")
  _ = reminders.join(reminderTags, on: reminders[id] == reminderTags[reminderID])
    .join(tags, on: reminderTags[tagID] == tags[id])
    .filter(["food", "shop"].contains(tags[title]) && !reminders[isCompleted])
    .select(reminders[title], tags[title])
  _ = reminders.group(reminders[id]).join(.leftOuter, reminderTags, on: reminders[id] == reminderTags[reminderID])
    .join(.leftOuter, tags, on: reminderTags[tagID] == tags[id])
    .select(reminders[title], tags[title].groupConcat(", "))
  _ = employees.join(.leftOuter, managers, on: employees[managerID] == managers[id])
    .select(employees[name], managers[name])
  _ = employees.join(managers, on: employees[managerID] == managers[id] && employees[salary] > managers[salary])
    .order((employees[salary] - managers[salary]).desc)
    .select(employees[name], employees[salary] - managers[salary])
  _ = reminders.join(lists, on: reminders[remindersListID] == lists[id]).select(
    reminders[title].alias("title"), lists[title].alias("listTitle"),
    (reminders[priority] === .high && !reminders[isCompleted]).alias("isUrgent")
  )
}

func compounds() {
  _ = reminders.select(title).union(lists.select(title)).order(title)
  _ = reminders.select(id, title).union(all: true, tags.select(id, title))
  // There is no EXCEPT: the rows that are not in the other query, each once.
  _ = reminders.filter(isFlagged && !lists.filter(position > 3).select(id).contains(remindersListID))
    .select(distinct: remindersListID)
  _ = expensive.with(expensive, as: reminders.filter(price > 100 && !isCompleted))
    .order(price.desc, title).limit(10)
  // There is no SELECT without FROM: counts of no rows are the first row, 1 and 0.
  _ = levels.with(
    levels, columns: [id, depth], recursive: true,
    as: tags.filter(SQLite.Expression<Bool>(value: false)).select(id.count + 1, id.count).union(
      all: true, levels.filter(depth < 4).select(id * 2, depth + 1))
  )
  .order(depth.desc)
  _ = lists.with(
    stats,
    as: reminders.group(remindersListID).select(
      remindersListID.alias("listID"), id.count.alias("count"), id.count.filtered(by: isCompleted).alias("completed"),
      dueDate.max.alias("latest"))
  )
  .join(stats, on: lists[id] == stats[listID]).filter(stats[amount] > 3).select(lists[title], stats[completed])
}

func writes(text: String, reminder: Int64, now: Date) {
  // There is no RETURNING: `run` returns the number of the row.
  _ = reminders.insertMany([
    [title <- text, priority <- .high, dueDate <- nil, remindersListID <- 1],
    [title <- "Salt", priority <- nil, dueDate <- now, remindersListID <- 1],
  ])
  _ = reminders.insertMany([
    [title <- "Milk", remindersListID <- 1],
    [title <- text, remindersListID <- 2],
  ])
  // Rows of a query are inserted with all of their columns.
  _ = reminders.insert(
    tags.select(
      SQLite.Expression<Int64?>.null, title, "", false, false, SQLite.Expression<Priority?>.null, Status.incomplete,
      SQLite.Expression<Date?>.null, 0, 0.0, id, SQLite.Expression<Int64?>.null
    ))
  // There is no WHERE behind DO UPDATE: the notes of a row whose title is the same stay.
  _ = reminders.upsert(
    id <- 1, title <- text, remindersListID <- 1,
    onConflictOf: id,
    set: [
      title <- excluded[title],
      notes <- choice(reminders[title] != excluded[title], excluded[notes], otherwise: reminders[notes]),
    ]
  )
  _ = reminders.filter(id == reminder).update(
    title += "!",
    isCompleted <- !isCompleted,
    position += 1,
    price <- price * 1.1
  )
  _ = reminders.filter(dueDate < now && !isCompleted).update(
    priority <- .high,
    dueDate <- nil
  )
  _ = reminders.filter(id == reminder).update(
    status <- choice((status == .incomplete, .completing), (status == .completing, .completed), otherwise: .incomplete)
  )
  // There is no UPDATE FROM: the list is looked up for each row.
  let list = lists.filter(lists[id] == reminders[remindersListID])
  _ = reminders.filter(lists.filter(title != "").select(id).contains(remindersListID)).update(
    title <- title + list.select(lists[title]).asExpression,
    position <- list.select(lists[position])
  )
  // There is no RETURNING: what is deleted is read first.
  let done = reminders.filter(isCompleted && dueDate < now)
  _ = done.select(id, title.uppercaseString)
  _ = done.delete()
}
