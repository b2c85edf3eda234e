/// Values in the text of views and triggers mean what a parameter in their place would mean.
import Foundation
import MartletQuery
import MartletValues
import Testing

@Suite struct InlinedValueTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private func rows(_ query: some MartletQuery.Statement<Level>) throws -> [Level] {
    let view = Level.createTemporaryView(as: query)
    try sample.run(view)
    defer { _ = try? sample.run(view.drop()) }
    return try sample.all(Level.all)
  }

  private func same(_ query: some MartletQuery.Statement<Level>, _ name: String) throws {
    let inView = try rows(query)
    #expect(try inView == sample.all(query), "\(name): \(query)")
    #expect(!inView.isEmpty, "\(name) tells nothing")
  }

  private func levels(_ depth: QueryFragment) -> some MartletQuery.Statement<Level> {
    Reminder.order(by: \.id).select { Level.Columns(id: $0.id, depth: SQLQueryExpression<Int>(depth, as: Int.self)) }
  }

  @Test func `a negative value behind a minus is no comment`() throws {
    for value in [-5, 5, -(1 << 62)] {
      try same(levels("\(Reminder.columns.position)-\(value)"), "minus \(value)")
      try same(levels("\(Reminder.columns.position) - \(value)"), "blank \(value)")
      try same(levels("-\(value)+1"), "first \(value)")
    }
    try same(levels("CAST(\(Reminder.columns.position)-\(-1.5) AS INTEGER)"), "real")
  }

  @Test func `a value that stands beside a word or a digit does not become a part of it`() throws {
    for wrong in ["x\(1)", "\("a")\("b")", "x\("ab")"] as [QueryFragment] {
      let query = levels(wrong)
      #expect(throws: (any Error).self, "\(wrong)") { try sample.all(query) }
      #expect(throws: (any Error).self, "\(wrong)") { try rows(query) }
    }
    // `?1` and a digit behind it would be another parameter.
    let query = levels("\(Reminder.columns.position)+\(1)0")
    #expect(throws: (any Error).self) { try sample.all(query) }
    #expect(throws: (any Error).self) { try rows(query) }
  }

  @Test func `a number that groups or orders is no column's place`() throws {
    typealias Columns = Level.Columns
    let one = SQLQueryExpression<Int>(1)
    try same(Reminder.group { _ in 2 }.select { Columns(id: $0.id.count(), depth: $0.position.max() ?? 0) }, "group")
    try same(Reminder.group { _ in -1 }.select { Columns(id: $0.id.count(), depth: $0.position.max() ?? 0) }, "less")
    try same(Reminder.group { _ in 9 }.select { Columns(id: $0.id.count(), depth: $0.position.max() ?? 0) }, "far")
    for term in [one, SQLQueryExpression(-one), SQLQueryExpression<Int>("(\(2))", as: Int.self)] {
      let query = Reminder.order { (term, $0.id) }.select { Columns(id: $0.position * -1, depth: $0.id) }
      try same(query, "order by \(term)")
    }
    let true1 = Reminder.order { (SQLQueryExpression<Bool>(true), $0.id) }
    try same(true1.select { Columns(id: $0.position * -1, depth: $0.id) }, "a Boolean")
  }
}
