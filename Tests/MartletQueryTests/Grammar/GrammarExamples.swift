/// Builder expressions that together make every node of the grammar that the builder makes at all.
///
/// Always true: each is what a program would write; none is put together from fragments.
import Foundation
import MartletQuery

enum GrammarExamples {
  static var all: [any Statement] { selects + expressions + windows + compounds + writes + tables + objects }

  enum Other: AliasName {}

  static var selects: [any Statement] {
    [
      Reminder.all,
      Attached.where { $0.id > 1 }.distinct(),
      Reminder
        .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
        .leftJoin(Reminder.as(Other.self).all) { $0.position.lt($2.position) }
        .where { reminder, _, _ in reminder.isCompleted }
        .group { reminder, _, _ in reminder.id }
        .having { $0.count() > 1 && $1.id.isNot(nil) && $2.id.is(nil) }
        .order { ($0.title.asc(nulls: .first), $1.title.desc(nulls: .last), $2.title) }
        .limit(1, offset: 2)
        .select { ($0.title, $1.id, $2.id) },
      Reminder.rightJoin(RemindersList.all) { $0.remindersListID.eq($1.id) },
      Reminder.fullJoin(RemindersList.all) { $0.remindersListID.eq($1.id) },
      Reminder.crossJoin(RemindersList.all),
      Reminder.join(RemindersList.all) { using($0.id, $1.id) },
      RemindersList.leftJoinPairs(Reminder.join(Reminder.as(Other.self).all) { $0.id.eq($1.position) }) {
        list, first, _ in
        list.id.eq(first.remindersListID)
      },
      ArchivedText.matching("milk"),
      Reminder.where { reminder in Attached.where { $0.id.eq(reminder.id) }.select { $0.star }.exists() },
      Reminder.indexed(by: "by_list").where(\.isCompleted).delete(),
      Reminder.notIndexed().join(RemindersList.rows([])) { $0.remindersListID.eq($1.id) },
      Reminder.select(\.remindersListID).distinct().count(),
      TagList.join { $0.tags.jsonEach() }.select { $1.value },
      Pragma.all,
      Reminder.where { SQLQueryExpression("\($0.id) > \(bind: 1)", as: Bool.self) },
      SQLQueryExpression("SELECT \(Reminder.columns.id), \(Reminder.select(\.id)) FROM \(Reminder.self)", as: Int.self),
    ]
  }

  static var expressions: [any Statement] {
    let row = Reminder.columns
    let text = row.title
    let n = row.position
    let booleans: [any QueryExpression<Bool>] = [
      row.isCompleted && n > 1, row.isCompleted || n >= 1, !row.isCompleted, n.eq(1), n.neq(1), n.lt(2), n.lte(2),
      text.is("y"), text.isNot("x"), text.glob("*"), text.like("%", escape: "!"), n.between(1, and: 2),
      n.in([1, 2]), n.notIn([3]), n.in(Reminder.select(\.id)), Reminder.where { $0.id.eq(1) }.exists(),
      row.dueDate.is(nil), row.isCompleted.isTrue(), row.isCompleted.isNotFalse(), text.collate(.nocase).eq("x"),
      text.notLike("%", escape: "!"), text.notGlob("*"), text.regexp("^x"), text.notRegexp("x$"),
      n.notBetween(1, and: 2), ReminderText.columns.match("x"), RowValue(n, text) < (1, "x"),
      RowValue(n, text).in([(1, "x")]),
    ]
    let integers: [any QueryExpression<Int>] = [
      n + 1, n - 1, n * 2, n / 2, n % 2, n & 1, n | 1, n << 1, n >> 1, ~n, -n, +n, Case(n).when(1, then: 2).else(3),
      text.cast(as: Int.self), n.count(distinct: true, filter: row.isCompleted), n.max() ?? 0,
    ]
    let texts: [any QueryExpression<String?>] = [
      Document.columns.author.jsonMemberValue(\.name), text.groupConcat(", ", order: text.desc()),
      Case().when(row.isCompleted, then: "done"),
    ]
    var statements: [any Statement] = [Reminder.select { $0.title + "!" }, Reminder.count()]
    statements.append(Document.select { $0.author.jsonMember(\.links) })
    statements += booleans.map { selectOne($0.queryFragment) }
    statements += integers.map { selectOne($0.queryFragment) }
    statements += texts.map { selectOne($0.queryFragment) }
    return statements
  }

  /// `SELECT` of one expression.
  private static func selectOne(_ fragment: QueryFragment) -> any Statement {
    Reminder.select { _ in SQLQueryExpression<Int>(fragment) }
  }

  static var windows: [any Statement] {
    let n = Reminder.columns.position
    let frames: [Window] = [
      .order(by: n).rows(.unboundedPreceding, .currentRow, exclude: .currentRow),
      .order(by: n).range(.currentRow, .unboundedFollowing, exclude: .group),
      .partition(by: Reminder.columns.remindersListID).order(by: n)
        .groups(.preceding(1), .following(1), exclude: .ties),
      .order(by: n).rows(.preceding(2), exclude: .noOthers),
      Window(extending: "w").order(by: n),
    ]
    let query = Reminder.select { $0.position.sum().over("w") }.window("w") { .partition(by: $0.remindersListID) }
    var statements: [any Statement] = [query]
    for frame in frames {
      statements.append(Reminder.select { $0.position.sum().over(frame) }.window("w") { _ in Window() })
    }
    return statements
  }

  static var compounds: [any Statement] {
    let ids = Reminder.select(\.id)
    let levels = Reminder.select { Level.Columns(id: $0.id, depth: 0) }
    return [
      ids.union(ids), ids.union(all: true, ids).order(byColumn: 1).limit(1, offset: 1), ids.intersect(ids),
      ids.except(ids), Values(1, "a").row(2, "b"),
      With {
        Values(Level.Columns(id: 1, depth: 0)).row(Level.Columns(id: 2, depth: 1))
      } query: {
        Level.all
      },
      With {
        levels.materialized()
      } query: {
        Level.all
      },
      With {
        levels.materialized(false)
      } query: {
        Level.all
      },
      With {
        levels.union(
          all: true,
          Reminder.join(Level.all) { $0.id.eq($1.id + 1) }.select { Level.Columns(id: $0.id, depth: $1.depth) })
      } query: {
        Level.all
      },
    ]
  }

  static var writes: [any Statement] {
    let drafts = (1..<20).map { Reminder.Draft(title: "\($0)", remindersListID: 1) }
    let draft = Reminder.Draft(title: "x", remindersListID: 1)
    return [
      Reminder.insert { drafts },
      Reminder.insert(or: .abort) { draft }, Reminder.insert(or: .fail) { draft },
      Reminder.insert(or: .ignore) { draft }, Reminder.insert(or: .replace) { draft },
      Reminder.insert(or: .rollback) { draft }, Reminder.insert(), Attached.insert(),
      Reminder.insert {
        $0.title
      } select: {
        RemindersList.select(\.title)
      },
      Reminder.insert { draft }.onConflict {
        $0.id
      } where: {
        $0.isCompleted
      } doUpdate: {
        $0.title = $1.title
      } where: {
        $1.position > $0.position
      }
      .returning(\.self),
      Reminder.update(or: .ignore) { $0.title = "x" }.order { $0.id }.limit(1, offset: 1).returning(\.id),
      Reminder.update { _ in }.from(RemindersList.join(Level.all) { $0.id.eq($1.id) }) { row, sources in
        row.title = sources.0.title
      } where: { row, sources in
        row.id.eq(sources.0.id)
      },
      Reminder.as(Other.self).insert {
        $0.title
      } values: {
        "x"
      },
      Reminder.as(Other.self).update { $0.title = "x" },
      Reminder.where { $0.id.eq(1) }.delete().order { $0.id }.limit(1, offset: 1).returning(\.id),
      Reminder.as(Other.self).all.delete(),
    ]
  }
}
