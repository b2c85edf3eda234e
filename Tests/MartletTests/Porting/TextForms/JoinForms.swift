/// The texts of joins, subqueries, common tables, triggers and views.
import Martlet

extension TextForm {
  @TextFormBuilder static var joins: [TextForm] {
    TextForm(
      Reminder.join(List.all) { $0.listID.eq($1.id) }.select { ($0.title, $1.name) },
      #"""
      SELECT "reminders"."title", "lists"."name"
      FROM "reminders"
      JOIN "lists" ON ("reminders"."listID") = ("lists"."id")
      """#)
    TextForm(
      List.leftJoin(Reminder.all) { $0.id.eq($1.listID) }.group { list, _ in list.id }.select {
        ($0.name, $1.id.count())
      },
      #"""
      SELECT "lists"."name", count("reminders"."id")
      FROM "lists"
      LEFT JOIN "reminders" ON ("lists"."id") = ("reminders"."listID")
      GROUP BY "lists"."id"
      """#)
    TextForm(
      Reminder.rightJoin(List.all) { $0.listID.eq($1.id) }.select { ($0.id, $1.id) },
      #"""
      SELECT "reminders"."id", "lists"."id"
      FROM "reminders"
      RIGHT JOIN "lists" ON ("reminders"."listID") = ("lists"."id")
      """#)
    TextForm(
      Reminder.fullJoin(List.all) { $0.listID.eq($1.id) }.count(),
      #"""
      SELECT count(*)
      FROM "reminders"
      FULL JOIN "lists" ON ("reminders"."listID") = ("lists"."id")
      """#)
    TextForm(
      Tag.as(Manager.self).where { $0.id.eq(1) },
      #"""
      SELECT "managers"."id", "managers"."title"
      FROM "tags" AS "managers"
      WHERE (("managers"."id") = (1))
      """#)
    TextForm(
      Tag.join(Tag.as(Manager.self).all) { $0.id.eq($1.id) }.select { ($0.id, $1.id) },
      #"""
      SELECT "tags"."id", "managers"."id"
      FROM "tags"
      JOIN "tags" AS "managers" ON ("tags"."id") = ("managers"."id")
      """#)
    TextForm(
      Reminder.where { $0.listID.in(List.where { $0.name.like("x%") }.select(\.id)) }.select(\.id),
      #"""
      SELECT "reminders"."id"
      FROM "reminders"
      WHERE (("reminders"."listID") IN (
        SELECT "lists"."id"
        FROM "lists"
        WHERE (("lists"."name") LIKE ('x%'))
      ))
      """#)
    TextForm(
      Reminder.select { reminder in List.where { $0.id.eq(reminder.listID) }.select(\.name) },
      #"""
      SELECT (
        SELECT "lists"."name"
        FROM "lists"
        WHERE (("lists"."id") = ("reminders"."listID"))
      )
      FROM "reminders"
      """#)
    TextForm(
      Tag.where { _ in List.where { $0.id.eq(1) }.exists() }.select(\.id),
      #"""
      SELECT "tags"."id"
      FROM "tags"
      WHERE (EXISTS (
        SELECT "lists"."id", "lists"."name"
        FROM "lists"
        WHERE (("lists"."id") = (1))
      ))
      """#)
    TextForm(
      Tag.select(\.title).union(all: true, List.select(\.name)),
      #"""
      SELECT "tags"."title"
      FROM "tags"
        UNION ALL
      SELECT "lists"."name"
      FROM "lists"
      """#)
    TextForm(
      Tag.select(\.id).except(List.select(\.id)).intersect(Reminder.select(\.id)),
      #"""
      SELECT "tags"."id"
      FROM "tags"
        EXCEPT
      SELECT "lists"."id"
      FROM "lists"
        INTERSECT
      SELECT "reminders"."id"
      FROM "reminders"
      """#)
    TextForm(
      With {
        Tag.where { $0.id > 1 }.select { Name.Columns(id: $0.id, name: $0.title) }
      } query: {
        Name.where { $0.id < 9 }
      },
      #"""
      WITH "names" AS (
        SELECT "tags"."id" AS "id", "tags"."title" AS "name"
        FROM "tags"
        WHERE (("tags"."id") > (1))
      )
      SELECT "names"."id", "names"."name"
      FROM "names"
      WHERE (("names"."id") < (9))
      """#)
    TextForm(
      With {
        Name(id: 1, name: "a").union(all: true, Name.select { Name.Columns(id: $0.id + 1, name: $0.name) })
      } query: {
        Name.limit(4)
      },
      #"""
      WITH "names" AS (
        SELECT 1 AS "id", 'a' AS "name"
          UNION ALL
        SELECT ("names"."id") + (1) AS "id", "names"."name" AS "name"
        FROM "names"
      )
      SELECT "names"."id", "names"."name"
      FROM "names"
      LIMIT 4
      """#)
  }

  @TextFormBuilder static var schema: [TextForm] {
    TextForm(
      Reminder.createTemporaryTrigger(
        "after", ifNotExists: true,
        after: .update(of: { ($0.title, $0.listID) }) { old, new in
          Tag.insert {
            $0.title
          } values: {
            new.title
          }
        } when: { old, new in
          old.title.neq(new.title)
        }),
      #"""
      CREATE TEMPORARY TRIGGER IF NOT EXISTS
        "after"
      AFTER UPDATE OF "title", "listID" ON "reminders"
      FOR EACH ROW WHEN ("old"."title") <> ("new"."title") BEGIN
        INSERT INTO "tags"
        ("title")
        VALUES
        ("new"."title");
      END
      """#)
    TextForm(
      Reminder.createTemporaryTrigger(
        "before",
        before: .delete { old in
          Tag.find(old.id).delete(); List.find(old.listID).delete()
        }),
      #"""
      CREATE TEMPORARY TRIGGER
        "before"
      BEFORE DELETE ON "reminders"
      FOR EACH ROW BEGIN
        DELETE FROM "tags"
        WHERE (("tags"."id") = ("old"."id"));
        DELETE FROM "lists"
        WHERE (("lists"."id") = ("old"."listID"));
      END
      """#)
    TextForm(
      Name.createTemporaryView(as: Tag.where { $0.id > 1 }.select { Name.Columns(id: $0.id, name: $0.title) }),
      #"""
      CREATE TEMPORARY VIEW
      "names"
      ("id", "name")
      AS
      SELECT "tags"."id" AS "id", "tags"."title" AS "name"
      FROM "tags"
      WHERE (("tags"."id") > (1))
      """#)
  }
}
