/// The bytes that are written without a tree between: they are those that SwiftProtobuf would write.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct BytesTests {
  @Test func `nodes that few statements hold`() {
    let columns = Reminder.columns
    let statements: [any MartletQuery.Statement] = [
      Reminder.none, Reminder.insert(), Values(1, "a").row(2, "b"),
      Reminder.select {
        (
          $0.id.cast(as: Double.self), $0.title.collate(.nocase).like("a%", escape: "\\"),
          $0.position.sum(distinct: true, filter: $0.isCompleted).over(
            Window.partition(by: $0.remindersListID).order(by: $0.id.desc(nulls: .first))
              .groups(.preceding(1), .following(2), exclude: .ties)),
          Case($0.id).when(1, then: "a").else(String(repeating: "long", count: 5000))
        )
      },
      Reminder.order(by: \.id).window("w") { .order(by: $0.id) }.select { $0.id.lag().over("w") },
      Reminder.crossJoin(RemindersList.all).limit(1, offset: 2).distinct(),
      SQLQueryExpression("SELECT \(quote: "a"), \(1), \(Reminder.select(\.id))", as: Int.self),
      Reminder.where { $0.id.in([1, 2]) && SQLQueryExpression("x'00' = \(bind: [UInt8]([0]))", as: Bool.self) },
      Reminder.insert(or: .replace) { (0..<20).map { Reminder(id: $0, remindersListID: 1) } }.returning(\.id),
      Reminder.select { $0.title }.union(RemindersList.select { $0.title }).order(byColumn: 1).limit(-1, offset: 3),
      Reminder.update { _ in }, Reminder.update { $0.position = Reminder.select { $0.position.max() ?? -1 } },
      Reminder.join(Reminder.as(ExcludedRow.self).all) { $0.id.eq($1.id) }.where { _, _ in columns.exists },
      With {
        Reminder.select { Level.Columns(id: $0.id, depth: 1) }
      } query: {
        Reminder.where { $0.id.in(Level.where { $0.depth > 0 }.select(\.id)) }.delete()
      },
    ]
    for statement in statements { expectEqualBytes(statement) }
  }

  @Test func `what nests deeper than servers take has bytes, no tree, and a failure that says so`() {
    var nested = SQLQueryExpression("1", as: Int.self)
    for _ in 0..<500 { nested = SQLQueryExpression(nested.abs()) }
    let statement = Values(nested)
    #expect(statement.serialized.failure == nil && !statement.serialized.bytes.isEmpty)
    #expect(statement.built.tree.kind == nil)
    #expect(statement.built.failure?.description.contains("nests deeper than 100 levels") == true)
    #expect(statement.sql.hasPrefix("-- LIMIT") && statement.description.hasPrefix("-- LIMIT"))
  }
}

extension Reminder.TableColumns {
  fileprivate var exists: SQLQueryExpression<Bool> { Reminder.where { $0.position < 3 }.exists() }
}

/// What every statement that a test runs is checked for.
func expectEqualBytes(_ statement: some MartletQuery.Statement) {
  let built = statement.built
  let serialized = statement.serialized
  #expect(serialized.bytes == built.tree.serialized)
  #expect(serialized.parameters == built.parameters)
  #expect(serialized.failure?.description == built.failure?.description)
}
