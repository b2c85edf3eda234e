/// Tables in every form that people write them in, compiled by the macros and used in statements.
///
/// Always true: what a test compares is the SQL of a statement, or the rows that a batch decodes to.
import Foundation
public import Martlet
import MartletValues
import Testing

@Table
nonisolated struct Reminder: Identifiable, Hashable, Sendable {
  let id: Int
  var title = ""
  var isCompleted = false
  var priority: Priority?
  var dueDate: Date?  // when it is due
  var ratio = -1.5, count = 0
  @Column("remindersListID") var listID: RemindersList.ID
  @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
  @Column(as: Date.UnixTimeRepresentation.self)
  var updatedAt: Date?
  @Ephemeral var isSelected = false
  var label: String { title + "!" }

  enum Priority: Int, QueryBindable {
    case low = 1
    case high
  }
}

@Table
struct RemindersList: Identifiable, Equatable {
  let id: UUID
  var title = ""
  var timestamps: Timestamps
}

@Selection
struct Timestamps: Equatable {
  var createdAt: Date
  var updatedAt: Date?
}

@Table("tags", schema: "main")
public struct Tag: Identifiable {
  @Column(primaryKey: true) public var title: String
  public var id: String { title }
  @Column(generated: .virtual) public var shout: String
}

@Table
private struct Hidden {
  @Column(primaryKey: true) private var key: Int
  fileprivate var value: String?
}

@Table
struct Enrollment: Equatable {
  let id: ID
  var grade: Double?

  @Selection
  struct ID: Hashable {
    var student: Int
    var course: Int
  }
}

@Table
struct Attachment: Identifiable, Equatable {
  let id: Int
  var kind: Kind
  var note: Extra?

  @CasePathable @Selection
  enum Kind: Equatable {
    case link(URL)
    case text(String)
    case image(Attachment.Image)
  }

  @Selection
  struct Image: Equatable {
    var caption = ""
    var size: Int
  }

  @Selection
  struct Extra: Equatable {
    var author: String
    var stars: Int
  }
}

@Selection
struct ListedReminder: Equatable {
  var reminder: Reminder
  var list: RemindersList?
  var isLate = false
}

@Table @Selection
struct ReminderTitle {
  let title: String
  let listTitle: String
}

@Table struct Box<Content: QueryBindable & Equatable> where Content.QueryOutput == Content {
  let id: Int
  var content: Content
}

@Suite struct TableFormsTests {
  @Table
  struct Nested: Equatable {
    let id: Int
    var shade: Shade = .dark
    var place: Place

    enum Shade: String, QueryBindable { case dark, light }
  }

  @Selection
  struct Place: Equatable {
    var x: Int
    var y: Int
  }

  @Test func `names follow from types`() {
    #expect(Reminder.tableName == "reminders")
    #expect(RemindersList.tableName == "remindersLists")
    #expect(Tag.tableName == "tags")
    #expect(Tag.schemaName == "main")
    #expect(Nested.tableName == "nesteds")
    #expect(
      Reminder.TableColumns.allColumns.map(\.name) == [
        "id", "title", "isCompleted", "priority", "dueDate", "ratio", "count", "remindersListID", "tags", "updatedAt",
      ])
    #expect(Reminder.TableColumns.allColumns.filter(\.isPrimaryKey).map(\.name) == ["id"])
    #expect(Enrollment.TableColumns.allColumns.filter(\.isPrimaryKey).map(\.name) == ["student", "course"])
    #expect(
      Attachment.TableColumns.allColumns.map(\.name) == [
        "id", "link", "text", "caption", "size", "author", "stars",
      ])
    #expect(Tag.TableColumns.allColumns.filter(\.isGenerated).map(\.name) == ["shout"])
  }

  @Test func `a statement is typed by the table`() {
    #expect(
      Reminder.where { !$0.isCompleted && $0.priority.eq(.high) }.order(by: \.title).select(\.title).sql == """
        SELECT "reminders"."title"
        FROM "reminders"
        WHERE (NOT ("reminders"."isCompleted")) AND (("reminders"."priority") = (?1))
        ORDER BY "reminders"."title"
        """)
    #expect(Box<Int>.where { $0.content.eq(1) }.select(\.id).sql.contains("\"boxes\".\"content\""))
    #expect(Enrollment.find(Enrollment.ID(student: 1, course: 2)).sql.contains("\"student\", "))
    #expect(RemindersList.where { $0.timestamps.createdAt < Date() }.sql.contains("\"remindersLists\".\"createdAt\""))
  }

  @Test func `an enum is asked for its case`() {
    #expect(
      Attachment.where { $0.kind.is(\.text) }.select(\.id).sql.contains("(\"attachments\".\"text\") IS NOT (NULL)"))
    #expect(Attachment.where { $0.kind.image.isNot(nil) }.select(\.id).sql.contains("\"caption\""))
    let update = Attachment.find(1).update { $0.kind = .text("x") }
    #expect(update.sql.contains("\"link\" = "))
    #expect(update.parameters.contains(.text("x")))
    #expect(Attachment.find(1).update { $0.kind.text = #bind("y") }.parameters.contains(.text("y")))
    #expect(Attachment.insert { Attachment.Draft(kind: .text("z")) }.parameters.contains(.text("z")))
  }

  @Test func `a draft has what its table has, and needs no key`() {
    let draft = Reminder.Draft(title: "x", listID: UUID())
    #expect(draft.id == nil)
    #expect(draft.tags.isEmpty)
    let row = Nested(id: 3, shade: .light, place: Place(x: 1, y: 2))
    #expect(Nested.Draft(row).id == 3)
    #expect(Nested.Draft(row).place == row.place)
  }

  @Test func `a selection takes an expression for each property`() {
    let query = Reminder.leftJoin(RemindersList.all) { $0.listID.eq($1.id) }
      .select { ListedReminder.Columns(reminder: $0, list: $1, isLate: $0.dueDate.lt(Date())) }
    #expect(query.sql.contains("AS \"isLate\""))
    #expect(ReminderTitle.Columns(title: "a", listTitle: "b").columnFragments.count == 2)
  }

  @Test func `rows are decoded as they were bound`() throws {
    let rows = [
      Attachment(id: 1, kind: .text("a"), note: nil),
      Attachment(id: 2, kind: .image(.init(caption: "c", size: 3)), note: .init(author: "me", stars: 5)),
      Attachment(id: 3, kind: .link(URL(string: "https://example.com")!), note: nil),  // because it is a constant
    ]
    var batch = RowBatch(columnCount: 7)
    for row in rows { batch.append(Attachment.insert { row }.parameters) }
    #expect(try Attachment.all.decode(batch) == rows)
  }
}
