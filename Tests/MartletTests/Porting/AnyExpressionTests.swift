/// Expressions of which only the value's type is known, and what the library's own expressions can do.
import Foundation
import Martlet
import Testing

extension Port.Reminder.TableColumns {
  fileprivate var doubled: some QueryExpression<Int> { id * 2 }
  fileprivate var rank: some QueryExpression<Int?> { priority.map { $0.cast(as: Int.self) * 10 } }
  fileprivate var quoted: some QueryExpression<String> { "<" + title + ">" }
}

/// An expression of a program.
private struct Seven: QueryExpression {
  typealias QueryValue = Int

  var queryFragment: QueryFragment { "7" }
}

/// A table whose columns have the names of aggregates.
@Table private struct Bill {
  let id: Int
  var total = 0
  var sum = 0
  var max = 0
  var count: Int?
}

private enum Other: AliasName {}

@Suite struct AnyExpressionTests {
  typealias Reminder = Port.Reminder

  private func greatest(_ value: some QueryExpression<Int>) -> some QueryExpression<Int?> { value.max() }

  @Test(arguments: DatabaseHome.allCases)
  func `an expression of any type has the aggregates`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      same(try Reminder.select { $0.doubled.sum() }.fetchAll(db), [20])
      same(try Reminder.select { $0.doubled.avg() }.fetchAll(db), [5])
      same(try Reminder.select { $0.doubled.total(filter: $0.isFlagged) }.fetchAll(db), [8])
      same(try Reminder.select { $0.rank.count() }.fetchAll(db), [3])
      same(try Reminder.select { $0.rank.min() }.fetchAll(db), [10])
      same(try Reminder.select { $0.quoted.groupConcat("", order: $0.id) }.fetchAll(db), ["<Milk><Bread><Eggs><Don't>"])
      same(try Port.ReminderText.select { $0.count() }.fetchAll(db), [3])
      same(try Reminder.select { greatest($0.doubled) }.fetchAll(db), [8])
      same(try Reminder.select { _ in Seven().sum() }.fetchAll(db), [28])
      let groups = Reminder.group(by: \.listID).having { $0.doubled.max() > 6 }.select(\.listID)
      same(try groups.fetchAll(db), [2])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an optional expression of any type can be mapped`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let all = Reminder.order(by: \.id)
      same(try all.select { $0.rank.map { $0 + 1 } }.fetchAll(db), [31, nil, 11, 21])
      same(try all.select { $0.rank.flatMap { $0.nullif(10) } }.fetchAll(db), [30, nil, nil, 20])
      let groups = Reminder.group(by: \.listID).order(by: \.listID)
      // A row's NULL decides nothing about the aggregate.
      same(try groups.select { $0.rank.flatMap { $0.sum() } }.fetchAll(db), [30, 30])
      same(try groups.select { $0.rank.map { $0.count() } }.fetchAll(db), [1, 2])
      same(try groups.select { $0.rank.min().flatMap { $0.nullif(10) } }.fetchAll(db), [30, nil])
      same(try groups.select { greatest($0.doubled).map { $0 + 1 } }.fetchAll(db), [5, 9])
      same(try Reminder.where { $0.id > 9 }.select { $0.id.max().flatMap { $0.nullif(1) } }.fetchAll(db), [nil])
      // Swift's own.
      let three: Int? = 3
      same(three.map { $0 + 1 }, 4)
      same(try all.limit(1).select { row in three.map { row.id + $0 } ?? row.id }.fetchAll(db), [4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `columns with the names of aggregates keep them in joins and under other names`(
    _ home: DatabaseHome
  ) throws {
    let script = """
      CREATE TABLE "bills" ("id" INTEGER PRIMARY KEY, "total" INTEGER, "sum" INTEGER, "max" INTEGER, "count" INTEGER);
      INSERT INTO "bills" VALUES (1, 10, 20, 30, NULL), (2, 11, 21, 31, 41);
      """
    try home.open(script).read { db in
      same(try Bill.select { $0.total.sum() }.fetchAll(db), [21])
      same(try Bill.where { $0.total > 10 && $0.max < 40 }.select(\.sum).fetchAll(db), [21])
      same(try Bill.all.as(Other.self).where { $0.sum > 20 }.select { $0.total + $0.max }.fetchAll(db), [42])
      let joined = Bill.leftJoin(Bill.all.as(Other.self)) { $0.id < $1.id }.order { bill, _ in bill.id }
      same(try joined.select { $1.total }.fetchAll(db), [11, nil])
      same(try joined.select { $1.max.sum() }.fetchAll(db), [31])
      same(try joined.where { $1.total > 10 }.select { $1.sum }.fetchAll(db), [21])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a column is set to an expression of any type`(_ home: DatabaseHome) throws {
    func rename(to title: some QueryExpression<String>) -> UpdateOf<Reminder> {
      Reminder.update { $0.title = title }
    }
    func rename(toAny title: any QueryExpression<String>) -> UpdateOf<Reminder> {
      Reminder.update { $0.title = title }
    }
    try home.open(Port.script).write { db in
      try rename(to: Reminder.columns.quoted).execute(db)
      same(try Reminder.order(by: \.id).select(\.title).fetchAll(db), ["<Milk>", "<Bread>", "<Eggs>", "<Don't>"])
      try rename(toAny: "plain").execute(db)
      try Reminder.find(2).update { $0.listID = Seven() }.execute(db)
      same(try Reminder.order(by: \.id).select(\.title).fetchAll(db), ["plain", "plain", "plain", "plain"])
      same(try Reminder.order(by: \.id).select(\.listID).fetchAll(db), [1, 7, 2, 2])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a conflict and a trigger set a column to an expression of any type`(_ home: DatabaseHome) throws {
    func wrapped(_ title: some QueryExpression<String>) -> some QueryExpression<String> { "(" + title + ")" }
    let trigger = Reminder.createTemporaryTrigger(
      after: .update {
        $0.isFlagged
      } forEachRow: { _, new in
        Reminder.find(new.id).update {
          $0.title = wrapped(new.title)
          $0.listID = Seven()
        }
      })
    try home.open(Port.script, temporary: { try trigger.execute($0) }).write { db in
      try Reminder.insert {
        ($0.id, $0.title)
      } values: {
        (1, "Salt")
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.title = wrapped($1.title)
        $0.listID = Seven()
      }
      .execute(db)
      try Reminder.find(2).update { $0.isFlagged = true }.execute(db)
      same(try Reminder.order(by: \.id).limit(2).select(\.title).fetchAll(db), ["(Salt)", "(Bread)"])
      same(try Reminder.order(by: \.id).limit(2).select(\.listID).fetchAll(db), [7, 7])
    }
  }
}
