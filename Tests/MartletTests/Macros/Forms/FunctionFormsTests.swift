/// `@DatabaseFunction` wherever a function can stand, and what a call of it may look like.
import Foundation
import Martlet
import MartletValues
import Testing

@DatabaseFunction
func joined(_ texts: some Sequence<(String, separator: String?)>) -> String? {
  var result: String?
  for (text, separator) in texts { result = result.map { $0 + (separator ?? "") + text } ?? text }
  return result
}

@DatabaseFunction
func median(values: some Sequence<Double?>) -> Double? {
  let sorted = values.compactMap { $0 }.sorted()
  return sorted.isEmpty ? nil : sorted[sorted.count / 2]
}

@DatabaseFunction
func log(_ text: String) {}

@DatabaseFunction("is_due", isDeterministic: true)
private func isDue(_ date: Date?, by limit: Date = Date(timeIntervalSince1970: 0)) -> Bool { (date ?? limit) < limit }

@DatabaseFunction
private func owner(of list: RemindersList?) throws -> String { list?.title ?? "nobody" }

@DatabaseFunction
func shortened(_ text: consuming String, by count: borrowing Int, `up to` most: Int) -> String {
  String(text.dropLast(min(copy count, most)))
}

@DatabaseFunction
func `the longer`(_ `one text`: String, `other text`: String) -> String {
  `one text`.count < `other text`.count ? `other text` : `one text`
}

struct Words: Sendable {
  var suffix: String

  @DatabaseFunction
  func ending(_ text: String) -> Bool { text.hasSuffix(suffix) }

  @DatabaseFunction
  static func doubled(_ number: Int) -> Int { number * 2 }

  @DatabaseFunction
  var end: String { suffix }

  @DatabaseFunction
  static var none: Int? { nil }
}

@Suite struct FunctionFormsTests {
  private func decoder(_ values: Value...) -> RowDecoder {
    var batch = RowBatch(columnCount: values.count)
    batch.append(values)
    return RowDecoder(batch: batch)
  }

  @Test func `methods and properties take what belongs to them`() throws {
    let words = Words(suffix: "ing")
    var row = decoder(.text("going"))
    #expect(try words.$ending.invoke(&row).bound() == .integer(1))
    row = decoder(.integer(21))
    #expect(try Words.$doubled.invoke(&row).bound() == .integer(42))
    row = decoder()
    #expect(try words.$end.invoke(&row).bound() == .text("ing"))
    #expect(try Words.$none.invoke(&row).bound() == .null)
    #expect(Reminder.where { words.$ending($0.title) }.select(\.id).sql.contains(#"ending("reminders"."title")"#))
  }

  @Test func `an argument that may be nil takes a column that never is`() throws {
    #expect(Reminder.select { $median(values: $0.ratio) }.sql.contains(#"median("reminders"."ratio")"#))
    #expect(Reminder.where { $isDue($0.dueDate) }.select(\.id).sql.contains(#"is_due("reminders"."dueDate", ?1)"#))
    #expect($isDue.isDeterministic)
  }

  @Test func `a row of several columns is one argument`() throws {
    #expect($owner.argumentCount == RemindersList.columnWidth)
    let query = Reminder.leftJoin(RemindersList.all) { $0.listID.eq($1.id) }.select { $owner(of: $1) }
    #expect(query.sql.contains(#"owner("remindersLists"."id", "remindersLists"."title""#))
    var row = decoder(.null, .null, .null, .null)
    #expect(try $owner.invoke(&row).bound() == .text("nobody"))
  }

  @Test func `an aggregate takes tuples, an order and a filter`() throws {
    #expect($joined.argumentCount == 2)
    let query = Reminder.select {
      $joined($0.title, separator: ", ", order: $0.title, filter: $0.isCompleted)
    }
    #expect(query.sql.contains(#"joined("reminders"."title", ?1 ORDER BY "reminders"."title") FILTER (WHERE"#))
    #expect(Reminder.select { $median(values: $0.ratio, distinct: true) }.sql.contains("median(DISTINCT "))
    #expect(try $median.invoke([3, nil, 1, 2]).bound() == .real(2))
    #expect(try $joined.invoke([("a", separator: nil), ("b", separator: "+")]).bound() == .text("a+b"))
  }

  @Test func `names are no words, and arguments have owners`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: $shortened)
      db.add(function: `$the longer`)
    }
    try DatabaseQueue(configuration: configuration).read { db in
      same(try Values($shortened("abcd", by: 3, `up to`: 1)).fetchAll(db), ["abc"])
      same(try Values(`$the longer`("a", `other text`: "bc")).fetchAll(db), ["bc"])
    }
  }

  @Test func `a function without a result answers NULL`() throws {
    var row = decoder(.text("x"))
    #expect(try $log.invoke(&row).bound() == .null)
  }
}

extension Words {
  typealias Count = Int

  @DatabaseFunction
  func times(_ count: Self.Count, `in` text: String!) -> Self.Count! { text.map { $0.count * count } ?? nil }

  @DatabaseFunction
  static func `repeat`(_ texts: some Sequence<(Self.Count, `default`: String?)>) -> Optional<Self.Count> {
    texts.reduce(0) { $0 + $1.0 }
  }
}

@MainActor final class Screen {
  @DatabaseFunction nonisolated func width(_ text: String) -> Int { text.count }
}

actor Counter {
  @DatabaseFunction nonisolated func half(_ number: Int) -> Int { number / 2 }
  @DatabaseFunction static func third(_ number: Int) -> Int { number / 3 }
}

@Suite struct FunctionScopeTests {
  @MainActor @Test func `functions stand in extensions, actors and classes of the main actor`() throws {
    var configuration = Configuration()
    let words = Words(suffix: "")
    let (screen, counter) = (Screen(), Counter())
    configuration.prepareDatabase { db in
      db.add(function: words.$times)
      db.add(function: Words.$repeat)
      db.add(function: screen.$width)
      db.add(function: counter.$half)
      db.add(function: Counter.$third)
    }
    try DatabaseQueue(configuration: configuration).read { db in
      same(try Values(words.$times(3, in: "ab")).fetchAll(db), [6])
      same(try Values(Words.$repeat(2, default: "x")).fetchAll(db), [2])
      same(try Values(screen.$width("abc")).fetchAll(db), [3])
      same(try Values(counter.$half(4)).fetchAll(db), [2])
      same(try Values(Counter.$third(9)).fetchAll(db), [3])
    }
  }
}
