/// Pieces of programs that must not compile, each with what the compiler shall say and a close twin that must compile.
///
/// Always true: each piece stands alone in a function of its own, below `Snippet.tables`.
struct Snippet: Sendable {
  var name: String
  /// Must not compile.
  var wrong: String
  /// Part of one of the messages about it.
  var says: String
  var right: String

  static let tables = """
    import Foundation
    import Martlet

    @Table struct Reminder {
      let id: Int
      var title: String
      var priority: Int?
      var isDone = false
      var dueDate: Date?
      var listID: Int
      @Column(generated: .virtual) var shout: String
    }
    @Table struct RemindersList {
      let id: UUID
      var name: String
      var position: Int
    }
    @Table struct Enrollment {
      let id: ID
      var grade: Double?
      @Selection struct ID: Hashable {
        var student: Int
        var course: Int
      }
    }
    @Selection struct Row {
      var title: String
      var position: Int?
    }
    enum Other: AliasName {}
    """

  static let all: [Snippet] = comparisons + shapes + writes + aggregates

  private static let comparisons = [
    Snippet(
      name: "== between expressions", wrong: "_ = Reminder.where { $0.title == $0.title }", says: "Use 'eq'",
      right: "_ = Reminder.where { $0.title.eq($0.title) }"),
    Snippet(
      name: "== with a value", wrong: "_ = Reminder.where { $0.id == 3 }", says: "Use 'eq'",
      right: "_ = Reminder.where { $0.id.eq(3) }"),
    Snippet(
      name: "!= with a value", wrong: "_ = Reminder.where { $0.title != \"x\" }", says: "Use 'neq'",
      right: "_ = Reminder.where { $0.title.neq(\"x\") }"),
    Snippet(
      name: "a number compared with a text", wrong: "_ = Reminder.where { $0.id.eq(\"3\") }",
      says: "'eq' requires the types 'Int' and 'String'", right: "_ = Reminder.where { $0.id.eq(3) }"),
    Snippet(
      name: "columns of unlike types", wrong: "_ = Reminder.where { $0.id.eq($0.title) }", says: "'String'",
      right: "_ = Reminder.where { $0.id.eq($0.listID) }"),
    Snippet(
      name: "columns of unlike types in order", wrong: "_ = Reminder.where { $0.id < $0.title }", says: "'String'",
      right: "_ = Reminder.where { $0.id < $0.listID }"),
    Snippet(
      name: "keys of unlike types in a join",
      wrong: "_ = Reminder.join(RemindersList.all) { $0.listID.eq($1.id) }", says: "'UUID'",
      right: "_ = Reminder.join(RemindersList.all) { $0.listID.eq($1.position) }"),
    Snippet(
      name: "nil for a column that is never NULL", wrong: "_ = Reminder.where { $0.title.eq(nil) }",
      says: "never NULL", right: "_ = Reminder.where { $0.priority.eq(nil) }"),
    Snippet(
      name: "arithmetic with a text", wrong: "_ = Reminder.select { $0.title * 2 }", says: "'*'",
      right: "_ = Reminder.select { $0.id * 2 }"),
    Snippet(
      name: "a pattern for a number", wrong: "_ = Reminder.where { $0.id.like(\"a%\") }", says: "'String'",
      right: "_ = Reminder.where { $0.title.like(\"a%\") }"),
    Snippet(
      name: "values of another type in a list", wrong: "_ = Reminder.where { $0.id.in([\"a\", \"b\"]) }",
      says: "'String'", right: "_ = Reminder.where { $0.id.in([1, 2]) }"),
    Snippet(
      name: "a subquery of another type",
      wrong: "_ = Reminder.where { $0.id.in(RemindersList.select(\\.name)) }", says: "'String'",
      right: "_ = Reminder.where { $0.id.in(RemindersList.select(\\.position)) }"),
    Snippet(
      name: "a filter that is no condition", wrong: "_ = Reminder.where { $0.title }", says: "Bool",
      right: "_ = Reminder.where { $0.isDone }"),
    Snippet(
      name: "an unknown column", wrong: "_ = Reminder.where { $0.titel.eq(\"a\") }", says: "no member 'titel'",
      right: "_ = Reminder.where { $0.title.eq(\"a\") }"),
    Snippet(
      name: "a key of another type", wrong: "_ = Reminder.find(\"3\")", says: "'Int'",
      right: "_ = Reminder.find(3)"),
    Snippet(
      name: "half a composite key", wrong: "_ = Enrollment.find(3)", says: "'Enrollment.ID'",
      right: "_ = Enrollment.find(Enrollment.ID(student: 1, course: 2))"),
  ]

  private static let shapes = [
    Snippet(
      name: "another type in a selection",
      wrong: "_ = Reminder.select { Row.Columns(title: $0.id, position: $0.priority) }", says: "'String'",
      right: "_ = Reminder.select { Row.Columns(title: $0.title, position: $0.priority) }"),
    Snippet(
      name: "too little in a selection", wrong: "_ = Reminder.select { Row.Columns(position: $0.priority) }",
      says: "missing argument for parameter 'title'",
      right: "_ = Reminder.select { Row.Columns(title: $0.title, position: $0.priority) }"),
    Snippet(
      name: "an optional side as if it were there",
      wrong: """
        _ = Reminder.leftJoin(RemindersList.all) { $0.listID.eq($1.position) }
          .select { Row.Columns(title: $1.name, position: $1.position) }
        """,
      says: "'String?'",
      right: """
        _ = Reminder.leftJoin(RemindersList.all) { $0.listID.eq($1.position) }
          .select { Row.Columns(title: $1.name ?? "", position: $1.position) }
        """),
    Snippet(
      name: "rows of an optional side as if they were there",
      wrong: """
        func rows(_ db: Database) throws -> [(Reminder, RemindersList)] {
          try Reminder.leftJoin(RemindersList.all) { $0.listID.eq($1.position) }.fetchAll(db)
        }
        """,
      says: "RemindersList",
      right: """
        func rows(_ db: Database) throws -> [(Reminder, RemindersList?)] {
          try Reminder.leftJoin(RemindersList.all) { $0.listID.eq($1.position) }.fetchAll(db)
        }
        """),
    Snippet(
      name: "a union of unlike rows",
      wrong: "_ = Reminder.select(\\.title).union(RemindersList.select(\\.position))", says: "'String'",
      right: "_ = Reminder.select(\\.title).union(RemindersList.select(\\.name))"),
    Snippet(
      name: "a union of rows of unlike width",
      wrong: "_ = Reminder.select { ($0.title, $0.id) }.union(RemindersList.select(\\.name))",
      says: "QueryExpression",
      right: "_ = Reminder.select { ($0.title, $0.id) }.union(RemindersList.select { ($0.name, $0.position) })"),
    Snippet(
      name: "a second table's column in the first's closure",
      wrong: "_ = Reminder.join(RemindersList.all) { $0.id.eq($1.position) }.where { $0.name.eq(\"a\") }",
      says: "no member 'name'",
      right: "_ = Reminder.join(RemindersList.all) { $0.id.eq($1.position) }.where { $1.name.eq(\"a\") }"),
    Snippet(
      name: "an order by what is no column", wrong: "_ = Reminder.order { _ in RemindersList.self }",
      says: "QueryExpression", right: "_ = Reminder.order { ($0.title, $0.id.desc()) }"),
    Snippet(
      name: "a text where a count is due", wrong: "_ = Reminder.limit(\"10\")", says: "'Int'",
      right: "_ = Reminder.limit(10)"),
  ]

  private static let writes = [
    Snippet(
      name: "a draft without a required column", wrong: "_ = Reminder.Draft(title: \"a\")",
      says: "missing argument for parameter 'listID'", right: "_ = Reminder.Draft(title: \"a\", listID: 1)"),
    Snippet(
      name: "a draft of another table in an insert",
      wrong: "_ = Reminder.insert { RemindersList.Draft(name: \"a\", position: 1) }", says: "RemindersList",
      right: "_ = RemindersList.insert { RemindersList.Draft(name: \"a\", position: 1) }"),
    Snippet(
      name: "too few values for the columns",
      wrong: "_ = Reminder.insert { ($0.title, $0.listID) } values: { (\"a\") }",
      says: "QueryExpression",
      right: "_ = Reminder.insert { ($0.title, $0.listID) } values: { (\"a\", 1) }"),
    Snippet(
      name: "a value of another type for a column",
      wrong: "_ = Reminder.insert { ($0.title, $0.listID) } values: { (\"a\", \"b\") }",
      says: "QueryExpression",
      right: "_ = Reminder.insert { ($0.title, $0.listID) } values: { (\"a\", 2) }"),
    Snippet(
      name: "an update with another type", wrong: "_ = Reminder.update { $0.title = 3 }", says: "'Int'",
      right: "_ = Reminder.update { $0.title = \"3\" }"),
    Snippet(
      name: "an update of a column that is never NULL with nil", wrong: "_ = Reminder.update { $0.title = nil }",
      says: "nil", right: "_ = Reminder.update { $0.priority = nil }"),
    Snippet(
      name: "an update of a generated column", wrong: "_ = Reminder.update { $0.shout = \"A\" }",
      says: "SQLite computes this column",
      right: "_ = Reminder.select(\\.shout)"),
    Snippet(
      name: "an update of another table's column", wrong: "_ = Reminder.update { $0.name = \"A\" }",
      says: "no member 'name'", right: "_ = RemindersList.update { $0.name = \"A\" }"),
  ]

  private static let aggregates = [
    Snippet(
      name: "a sum of texts", wrong: "_ = Reminder.select { $0.title.sum() }", says: "Numeric",
      right: "_ = Reminder.select { $0.priority.sum() }"),
    Snippet(
      name: "an aggregate of an aggregate", wrong: "_ = Reminder.select { $0.priority.sum().max() }",
      says: "aggregate", right: "_ = Reminder.select { $0.priority.sum() + $0.priority.max() }"),
    Snippet(
      name: "a filter of an aggregate that is no condition",
      wrong: "_ = Reminder.select { $0.id.count(filter: $0.title) }", says: "'Bool'",
      right: "_ = Reminder.select { $0.id.count(filter: $0.isDone) }"),
  ]
}
