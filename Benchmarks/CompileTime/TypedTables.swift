import Foundation
import SQLite

/// The tables of Tables.swift in typed SQL, and the functions of SQL for which it has no call.
let reminders = Table("reminders")
let lists = Table("remindersLists")
let tags = Table("tags")
let reminderTags = Table("remindersTags")
let employees = Table("employees")
let managers = employees.alias("managers")
let excluded = Table("excluded")

enum Priority: Int, Value {
  case low = 1
  case medium
  case high

  static var declaredDatatype: String { Int64.declaredDatatype }
  static func fromDatatypeValue(_ number: Int64) throws -> Priority { try known(Priority(rawValue: Int(number))) }
  var datatypeValue: Int64 { Int64(rawValue) }
}

enum Status: Int, Value {
  case incomplete
  case completing
  case completed

  static var declaredDatatype: String { Int64.declaredDatatype }
  static func fromDatatypeValue(_ number: Int64) throws -> Status { try known(Status(rawValue: Int(number))) }
  var datatypeValue: Int64 { Int64(rawValue) }
}

func known<V>(_ value: V?) throws -> V {
  guard let value else { throw QueryError.unexpectedValue("The column has a number that is no case.") }
  return value
}

let id = SQLite.Expression<Int64>("id")
let title = SQLite.Expression<String>("title")
let notes = SQLite.Expression<String>("notes")
let isCompleted = SQLite.Expression<Bool>("isCompleted")
let isFlagged = SQLite.Expression<Bool>("isFlagged")
let priority = SQLite.Expression<Priority?>("priority")
let status = SQLite.Expression<Status>("status")
let dueDate = SQLite.Expression<Date?>("dueDate")
let position = SQLite.Expression<Int>("position")
let price = SQLite.Expression<Double>("price")
let remindersListID = SQLite.Expression<Int64>("remindersListID")
let assigneeID = SQLite.Expression<Int64?>("assigneeID")

let color = SQLite.Expression<Int?>("color")

let reminderID = SQLite.Expression<Int64>("reminderID")
let tagID = SQLite.Expression<Int64>("tagID")

let name = SQLite.Expression<String>("name")
let salary = SQLite.Expression<Double>("salary")
let managerID = SQLite.Expression<Int64?>("managerID")

let expensive = Table("expensive")
let titles = Table("titles")

let stats = Table("stats")
let listID = SQLite.Expression<Int64>("listID")
let amount = SQLite.Expression<Int>("count")
let completed = SQLite.Expression<Int>("completed")
let latest = SQLite.Expression<Date?>("latest")

let levels = Table("levels")
let depth = SQLite.Expression<Int>("depth")

let incomplete = reminders.filter(!isCompleted)

extension SQLite.Expression where Datatype: ColumnType {
  /// `count("id") FILTER (WHERE …)`
  func filtered(by condition: any Condition) -> SQLite.Expression<Datatype> {
    let (call, condition) = (expression, condition.expression)
    return SQLite.Expression(
      "\(call.template) FILTER (WHERE \(condition.template))", call.bindings + condition.bindings)
  }
}

extension SQLite.Expression<String> {
  /// `group_concat("title", ', ' ORDER BY "title")`
  func groupConcat(_ separator: String, order: any Expressible) -> SQLite.Expression<String?> {
    let (text, order) = (expression, order.expression)
    return SQLite.Expression(
      "group_concat(\(text.template), ? ORDER BY \(order.template))", text.bindings + [separator] + order.bindings)
  }
}

extension SQLite.Expression<Date?> {
  /// `CAST(strftime('%Y', "dueDate") AS INTEGER)`
  func part(_ format: String) -> SQLite.Expression<Int?> {
    SQLite.Expression("CAST(strftime(?, \(template)) AS INTEGER)", [format] + bindings)
  }
}

/// `CASE WHEN … THEN 'a' WHEN … THEN 'b' ELSE 'c' END`
func choice<V: Value>(_ branches: (any Condition, V)..., otherwise: V) -> SQLite.Expression<V> {
  var (text, bindings): (String, [(any Binding)?]) = ("CASE", [])
  for (condition, value) in branches {
    let condition = condition.expression
    text += " WHEN \(condition.template) THEN ?"
    bindings += condition.bindings + [value.datatypeValue]
  }
  return SQLite.Expression("\(text) ELSE ? END", bindings + [otherwise.datatypeValue])
}

/// `CASE WHEN … THEN "a" ELSE "b" END`
func choice<V: Value>(
  _ condition: any Condition, _ value: SQLite.Expression<V>, otherwise: SQLite.Expression<V>
) -> SQLite.Expression<V> {
  let condition = condition.expression
  return SQLite.Expression(
    "CASE WHEN \(condition.template) THEN \(value.template) ELSE \(otherwise.template) END",
    condition.bindings + value.bindings + otherwise.bindings)
}
