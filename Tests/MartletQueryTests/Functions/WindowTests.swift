/// Windows: every function, every bound of a frame, exclusion, filters and named windows.
import MartletQuery
import MartletValues
import Testing

@Suite struct WindowTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private let byID = Window.order(by: Reminder.columns.id)

  private func values(_ expression: some QueryExpression) throws -> [Value] {
    let rows = try sample.run(Reminder.order(by: \.id).select { _ in expression })
    return try (0..<rows.rowCount).map { try rows.row($0)[0] }
  }

  @Test func `functions of a window`() throws {
    let lists = Window.order(by: Reminder.columns.remindersListID)
    let title = Reminder.columns.title
    #expect(try values(rowNumber().over(byID)) == [1, 2, 3, 4])
    #expect(try values(rank().over(lists)) == [1, 1, 4, 1])
    #expect(try values(denseRank().over(lists)) == [1, 1, 2, 1])
    #expect(try values(percentRank().over(byID)).first == 0.0)
    #expect(try values(cumeDist().over(byID)) == [0.25, 0.5, 0.75, 1.0])
    #expect(try values(ntile(2).over(byID)) == [1, 1, 2, 2])
    #expect(try values(title.lag().over(byID)) == [.null, "Milk", "Bread", "Report"])
    #expect(try values(title.lag(2, default: "-").over(byID)) == ["-", "-", "Milk", "Bread"])
    #expect(try values(title.lead().over(byID)) == ["Bread", "Report", "100% Juice", .null])
    #expect(try values(title.lead(1, default: "-").over(byID)).last == "-")
    #expect(try values(title.firstValue().over(byID)) == ["Milk", "Milk", "Milk", "Milk"])
    #expect(try values(title.lastValue().over(byID)) == ["Milk", "Bread", "Report", "100% Juice"])
    #expect(try values(title.nthValue(2).over(byID)) == [.null, "Bread", "Bread", "Bread"])
    #expect(try values(title.groupConcat().over(byID)).last == "Milk,Bread,Report,100% Juice")
    #expect(try values(Reminder.columns.count().over()) == [4, 4, 4, 4])
  }

  @Test func `frames by rows, range and groups`() throws {
    let sum = Reminder.columns.position.sum()
    let frames: [(Window, String, [Value])] = [
      (byID.rows(.unboundedPreceding), "ROWS UNBOUNDED PRECEDING", [10, 30, 60, 100]),
      (byID.rows(.preceding(1)), "ROWS 1 PRECEDING", [10, 30, 50, 70]),
      (byID.rows(.preceding(1), .following(1)), "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", [30, 60, 90, 70]),
      (
        byID.rows(.currentRow, .unboundedFollowing), "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
        [100, 90, 70, 40]
      ),
      (byID.range(.preceding(2), .currentRow), "RANGE BETWEEN 2 PRECEDING AND CURRENT ROW", [10, 30, 60, 90]),
      (byID.groups(.currentRow, .following(1)), "GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING", [30, 50, 70, 40]),
      (
        byID.rows(.preceding(1), .following(1), exclude: .currentRow),
        "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW", [20, 40, 60, 30]
      ),
      (byID.rows(.unboundedPreceding, exclude: .group), "ROWS UNBOUNDED PRECEDING EXCLUDE GROUP", [.null, 10, 30, 60]),
      (byID.rows(.unboundedPreceding, exclude: .ties), "ROWS UNBOUNDED PRECEDING EXCLUDE TIES", [10, 30, 60, 100]),
      (byID.rows(.unboundedPreceding, exclude: .noOthers), "EXCLUDE NO OTHERS", [10, 30, 60, 100]),
    ]
    for (window, sql, expected) in frames {
      #expect(sum.over(window).text.contains(sql), "\(sum.over(window).text)")
      #expect(try values(sum.over(window)) == expected, "\(sql)")
    }
  }

  @Test func `windows are partitioned, filtered, named and extended`() throws {
    let columns = Reminder.columns
    let partition = Window.partition(by: columns.remindersListID).order(by: columns.position.desc(nulls: .last))
    #expect(
      rowNumber().over(partition).text
        == "row_number() OVER (PARTITION BY \"reminders\".\"remindersListID\" "
        + "ORDER BY \"reminders\".\"position\" DESC NULLS LAST)")
    #expect(try values(rowNumber().over(partition)) == [3, 2, 1, 1])
    #expect(try values(columns.position.sum(filter: !columns.isCompleted).over(byID)) == [10, 10, 40, 80])
    let named = Reminder.order(by: \.id)
      .window("lists") { .partition(by: $0.remindersListID) }
      .window("ordered") { Window(extending: "lists").order(by: $0.id) }
      .select { ($0.count().over("lists"), rowNumber().over("ordered")) }
    #expect(
      named.sql.contains(
        """
        WINDOW "lists" AS (PARTITION BY "reminders"."remindersListID"), "ordered" AS ("lists" ORDER BY "reminders"."id")
        """))
    let rows = try named.decode(try sample.run(named))
    #expect(rows.map(\.0) == [3, 3, 1, 3] && rows.map(\.1) == [1, 2, 1, 3])
  }

  @Test func `OVER of what is no call is refused`() throws {
    let (title, position) = (Reminder.columns.title, Reminder.columns.position)
    let wrong: [SQLQueryExpression<String?>] = [
      title.groupConcat(", ", distinct: true).over(byID), title.groupConcat(", ", distinct: true).over("w"),
      SQLQueryExpression(position.sum().cast(as: String?.self)).over(),
      SQLQueryExpression((title + "x").queryFragment, as: String?.self).over(byID),
      title.lag().over(byID).over(byID), title.groupConcat().over(byID).over("w"),
    ]
    for expression in wrong {
      let failure = Reminder.select { _ in expression }.serialized.failure
      #expect(failure?.description.contains("'over'") == true, "\(expression)")
    }
  }

  @Test func `two windows of one name are refused unless they are the same`() throws {
    let once = Reminder.all.window("w") { .order(by: $0.id) }
    let same = once.window("w") { .order(by: $0.id) }.select { $0.position.sum().over("w") }
    #expect(try sample.run(same).rowCount == 4)
    let wrong: [any MartletQuery.Statement] = [
      once.window("w") { .order(by: $0.id.desc()) }.select { $0.position.sum().over("w") },
      once.window("W") { .order(by: $0.position) }.select { $0.position.sum().over("w") },
      once.window("w") { .order(by: $0.id).rows(.currentRow) }.select { $0.position.sum().over("w") },
      once.join(RemindersList.unscoped.window("w") { .order(by: $0.id) }) { $0.remindersListID.eq($1.id) },
    ]
    for statement in wrong {
      #expect(statement.serialized.failure?.description.contains("windows are called") == true, "\(statement)")
    }
  }
}
