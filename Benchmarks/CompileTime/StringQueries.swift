// The queries of BuilderQueries.swift as SQL with values, in the same order.
import Foundation
import Martlet

func filters(text: String, now: Date, ids: [Int]) {
  _ = #sql("SELECT * FROM reminders WHERE NOT isCompleted AND priority = \(Priority.high)", as: Reminder.self)
  _ = #sql(
    "SELECT * FROM reminders WHERE title LIKE '%' || \(text) || '%' OR notes LIKE '%' || \(text) || '%'",
    as: Reminder.self)
  _ = #sql(
    "SELECT * FROM reminders WHERE dueDate < \(now) AND NOT isCompleted AND status <> \(Status.completed)",
    as: Reminder.self)
  _ = #sql(
    """
    SELECT * FROM reminders
    WHERE id IN (\(ids[0]), \(ids[1])) AND position BETWEEN 10 AND 100 AND dueDate IS NOT NULL
    """, as: Reminder.self)
  _ = #sql(
    "SELECT * FROM reminders WHERE title COLLATE nocase = 'bread' OR title LIKE '%milk%' OR position > 3",
    as: Reminder.self)
  _ = #sql(
    "SELECT * FROM reminders WHERE round(price * 1.19, 2) > 10 AND price / 2 < 100 AND position % 2 = 0",
    as: Reminder.self)
  _ = #sql(
    "SELECT * FROM reminders WHERE remindersListID IN (SELECT id FROM remindersLists WHERE title LIKE 'W%')",
    as: Reminder.self)
  _ = #sql(
    """
    SELECT * FROM reminders
    WHERE EXISTS (SELECT 1 FROM remindersTags WHERE reminderID = reminders.id AND tagID = 1)
    """, as: Reminder.self)
  _ = #sql(
    """
    SELECT * FROM reminders
    WHERE coalesce(priority, \(Priority.low)) = \(Priority.low) AND coalesce(dueDate, \(now)) >= \(now)
    """, as: Reminder.self)
  _ = #sql("SELECT * FROM reminders WHERE NOT isCompleted AND isFlagged AND length(title) > 3", as: Reminder.self)
  _ = #sql(
    """
    SELECT * FROM reminders
    WHERE trim(lower(title)) = \(text) AND substr(replace(notes, 'a', 'b'), 1, 3) <> 'xyz'
    """, as: Reminder.self)
  _ = #sql(
    """
    SELECT * FROM reminders
    WHERE price >= 10.5 AND price <= 99.5 AND (isFlagged OR priority = \(Priority.high))
    """, as: Reminder.self)
}

func selections(now: Date) {
  _ = #sql(
    "SELECT id, title, dueDate FROM reminders ORDER BY dueDate DESC NULLS LAST, title", as: (Int, String, Date?).self)
  _ = #sql(
    "SELECT * FROM reminders WHERE isCompleted ORDER BY priority DESC NULLS LAST, title LIMIT 10 OFFSET 20",
    as: Reminder.self)
  _ = #sql("SELECT upper(title), price * 2 + 1, position - 1 FROM reminders LIMIT 10", as: (String, Double, Int).self)
  _ = #sql(
    "SELECT coalesce(priority, \(Priority.low)), dueDate IS NOT NULL, title || '!' FROM reminders",
    as: (Priority, Bool, String).self)
  _ = #sql(
    """
    SELECT title, CASE priority WHEN \(Priority.low) THEN 'Low' WHEN \(Priority.high) THEN 'High' ELSE '-' END
    FROM reminders
    """, as: (String, String).self)
  _ = #sql(
    """
    SELECT title, CASE WHEN price < 10 THEN 'Budget' WHEN price < 100 THEN 'Standard' ELSE 'Premium' END
    FROM reminders
    """, as: (String, String).self)
  _ = #sql(
    "SELECT id, title FROM reminders ORDER BY CASE isFlagged WHEN 1 THEN 0 ELSE 1 END", as: (Int, String).self)
  _ = #sql(
    "SELECT DISTINCT strftime('%Y', dueDate), strftime('%m', dueDate), substr(title, 1, 10) FROM reminders",
    as: (Int?, Int?, String).self)
  _ = #sql(
    "SELECT length(title) + length(notes), round(price, 1), abs(price) FROM reminders",
    as: (Int, Double, Double).self)
  _ = #sql(
    "SELECT id, row_number() OVER (PARTITION BY remindersListID ORDER BY position) FROM reminders",
    as: (Int, Int).self)
  _ = #sql(
    "SELECT id, sum(price) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM reminders",
    as: (Int, Double?).self)
  _ = #sql(
    "SELECT title, price - lag(price, 1, 0) OVER (ORDER BY dueDate) FROM reminders", as: (String, Double).self)
}

func groups() {
  _ = #sql(
    """
    SELECT title, (SELECT max(dueDate) FROM reminders WHERE remindersListID = remindersLists.id)
    FROM remindersLists
    """, as: (String, Date?).self)
  _ = #sql("SELECT remindersListID, count(id) FROM reminders GROUP BY remindersListID", as: (Int, Int).self)
  _ = #sql(
    "SELECT remindersListID, sum(price) FROM reminders GROUP BY remindersListID HAVING count(id) > 1",
    as: (Int, Double?).self)
  _ = #sql(
    "SELECT min(price), max(price), avg(price), total(price) FROM reminders",
    as: (Double?, Double?, Double?, Double).self)
  _ = #sql(
    """
    SELECT count(id) FILTER (WHERE isCompleted), count(id) FILTER (WHERE NOT isCompleted AND isFlagged)
    FROM reminders
    """, as: (Int, Int).self)
  _ = #sql(
    """
    SELECT remindersListID, priority, group_concat(title, ', ' ORDER BY title)
    FROM reminders GROUP BY remindersListID, priority
    """, as: (Int, Priority?, String?).self)
  _ = #sql(
    """
    SELECT status, avg(price), sum(price) FILTER (WHERE isFlagged)
    FROM reminders GROUP BY status HAVING avg(price) > 10 AND count(id) >= 2
    """, as: (Status, Double?, Double?).self)
  _ = #sql(
    """
    SELECT remindersListID, count(id), count(id) FILTER (WHERE isCompleted), max(dueDate)
    FROM reminders GROUP BY remindersListID
    """, as: ListStats.self)
  _ = #sql("SELECT group_concat(DISTINCT title) FROM reminders WHERE NOT isCompleted", as: String?.self)
  _ = #sql(
    """
    SELECT count(*) FILTER (WHERE priority = \(Priority.high) OR isFlagged)
    FROM reminders WHERE NOT isCompleted
    """, as: Int.self)
  _ = #sql(
    "SELECT priority, count(id) FROM reminders GROUP BY priority ORDER BY count(id) DESC LIMIT 3",
    as: (Priority?, Int).self)
}

func joins(text: String) {
  _ = #sql(
    "SELECT reminders.title, l.title FROM reminders JOIN remindersLists l ON remindersListID = l.id",
    as: (String, String).self)
  _ = #sql(
    """
    SELECT reminders.*, l.title FROM reminders JOIN remindersLists l ON remindersListID = l.id
    WHERE reminders.title LIKE '%' || \(text) || '%' AND l.color IS NOT NULL
    ORDER BY l.position, reminders.position LIMIT 20
    """, as: (Reminder, String).self)
  _ = #sql(
    """
    SELECT l.*, reminders.* FROM remindersLists l LEFT JOIN reminders ON l.id = remindersListID
    WHERE reminders.id IS NULL
    """, as: (RemindersList, Reminder?).self)
  _ = #sql(
    """
    SELECT l.title, count(reminders.id), sum(price)
    FROM remindersLists l LEFT JOIN reminders ON l.id = remindersListID AND NOT isCompleted GROUP BY l.id
    """, as: (String, Int, Double?).self)
  _ = #sql(
    "SELECT title, coalesce(name, 'nobody') FROM reminders LEFT JOIN employees ON assigneeID = employees.id",
    as: (String, String).self)
  _ = #sql(
    """
    SELECT reminders.title, tags.title
    FROM reminders JOIN remindersTags ON reminders.id = reminderID JOIN tags ON tagID = tags.id
    WHERE tags.title IN ('food', 'shop') AND NOT isCompleted
    """, as: (String, String).self)
  _ = #sql(
    """
    SELECT reminders.title, group_concat(tags.title, ', ')
    FROM reminders LEFT JOIN remindersTags ON reminders.id = reminderID LEFT JOIN tags ON tagID = tags.id
    GROUP BY reminders.id
    """, as: (String, String?).self)
  _ = #sql(
    "SELECT e.name, m.name FROM employees e LEFT JOIN employees m ON e.managerID = m.id",
    as: (String, String?).self)
  _ = #sql(
    """
    SELECT e.name, e.salary - m.salary FROM employees e JOIN employees m ON e.managerID = m.id
    WHERE e.salary > m.salary ORDER BY e.salary - m.salary DESC
    """, as: (String, Double).self)
  _ = #sql(
    """
    SELECT reminders.title, l.title, priority IS \(Priority.high) AND NOT isCompleted
    FROM reminders JOIN remindersLists l ON remindersListID = l.id
    """, as: ReminderRow.self)
}

func compounds() {
  _ = #sql("SELECT title FROM reminders UNION SELECT title FROM remindersLists ORDER BY 1", as: String.self)
  _ = #sql("SELECT id, title FROM reminders UNION ALL SELECT id, title FROM tags", as: (Int, String).self)
  _ = #sql(
    """
    SELECT remindersListID FROM reminders WHERE isFlagged
    EXCEPT SELECT id FROM remindersLists WHERE position > 3
    """, as: Int.self)
  _ = #sql(
    """
    WITH expensive AS (SELECT * FROM reminders WHERE price > 100 AND NOT isCompleted)
    SELECT * FROM expensive ORDER BY price DESC, title LIMIT 10
    """, as: Reminder.self)
  _ = #sql(
    """
    WITH levels AS (SELECT 1 AS id, 0 AS depth UNION ALL SELECT id * 2, depth + 1 FROM levels WHERE depth < 4)
    SELECT * FROM levels ORDER BY depth DESC
    """, as: Level.self)
  _ = #sql(
    """
    WITH stats AS (
      SELECT remindersListID AS listID, count(id) AS count, count(id) FILTER (WHERE isCompleted) AS completed,
        max(dueDate) AS latest
      FROM reminders GROUP BY remindersListID)
    SELECT title, completed FROM remindersLists JOIN stats ON id = listID WHERE count > 3
    """, as: (String, Int).self)
}

func writes(text: String, id: Int, now: Date) {
  _ = #sql(
    """
    INSERT INTO reminders (title, priority, dueDate, remindersListID)
    VALUES (\(text), \(Priority.high), NULL, 1), ('Salt', NULL, \(now), 1) RETURNING id
    """, as: Int.self)
  _ = #sql("INSERT INTO reminders (title, remindersListID) VALUES ('Milk', 1), (\(text), 2)")
  _ = #sql("INSERT INTO reminders (title, remindersListID) SELECT title, id FROM tags")
  _ = #sql(
    """
    INSERT INTO reminders (id, title, remindersListID) VALUES (1, \(text), 1)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, notes = excluded.notes
    WHERE reminders.title <> excluded.title
    """)
  _ = #sql(
    """
    UPDATE reminders
    SET title = title || '!', isCompleted = NOT isCompleted, position = position + 1, price = price * 1.1
    WHERE id = \(id)
    """)
  _ = #sql(
    "UPDATE reminders SET priority = \(Priority.high), dueDate = NULL WHERE dueDate < \(now) AND NOT isCompleted")
  _ = #sql(
    """
    UPDATE reminders SET status = CASE status
      WHEN \(Status.incomplete) THEN \(Status.completing)
      WHEN \(Status.completing) THEN \(Status.completed) ELSE \(Status.incomplete) END
    WHERE id = \(id)
    """)
  _ = #sql(
    """
    UPDATE reminders SET title = reminders.title || l.title, position = l.position
    FROM remindersLists l WHERE remindersListID = l.id AND l.title <> ''
    """)
  _ = #sql(
    "DELETE FROM reminders WHERE isCompleted AND dueDate < \(now) RETURNING id, upper(title)",
    as: (Int, String).self)
}
