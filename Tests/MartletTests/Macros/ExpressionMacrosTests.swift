/// `#sql`, `#bind` and `@DatabaseFunction` as programs write them.
///
/// Always true: what is compared is the SQL and what a function answers.
import Foundation
import Martlet
import MartletValues
import Testing

@DatabaseFunction
func isLate(reminder: Reminder) -> Bool { !reminder.isCompleted && reminder.count > 3 }

@DatabaseFunction("shout", isDeterministic: true)
func loud(_ text: String, times: Int = 1) throws -> String? { text + String(repeating: "!", count: times) }

@DatabaseFunction(as: (([String].JSONRepresentation) -> Bool).self)
func hasTags(_ tags: [String]) -> Bool { !tags.isEmpty }

@DatabaseFunction
func mode(priority priorities: some Sequence<Reminder.Priority?>) -> Reminder.Priority? {
  priorities.compactMap { $0 }.last
}

@DatabaseFunction
func weighted(_ pairs: some Sequence<(Double, Int)>) -> Double {
  pairs.reduce(0) { $0 + $1.0 * Double($1.1) }
}

@DatabaseFunction
var epoch: Int { 42 }

@Suite struct ExpressionMacrosTests {
  @Test func `raw SQL binds values and names columns`() {
    let limit = 3
    let query = Reminder.where { $0.isCompleted && #sql("length(\($0.title)) < \(limit)") }.select(\.id)
    #expect(query.sql.contains("length(\"reminders\".\"title\") < ?1"))
    #expect(query.parameters == [.integer(3)])
    #expect(Reminder.where { #sql("\($0.count) > 1") }.select(\.id).sql.contains("\"count\" > 1"))
    #expect(Reminder.where { #sql("\($0.count) > 1") || $0.isCompleted }.select(\.id).sql.contains("\"count\" > 1"))
    #expect(
      #sql("SELECT \(Reminder.columns.id) FROM \(Reminder.self)", as: Int.self).sql == """
        SELECT "reminders"."id" FROM "reminders"
        """)
    #expect(#sql("CREATE TABLE \(raw: "t") (x)").sql == "CREATE TABLE t (x)")
  }

  // Version 6.3 of the compiler took closures of an expansion for others of their type, from two of each on.
  @Test func `a query within SQL has its own conditions, and not those of its neighbour`() {
    func run(_ body: () -> Void) { body() }
    run {
      let first = #sql("SELECT \(Reminder.where { $0.count.eq(101) }.select { $0.title })", as: String.self)
      let second = Reminder.where { $0.id.eq(102) }.select { $0.title }
      let third = #sql("SELECT \(Reminder.where { $0.count.eq(103) }.select { $0.title })", as: String.self)
      let fourth = Reminder.where { $0.id.eq(104) }.select { $0.title }
      #expect(first.parameters == [.integer(101)] && second.parameters == [.integer(102)])
      #expect(third.parameters == [.integer(103)] && fourth.parameters == [.integer(104)])
      let columns = [first.sql.contains("count"), second.sql.contains("count"), fourth.sql.contains("count")]
      #expect(columns == [true, false, false])
    }
    // The parameters of the closure around it have other names within.
    let none = Int("x")
    let query = Reminder.where {
      #sql(
        "\($0.id) IN (\(Reminder.as(Elder.self).where { $0.id.eq(2) }.select { $0.id })) AND \($0.count) > \(none ?? 7)"
      )
    }
    #expect(query.parameters == [.integer(2), .integer(7)])
    #expect(query.sql.contains("\"reminders\".\"id\" IN (") && query.sql.contains("\"reminders\".\"count\" > ?2"))
    let bound = Reminder.where { row in
      #sql("\(row.count) > \([1, 2].map { $0 + 1 }.count)") && row.count.eq(#bind(none ?? 3))
    }
    #expect(bound.parameters == [.integer(2), .integer(3)])
  }

  private enum Elder: AliasName {}

  private func next(_ number: Int) throws -> Int { number + 1 }

  @Test func `however many queries of one type stand within SQL in one closure, each has its own conditions`() throws {
    func run<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) { try body() }
    try run { () throws in
      let plain = Reminder.where { $0.id.eq(1) }.select { $0.title }
      let alone = [
        #sql("SELECT \(Reminder.where { $0.id.eq(2) }.select { $0.title })", as: String.self),
        #sql("SELECT \(Reminder.where { $0.id.eq(3) }.select { $0.title })", as: String.self),
        #sql("SELECT \(Reminder.where { $0.id.eq(4) }.select { $0.title })", as: String.self),
        #sql("SELECT \(Reminder.where { $0.id.eq(5) }.select { $0.title })", as: String.self),
      ]
      let two = #sql(
        """
        SELECT \(Reminder.where { $0.id.eq(6) }.select { $0.title })
          || \(Reminder.where { $0.id.eq(7) }.select { $0.title })
        """, as: String.self)
      let other = Reminder.where { $0.id.eq(8) }.select { $0.title }
      let tried = #sql("SELECT \(try [7, 8].map { try next($0) }.count)", as: Int.self)
      let attempt = #sql("SELECT \((try? [8].map { try next($0) }.first ?? 0) ?? 0)", as: Int.self)
      #expect(plain.parameters == [.integer(1)] && other.parameters == [.integer(8)])
      #expect(alone.map(\.parameters) == [[.integer(2)], [.integer(3)], [.integer(4)], [.integer(5)]])
      #expect(two.parameters == [.integer(6), .integer(7)])
      #expect(tried.parameters == [.integer(2)] && attempt.parameters == [.integer(9)])
    }
  }

  @Test func `a bound value takes the type of what it is compared with`() {
    #expect(Reminder.where { $0.priority.eq(#bind(.high)) }.parameters == [.integer(2)])
    #expect(
      Reminder.select { Case($0.priority).when(#bind(.low), then: "l").else("h") }.parameters.first == .integer(1))
  }

  @Test func `a function is called with expressions`() throws {
    #expect(Reminder.where { $isLate(reminder: $0) }.select(\.id).sql.contains("isLate(\"reminders\".\"id\", "))
    #expect(Reminder.select { $loud($0.title, times: 2) }.sql.contains("shout(\"reminders\".\"title\", ?1)"))
    #expect(Reminder.select { $mode(priority: $0.priority) }.sql.contains("mode(\"reminders\".\"priority\")"))
    #expect(Reminder.select { $weighted($0.ratio, $0.count, filter: $0.isCompleted) }.sql.contains("FILTER"))
    #expect(Reminder.select { _ in $epoch() }.sql.contains("epoch()"))
    #expect($isLate.argumentCount == 10)
    #expect($loud.isDeterministic)
    #expect(Reminder.where { $hasTags($0.tags) }.select(\.id).sql.contains("hasTags("))
  }

  @Test func `a function reads its arguments and binds its result`() throws {
    var batch = RowBatch(columnCount: 2)
    batch.append([.text("a"), .integer(3)])
    var decoder = RowDecoder(batch: batch)
    #expect(try $loud.invoke(&decoder).bound() == .text("a!!!"))
    #expect(try $mode.invoke([.low, nil, .high, nil]).bound() == .integer(2))
    #expect(try $weighted.invoke([(2, 3), (0.5, 2)]).bound() == .real(7))
  }
}
