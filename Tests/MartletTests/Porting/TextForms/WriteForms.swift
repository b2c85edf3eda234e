/// The texts of writes and of expressions.
import Martlet

extension TextForm {
  @TextFormBuilder static var writes: [TextForm] {
    TextForm(
      Tag.insert {
        Tag(id: 1, title: "a"); Tag(id: 2, title: "b")
      },
      #"""
      INSERT INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a'), (2, 'b')
      """#)
    TextForm(
      Tag.insert {
        ($0.id, $0.title)
      } values: {
        (1, "a"); (2, "b")
      },
      #"""
      INSERT INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a'), (2, 'b')
      """#)
    TextForm(
      Tag.insert {
        ($0.id, $0.title)
      } select: {
        List.select { ($0.id, $0.name) }
      } onConflictDoUpdate: {
        $0.title = $1.title
      },
      #"""
      INSERT INTO "tags"
      ("id", "title")
      SELECT "lists"."id", "lists"."name"
      FROM "lists"
      WHERE 1
      ON CONFLICT DO UPDATE SET "title" = "excluded"."title"
      """#)
    TextForm(
      Tag.insert(),
      #"""
      INSERT INTO "tags"
      DEFAULT VALUES
      """#)
    TextForm(
      Tag.insert {
        Tag(id: 1, title: "a")
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.title += "x"
      } where: {
        $0.id > 3
      },
      #"""
      INSERT INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a')
      ON CONFLICT ("id")
      DO UPDATE SET "title" = ("tags"."title") || ('x')
      WHERE (("tags"."id") > (3))
      """#)
    TextForm(
      Tag.insert {
        Tag(id: 1, title: "a")
      } onConflict: {
        $0.id
      } where: {
        $0.id > 1
      } doUpdate: {
        $0.title = $1.title
      } where: {
        $0.title.neq($1.title)
      },
      #"""
      INSERT INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a')
      ON CONFLICT ("id")
      WHERE (("id") > (1))
      DO UPDATE SET "title" = "excluded"."title"
      WHERE (("tags"."title") <> ("excluded"."title"))
      """#)
    TextForm(
      Tag.insert {
        Tag(id: 1, title: "a")
      } onConflictDoUpdate: { _ in
      },
      #"""
      INSERT INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a')
      ON CONFLICT DO NOTHING
      """#)
    TextForm(
      Tag.upsert { Tag.Draft(id: 1, title: "a") }.returning(\.self),
      #"""
      INSERT INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a')
      ON CONFLICT ("id")
      DO UPDATE SET "title" = "excluded"."title"
      RETURNING "id", "title"
      """#)
    TextForm(
      Tag.insert(or: .replace) { Tag(id: 1, title: "a") },
      #"""
      INSERT OR REPLACE INTO "tags"
      ("id", "title")
      VALUES
      (1, 'a')
      """#)
    TextForm(
      Reminder.find(1).update {
        $0.title = "x"; $0.isCompleted.toggle(); $0.priority = nil; $0.listID += 1
      }.returning(\.id),
      #"""
      UPDATE "reminders"
      SET "title" = 'x', "isCompleted" = NOT ("reminders"."isCompleted"), "priority" = NULL, \#
      "listID" = ("reminders"."listID") + (1)
      WHERE (("reminders"."id") = (1))
      RETURNING "id"
      """#)
    TextForm(
      Tag.update(Tag(id: 1, title: "y")),
      #"""
      UPDATE "tags"
      SET "title" = 'y'
      WHERE (("tags"."id") = (1))
      """#)
    TextForm(
      Tag.update { $0.title = $0.title.upper() }.where { $0.id > 1 },
      #"""
      UPDATE "tags"
      SET "title" = upper("tags"."title")
      WHERE (("tags"."id") > (1))
      """#)
    TextForm(
      Reminder.where(\.isCompleted).delete().returning { ($0.id, $0.title) },
      #"""
      DELETE FROM "reminders"
      WHERE ("reminders"."isCompleted")
      RETURNING "id", "title"
      """#)
    TextForm(
      Tag.delete(Tag(id: 1, title: "x")),
      #"""
      DELETE FROM "tags"
      WHERE (("tags"."id") = (1))
      """#)
  }

  @TextFormBuilder static var expressions: [TextForm] {
    TextForm(
      Reminder.select { ($0.priority.is(nil), $0.priority.isNot(nil), $0.title.is("x"), $0.id.eq(1), $0.id.neq(2)) },
      #"""
      SELECT ("reminders"."priority") IS (NULL), ("reminders"."priority") IS NOT (NULL), \#
      ("reminders"."title") IS ('x'), ("reminders"."id") = (1), ("reminders"."id") <> (2)
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { (($0.id + 1) * 2, -$0.id, $0.id % 3, $0.id & 1, ~$0.id, $0.id << 2) },
      #"""
      SELECT (("reminders"."id") + (1)) * (2), -("reminders"."id"), ("reminders"."id") % (3), \#
      ("reminders"."id") & (1), ~("reminders"."id"), ("reminders"."id") << (2)
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { ($0.title + "!", $0.title.glob("a*"), $0.title.like("a\\%", escape: "\\")) },
      #"""
      SELECT ("reminders"."title") || ('!'), ("reminders"."title") GLOB ('a*'), \#
      ("reminders"."title") LIKE ('a\%') ESCAPE '\'
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { ($0.id.in([1, 2]), $0.id.notIn([3]), $0.id.in([Int]()), $0.id.between(1, and: 10)) },
      #"""
      SELECT ("reminders"."id") IN ((1), (2)), ("reminders"."id") NOT IN ((3)), ("reminders"."id") IN (), \#
      "reminders"."id" BETWEEN 1 AND 10
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { ($0.priority ?? 0, $0.priority.ifnull(1), $0.id.nullif(2), $0.id.cast(as: Double.self)) },
      #"""
      SELECT coalesce("reminders"."priority", 0), ifnull("reminders"."priority", 1), nullif("reminders"."id", \#
      2), CAST("reminders"."id" AS REAL)
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select {
        ($0.title.length(), $0.title.trim(), $0.title.substr(1, 2), $0.title.replace("a", "b"), $0.title.instr("x"))
      },
      #"""
      SELECT length("reminders"."title"), trim("reminders"."title"), substr("reminders"."title", 1, 2), \#
      replace("reminders"."title", 'a', 'b'), instr("reminders"."title", 'x')
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { (Case($0.priority).when(1, then: "a").else("b"), Case().when($0.isCompleted, then: 1)) },
      #"""
      SELECT CASE "reminders"."priority" WHEN 1 THEN 'a' ELSE 'b' END, \#
      CASE WHEN "reminders"."isCompleted" THEN 1 END
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select {
        ($0.id.sum(), $0.id.avg(distinct: true), $0.id.max(filter: $0.isCompleted), $0.id.count(distinct: true))
      },
      #"""
      SELECT sum("reminders"."id"), avg(DISTINCT "reminders"."id"), \#
      max("reminders"."id") FILTER (WHERE "reminders"."isCompleted"), count(DISTINCT "reminders"."id")
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select {
        ($0.title.groupConcat(), $0.title.groupConcat(", "), $0.title.groupConcat(order: $0.title.desc()))
      },
      #"""
      SELECT group_concat("reminders"."title"), group_concat("reminders"."title", ', '), \#
      group_concat("reminders"."title" ORDER BY "reminders"."title" DESC)
      FROM "reminders"
      """#)
    TextForm(
      Tag.select { ($0.title.jsonGroupArray(), $0.jsonObject(), $0.jsonGroupArray()) },
      #"""
      SELECT json_group_array("tags"."title"), json_object('id', "tags"."id", 'title', "tags"."title"), \#
      json_group_array(json_object('id', "tags"."id", 'title', "tags"."title"))
      FROM "tags"
      """#)
    TextForm(
      Reminder.select { ($0.id.likely(), $0.id.likelihood(0.75), $0.id.abs(), $0.id.sign()) },
      #"""
      SELECT likely("reminders"."id"), likelihood("reminders"."id", 0.75), abs("reminders"."id"), \#
      sign("reminders"."id")
      FROM "reminders"
      """#)
    TextForm(
      Reminder.select { ($0.priority.map { $0 + 1 }, $0.title.quote(), $0.title.hex()) },
      #"""
      SELECT CASE WHEN ("reminders"."priority") IS (NULL) THEN NULL ELSE ("reminders"."priority") + (1) END, \#
      quote("reminders"."title"), hex("reminders"."title")
      FROM "reminders"
      """#)
    TextForm(
      Item.select { ($0.tags.jsonExtract(\.[0]), $0.objects.jsonExtract(\.[0].title), $0.tags.jsonArrayLength()) },
      #"""
      SELECT json_extract("items"."tags", '$[0]'), json_extract("items"."objects", '$[0].title'), \#
      json_array_length("items"."tags")
      FROM "items"
      """#)
    TextForm(
      Item.select { ($0.tags.jsonRemove(\.[0]), $0.counts.jsonExtract(\.["x"])) },
      #"""
      SELECT json_remove("items"."tags", '$[0]'), json_extract("items"."counts", '$.x')
      FROM "items"
      """#)
    TextForm(
      Item.where { $0.tags.jsonEach().where { $0.value.eq("x") }.exists() }.select(\.id),
      #"""
      SELECT "items"."id"
      FROM "items"
      WHERE (EXISTS (
        SELECT "json_each"."key", "json_each"."value", "json_each"."type", "json_each"."fullkey", "json_each"."path"
        FROM json_each("items"."tags")
        WHERE (("json_each"."value") = ('x'))
      ))
      """#)
  }
}
