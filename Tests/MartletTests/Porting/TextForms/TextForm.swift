/// Statements have the texts that StructuredQueries gives them, letter for letter, as far as docs/PORTING.md names no
/// reason for another: people compare texts, and an index on an expression is used if the text is the index's.
import Foundation
import Martlet
import Testing

/// A statement, and its text elsewhere.
struct TextForm {
  let statement: any MartletQuery.Statement
  let text: String

  init(_ statement: any MartletQuery.Statement, _ text: String) {
    self.statement = statement
    self.text = text
  }

  @Table struct Reminder {
    let id: Int
    var title = ""
    var isCompleted = false
    var priority: Int?
    var listID = 1
  }

  @Table struct List {
    let id: Int
    var name = ""
  }

  @Table struct Tag: Codable {
    let id: Int
    var title = ""
  }

  @Table struct Item {
    let id: Int
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
    @Column(as: [Tag].JSONRepresentation.self) var objects: [Tag] = []
    @Column(as: [String: Int].JSONRepresentation.self) var counts: [String: Int] = [:]
  }

  @Table struct Name {
    let id: Int
    let name: String
  }

  enum Manager: AliasName {}
}

@resultBuilder
enum TextFormBuilder {
  static func buildBlock(_ forms: TextForm...) -> [TextForm] { forms }
}

@Suite struct TextFormTests {
  @Test func `statements have the texts of other libraries`() {
    let forms = [TextForm.queries, TextForm.joins, TextForm.writes, TextForm.schema, TextForm.expressions]
    for form in forms.joined() { same(form.statement.description, form.text) }
  }

  @Test func `chains are flat, and what is compared with bounds is in parentheses`() {
    let forms: [(any MartletQuery.Statement, String)] = [
      (TextForm.Reminder.select { $0.id + 1 + 2 }, #"SELECT ("reminders"."id") + (1) + (2)"#),
      (TextForm.Reminder.select { $0.title + "a" + "b" }, #"SELECT ("reminders"."title") || ('a') || ('b')"#),
      (
        TextForm.Reminder.where { $0.isCompleted && $0.id > 1 && $0.id < 9 }.select(\.id),
        #"WHERE ("reminders"."isCompleted") AND (("reminders"."id") > (1)) AND (("reminders"."id") < (9))"#
      ),
      (
        TextForm.Reminder.where { $0.isCompleted || $0.id > 1 || $0.id < 9 }.select(\.id),
        #"WHERE (("reminders"."isCompleted") OR (("reminders"."id") > (1)) OR (("reminders"."id") < (9)))"#
      ),
      (
        TextForm.Reminder.where { ($0.id + 1).between($0.listID - 1, and: 3) }.select(\.id),
        #"WHERE ((("reminders"."id") + (1)) BETWEEN (("reminders"."listID") - (1)) AND 3)"#
      ),
    ]
    for (statement, text) in forms {
      #expect(statement.description.split(separator: "\n").contains { $0 == text }, "\(statement.description)")
    }
  }
}

extension TextForm {
  @TextFormBuilder static var queries: [TextForm] {
    TextForm(
      Tag.all,
      #"""
      SELECT "tags"."id", "tags"."title"
      FROM "tags"
      """#)
    TextForm(
      Tag.select { ($0.id, $0.title.upper()) },
      #"""
      SELECT "tags"."id", upper("tags"."title")
      FROM "tags"
      """#)
    TextForm(
      Reminder.where { $0.isCompleted && $0.id > 3 }.where { $0.title.eq("x") }.select(\.id),
      #"""
      SELECT "reminders"."id"
      FROM "reminders"
      WHERE (("reminders"."isCompleted") AND (("reminders"."id") > (3))) AND (("reminders"."title") = ('x'))
      """#)
    TextForm(
      Reminder.where(\.isCompleted).or(.where { $0.id.neq(1) }).select(\.id),
      #"""
      SELECT "reminders"."id"
      FROM "reminders"
      WHERE (("reminders"."isCompleted") OR (("reminders"."id") <> (1)))
      """#)
    TextForm(
      Reminder.where { !$0.isCompleted }.select(\.id),
      #"""
      SELECT "reminders"."id"
      FROM "reminders"
      WHERE (NOT ("reminders"."isCompleted"))
      """#)
    TextForm(
      Tag.find(1),
      #"""
      SELECT "tags"."id", "tags"."title"
      FROM "tags"
      WHERE (("tags"."id") = (1))
      """#)
    TextForm(
      Tag.find([1, 2]),
      #"""
      SELECT "tags"."id", "tags"."title"
      FROM "tags"
      WHERE (("tags"."id") IN ((1), (2)))
      """#)
    TextForm(
      Reminder.select(\.priority).distinct(),
      #"""
      SELECT DISTINCT "reminders"."priority"
      FROM "reminders"
      """#)
    TextForm(
      Reminder.order { ($0.title.collate(.nocase).asc(), $0.id.desc(nulls: .last)) }.select(\.id).limit(1).offset(3),
      #"""
      SELECT "reminders"."id"
      FROM "reminders"
      ORDER BY "reminders"."title" COLLATE "NOCASE" ASC, "reminders"."id" DESC NULLS LAST
      LIMIT 1 OFFSET 3
      """#)
    TextForm(
      Reminder.select(\.id).offset(3),
      #"""
      SELECT "reminders"."id"
      FROM "reminders"
      LIMIT -1 OFFSET 3
      """#)
    TextForm(
      Reminder.all.count(),
      #"""
      SELECT count(*)
      FROM "reminders"
      """#)
    TextForm(
      Reminder.count { $0.isCompleted },
      #"""
      SELECT count(*) FILTER (WHERE "reminders"."isCompleted")
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { $0.count() },
      #"""
      SELECT count("reminders"."id")
      FROM "reminders"
      """#)
    TextForm(
      Reminder.group(by: \.isCompleted).having { $0.id.count() > 3 }.select { ($0.isCompleted, $0.id.count()) },
      #"""
      SELECT "reminders"."isCompleted", count("reminders"."id")
      FROM "reminders"
      GROUP BY "reminders"."isCompleted"
      HAVING ((count("reminders"."id")) > (3))
      """#)
    TextForm(
      Tag(id: 1, title: "x").statement,
      #"""
      SELECT 1 AS "id", 'x' AS "title"
      """#)
    TextForm(
      Values(1, "Hello", true),
      #"""
      SELECT 1, 'Hello', 1
      """#)
    TextForm(
      Values(1, "Hello").union(Values(2, "Goodbye")),
      #"""
      SELECT 1, 'Hello'
        UNION
      SELECT 2, 'Goodbye'
      """#)
  }
}
