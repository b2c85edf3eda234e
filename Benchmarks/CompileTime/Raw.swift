/// The queries of Builder.swift as `#sql` texts.
import Foundation
import Martlet

func raw1(_ n: Int, _ now: Date) {
  keep(#sql("SELECT \(Reminder.columns) FROM \(Reminder.self) WHERE NOT \(Reminder.columns.isCompleted)", as: Reminder.self))
}

func raw2(_ n: Int, _ now: Date) {
  keep(#sql("SELECT \(Reminder.columns) FROM \(Reminder.self) WHERE \(Reminder.columns.isCompleted) AND \(Reminder.columns.priority) = \(bind: 3)", as: Reminder.self))
}

func raw3(_ n: Int, _ now: Date) {
  keep(#sql("SELECT * FROM reminders WHERE priority > 1 OR position < \(bind: n) ORDER BY title", as: Reminder.self))
}

func raw4(_ n: Int, _ now: Date) {
  keep(#sql("SELECT * FROM reminders WHERE title LIKE '%a%' AND NOT isCompleted ORDER BY position DESC, title LIMIT 10", as: Reminder.self))
}

func raw5(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, title, dueDate FROM reminders WHERE dueDate IS NULL", as: (Int, String, Date?).self))
}

func raw6(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id FROM reminders WHERE dueDate < \(bind: now) AND NOT isCompleted AND cost > 2.5", as: Int.self))
}

func raw7(_ n: Int, _ now: Date) {
  keep(#sql("SELECT \(Reminder.columns), \(RemindersList.columns) FROM \(Reminder.self) JOIN \(RemindersList.self) ON \(Reminder.columns.remindersListID) = \(RemindersList.columns.id)", as: (Reminder, RemindersList).self))
}

func raw8(_ n: Int, _ now: Date) {
  keep(#sql("SELECT r.title, l.title FROM reminders r JOIN remindersLists l ON r.remindersListID = l.id WHERE r.isCompleted AND l.position > 2 ORDER BY l.title, r.position DESC LIMIT 20", as: (String, String).self))
}

func raw9(_ n: Int, _ now: Date) {
  keep(#sql("SELECT r.title, l.title, r.position + 1 FROM reminders r LEFT JOIN remindersLists l ON r.remindersListID = l.id", as: Overview.self))
}

func raw10(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, count(r.id) FROM remindersLists l LEFT JOIN reminders r ON l.id = r.remindersListID GROUP BY l.id", as: (String, Int).self))
}

func raw11(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, max(r.title), count(r.id) FROM remindersLists l LEFT JOIN reminders r ON l.id = r.remindersListID GROUP BY l.id HAVING count(r.id) > 5", as: Overview.self))
}

func raw12(_ n: Int, _ now: Date) {
  keep(#sql("SELECT remindersListID, max(priority), sum(cost) FROM reminders GROUP BY remindersListID", as: (Int, Int?, Double?).self))
}

func raw13(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title || '!' FROM reminders WHERE id IN (1, 2, 3)", as: String.self))
}

func raw14(_ n: Int, _ now: Date) {
  keep(#sql("SELECT * FROM reminders WHERE remindersListID IN (SELECT id FROM remindersLists WHERE color IS NULL)", as: Reminder.self))
}

func raw15(_ n: Int, _ now: Date) {
  keep(#sql("SELECT count(*) FROM reminders WHERE position BETWEEN \(bind: n) AND \(bind: n + 10) AND coalesce(notes, '') <> ''", as: Int.self))
}

func raw16(_ n: Int, _ now: Date) {
  keep(#sql("SELECT CASE priority WHEN 1 THEN 'low' WHEN 2 THEN 'medium' ELSE 'high' END FROM reminders", as: String.self))
}

func raw17(_ n: Int, _ now: Date) {
  keep(#sql("SELECT CASE WHEN isCompleted AND cost > 10 THEN cost * 2 ELSE cost END FROM reminders", as: Double.self))
}

func raw18(_ n: Int, _ now: Date) {
  keep(#sql("SELECT upper(title), length(title), coalesce(notes, 'none') FROM reminders", as: (String, Int, String).self))
}

func raw19(_ n: Int, _ now: Date) {
  keep(#sql("SELECT round(cost * 1.2 + 3, 2) FROM reminders", as: Double.self))
}

func raw20(_ n: Int, _ now: Date) {
  keep(#sql("SELECT (position * 2 + id - 1) % 7 FROM reminders", as: Int.self))
}

func raw21(_ n: Int, _ now: Date) {
  keep(#sql("SELECT r.title, t.title FROM reminders r JOIN reminderTags x ON r.id = x.reminderID JOIN tags t ON x.tagID = t.id", as: (String, String).self))
}

func raw22(_ n: Int, _ now: Date) {
  keep(#sql("SELECT r.title, group_concat(t.title, ', ') FROM reminders r LEFT JOIN reminderTags x ON r.id = x.reminderID LEFT JOIN tags t ON x.tagID = t.id GROUP BY r.id", as: (String, String?).self))
}

func raw23(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, row_number() OVER (PARTITION BY remindersListID ORDER BY position DESC) FROM reminders", as: (String, Int).self))
}

func raw24(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, sum(cost) OVER (PARTITION BY remindersListID ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM reminders", as: (String, Double?).self))
}

func raw25(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title FROM reminders UNION SELECT title FROM remindersLists", as: String.self))
}

func raw26(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, title FROM reminders WHERE cost > 3 UNION ALL SELECT id, title FROM tags", as: (Int, String).self))
}

func raw27(_ n: Int, _ now: Date) {
  keep(#sql("WITH levels AS (SELECT id, position AS depth FROM reminders WHERE isCompleted) SELECT * FROM levels WHERE depth > 3 ORDER BY id", as: Level.self))
}

func raw28(_ n: Int, _ now: Date) {
  keep(#sql("WITH RECURSIVE levels AS (SELECT 1 AS id, 0 AS depth UNION ALL SELECT id + 1, depth + 1 FROM levels WHERE depth < 10) SELECT * FROM levels", as: Level.self))
}

func raw29(_ n: Int, _ now: Date) {
  keep(#sql("UPDATE reminders SET title = 'x', position = position + 1, isCompleted = NOT isCompleted WHERE id = \(bind: n)"))
}

func raw30(_ n: Int, _ now: Date) {
  keep(#sql("UPDATE reminders SET priority = 3, notes = NULL, cost = cost * 1.1 WHERE id = \(bind: n) RETURNING cost", as: Double.self))
}

func raw31(_ n: Int, _ now: Date) {
  keep(#sql("DELETE FROM reminders WHERE isCompleted AND dueDate < \(bind: now)"))
}

func raw32(_ n: Int, _ now: Date) {
  keep(#sql("INSERT INTO reminders (title, priority, remindersListID) VALUES ('a', 2, \(bind: n))"))
}

func raw33(_ n: Int, _ now: Date) {
  keep(#sql("INSERT INTO reminders (title, remindersListID) VALUES ('a', 1), ('b', 2)"))
}

func raw34(_ n: Int, _ now: Date) {
  keep(#sql("INSERT INTO remindersLists (title, position) VALUES ('a', \(bind: n)) ON CONFLICT (id) DO UPDATE SET position = position + excluded.position"))
}

func raw35(_ n: Int, _ now: Date) {
  keep(#sql("INSERT INTO remindersLists (id, title) VALUES (\(bind: n), 'x') ON CONFLICT (id) DO UPDATE SET title = excluded.title RETURNING id", as: Int.self))
}

func raw36(_ n: Int, _ now: Date) {
  keep(#sql("INSERT INTO tags (title) SELECT title FROM reminders WHERE isCompleted"))
}

func raw37(_ n: Int, _ now: Date) {
  keep(#sql("SELECT * FROM reminders WHERE EXISTS (SELECT 1 FROM reminderTags WHERE tagID = \(bind: n)) AND NOT isCompleted", as: Reminder.self))
}

func raw38(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, (SELECT count(*) FROM reminders r WHERE r.remindersListID = l.id AND NOT r.isCompleted) FROM remindersLists l", as: (String, Int).self))
}

func raw39(_ n: Int, _ now: Date) {
  keep(#sql("SELECT DISTINCT priority FROM reminders WHERE title COLLATE NOCASE = 'a' OR notes IS NULL", as: Int?.self))
}

func raw40(_ n: Int, _ now: Date) {
  keep(#sql("SELECT count(id), count(id) FILTER (WHERE isCompleted), avg(cost) FROM reminders", as: (Int, Int, Double?).self))
}

func raw41(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, position FROM reminders WHERE position > 7 AND NOT isCompleted AND title LIKE 'a%' ORDER BY position DESC, id LIMIT 5 OFFSET 0", as: (Int, Int).self))
}

func raw42(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, r.title, r.position FROM remindersLists l JOIN reminders r ON l.id = r.remindersListID AND r.position <= 7 WHERE l.position >= 0 OR r.notes IS NOT NULL ORDER BY r.position", as: (String, String, Int).self))
}

func raw43(_ n: Int, _ now: Date) {
  keep(#sql("SELECT remindersListID, min(position), max(position), count(id) FROM reminders GROUP BY remindersListID HAVING max(position) > 7", as: (Int, Int?, Int?, Int).self))
}

func raw44(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, upper(coalesce(notes, title)) FROM reminders WHERE position IN (SELECT position FROM reminders WHERE isCompleted) AND position + 1 < id * 2", as: (String, String).self))
}

func raw45(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, id FROM reminders WHERE id > 9 AND NOT isCompleted AND title LIKE 'a%' ORDER BY id DESC, id LIMIT 5 OFFSET 1", as: (Int, Int).self))
}

func raw46(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, r.title, r.id FROM remindersLists l JOIN reminders r ON l.id = r.remindersListID AND r.id <= 9 WHERE l.position >= 1 OR r.notes IS NOT NULL ORDER BY r.id", as: (String, String, Int).self))
}

func raw47(_ n: Int, _ now: Date) {
  keep(#sql("SELECT remindersListID, min(id), max(id), count(id) FROM reminders GROUP BY remindersListID HAVING max(id) > 9", as: (Int, Int?, Int?, Int).self))
}

func raw48(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, upper(coalesce(notes, title)) FROM reminders WHERE id IN (SELECT id FROM reminders WHERE isCompleted) AND position + 1 < id * 2", as: (String, String).self))
}

func raw49(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, cost FROM reminders WHERE cost > 2.5 AND NOT isCompleted AND title LIKE 'a%' ORDER BY cost DESC, id LIMIT 5 OFFSET 2", as: (Int, Double).self))
}

func raw50(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, r.title, r.cost FROM remindersLists l JOIN reminders r ON l.id = r.remindersListID AND r.cost <= 2.5 WHERE l.position >= 2 OR r.notes IS NOT NULL ORDER BY r.cost", as: (String, String, Double).self))
}

func raw51(_ n: Int, _ now: Date) {
  keep(#sql("SELECT remindersListID, min(cost), max(cost), count(id) FROM reminders GROUP BY remindersListID HAVING max(cost) > 2.5", as: (Int, Double?, Double?, Int).self))
}

func raw52(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, upper(coalesce(notes, title)) FROM reminders WHERE cost IN (SELECT cost FROM reminders WHERE isCompleted) AND position + 1 < id * 2", as: (String, String).self))
}

func raw53(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, title FROM reminders WHERE title > 'm' AND NOT isCompleted AND title LIKE 'a%' ORDER BY title DESC, id LIMIT 5 OFFSET 3", as: (Int, String).self))
}

func raw54(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, r.title, r.title FROM remindersLists l JOIN reminders r ON l.id = r.remindersListID AND r.title <= 'm' WHERE l.position >= 3 OR r.notes IS NOT NULL ORDER BY r.title", as: (String, String, String).self))
}

func raw55(_ n: Int, _ now: Date) {
  keep(#sql("SELECT remindersListID, min(title), max(title), count(id) FROM reminders GROUP BY remindersListID HAVING max(title) > 'm'", as: (Int, String?, String?, Int).self))
}

func raw56(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, upper(coalesce(notes, title)) FROM reminders WHERE title IN (SELECT title FROM reminders WHERE isCompleted) AND position + 1 < id * 2", as: (String, String).self))
}

func raw57(_ n: Int, _ now: Date) {
  keep(#sql("SELECT id, priority FROM reminders WHERE priority > 4 AND NOT isCompleted AND title LIKE 'a%' ORDER BY priority DESC, id LIMIT 5 OFFSET 4", as: (Int, Int?).self))
}

func raw58(_ n: Int, _ now: Date) {
  keep(#sql("SELECT l.title, r.title, r.priority FROM remindersLists l JOIN reminders r ON l.id = r.remindersListID AND r.priority <= 4 WHERE l.position >= 4 OR r.notes IS NOT NULL ORDER BY r.priority", as: (String, String, Int?).self))
}

func raw59(_ n: Int, _ now: Date) {
  keep(#sql("SELECT remindersListID, min(priority), max(priority), count(id) FROM reminders GROUP BY remindersListID HAVING max(priority) > 4", as: (Int, Int?, Int?, Int).self))
}

func raw60(_ n: Int, _ now: Date) {
  keep(#sql("SELECT title, upper(coalesce(notes, title)) FROM reminders WHERE priority IN (SELECT priority FROM reminders WHERE isCompleted) AND position + 1 < id * 2", as: (String, String).self))
}
