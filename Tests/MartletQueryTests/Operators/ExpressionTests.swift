/// Operators and functions: what they give on real rows, or which node they make.
import Foundation
import MartletQuery
import MartletValues
import Testing

@Suite struct ExpressionTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private func value<E: QueryExpression>(_ expression: E) throws -> Value
  where E.QueryValue: QueryRepresentable {
    try sample.run(Reminder.find(1).select { _ in expression }).row(0)[0]
  }

  @Test func `bytes have a length, whichever type they are read as`() throws {
    let (data, none) = (SQLQueryExpression("zeroblob(3)", as: Data.self), SQLQueryExpression("NULL", as: Data?.self))
    let bytes = SQLQueryExpression("zeroblob(3)", as: [UInt8].self)
    #expect(try value(data.length()) == 3 && value(bytes.length()) == 3)
    #expect(try value(none.length()) == .null)
    #expect(data.octetLength().text == "octet_length(zeroblob(3))")
    #expect(bytes.octetLength().text == "octet_length(zeroblob(3))")
  }

  @Test func `texts are cut, compared and changed`() throws {
    let columns = Reminder.columns
    #expect(try value(columns.title.upper()) == "MILK")
    #expect(try value(columns.title.substr(1, 2) + "!" + columns.title.lower()) == "Mi!milk")
    #expect(try value(columns.title.replace("il", "o")) == "Mok")
    #expect(try value(columns.title.length()) == 4)
    #expect(try value(columns.title.instr("l")) == 3)
    #expect(try value(columns.title.like("m%")) == 1)
    #expect(try value(columns.title.glob("m*")) == 0)
    #expect(try value(columns.title.hasPrefix("Mi")) == 1)
    #expect(try value(columns.title.contains("%")) == 0)
    #expect(try value(columns.title.collate(.nocase).eq("MILK")) == 1)
    #expect(try value(columns.title.quote()) == "'Milk'")
    #expect(try value("  x ".trim()) == "x")
  }

  @Test func `operators of numbers and bits give what SQLite computes`() throws {
    let columns = Reminder.columns
    #expect(try value(columns.position + 1 - 2) == 9)
    #expect(try value(2 * columns.position) == 20)
    #expect(try value(columns.position / columns.id) == 10)
    #expect(try value(columns.position % 3) == 1)
    #expect(try value(-columns.position) == -10)
    #expect(try value(columns.position & 6) == 2)
    #expect(try value(columns.position | 1) == 11)
    #expect(try value(columns.position ^ 3) == 9)
    #expect(try value(columns.position << 2) == 40)
    #expect(try value(columns.position.cast(as: Double.self) / 4) == 2.5)
    #expect(try value((columns.position.cast(as: Double.self) / 3).round(2)) == 3.33)
    #expect(try value((-columns.position).abs()) == 10)
  }

  @Test func `what may be NULL is asked for, and replaced`() throws {
    let columns = Reminder.columns
    #expect(try sample.all(Reminder.find(2).select { $0.priority ?? .low }) == [.low])
    #expect(try value(columns.priority.is(nil)) == 0)
    #expect(try value(columns.dueDate.isNot(nil)) == 1)
    #expect(try value(columns.position.nullif(10)) == .null)
    #expect(try value(columns.priority.ifnull(.low)) == 3)
    let chained = Reminder.select { $0.dueDate ?? $0.dueDate ?? Date(timeIntervalSince1970: 0) }
    #expect(chained.sql.contains("coalesce(\"reminders\".\"dueDate\", \"reminders\".\"dueDate\", ?1)"))
    #expect(Reminder.where { $0.dueDate.is(nil) }.sql.hasSuffix("((\"reminders\".\"dueDate\") IS (NULL))"))
  }

  @Test func `a comparison with nil means IS NULL and warns`() throws {
    let conditions: any NilComparisons = WarnedNilComparisons()
    #expect(conditions.isNil.sql.hasSuffix("((\"reminders\".\"dueDate\") IS (NULL))"))
    #expect(conditions.isNotNil.sql.hasSuffix("((\"reminders\".\"dueDate\") IS NOT (NULL))"))
  }

  @Test func `CASE in both forms`() throws {
    let simple = Reminder.order(by: \.id).select {
      Case($0.priority).when(.low, then: "Low").when(.high, then: "High").else("Other")
    }
    #expect(try sample.all(simple) == ["High", "Other", "Low", "Other"])
    let searched = Reminder.order(by: \.id).select {
      Case().when($0.isCompleted, then: "Done").when($0.dueDate.isNot(nil), then: "Due").else("Open")
    }
    #expect(try sample.all(searched) == ["Due", "Done", "Due", "Open"])
    #expect(try sample.all(Reminder.find(1).select { Case().when($0.isCompleted, then: 1) }) == [nil])
  }

  @Test func `aggregates with their clauses`() throws {
    let query = Reminder.select {
      (
        $0.count(), $0.count(filter: $0.isCompleted), $0.position.sum(), $0.position.avg(), $0.priority.max(),
        $0.title.groupConcat("; ", filter: $0.id < 3), $0.remindersListID.count(distinct: true)
      )
    }
    let row = try #require(try query.decode(try sample.run(query)).first)
    #expect(row.0 == 4 && row.1 == 1 && row.2 == 100 && row.3 == 25 && row.4 == .high)
    #expect(row.5 == "Milk; Bread" && row.6 == 2)
  }

  @Test func `windows with partitions, frames and names`() throws {
    let query = Reminder.order(by: \.id)
      .window("lists") { .partition(by: $0.remindersListID).order(by: $0.id) }
      .select {
        (
          $0.id, rowNumber().over(.partition(by: $0.remindersListID).order(by: $0.position.desc())),
          $0.position.sum().over(Window.order(by: $0.id).rows(.preceding(1), .currentRow)),
          $0.title.lag().over("lists")
        )
      }
    let rows = try query.decode(try sample.run(query))
    #expect(rows.map(\.1) == [3, 2, 1, 1])
    #expect(rows.map(\.2) == [10, 30, 50, 70])
    #expect(rows.map(\.3) == [nil, "Milk", nil, "Bread"])
  }

  @Test func `raw SQL holds values and columns as nodes`() throws {
    let length = 4
    let query = Reminder.where { SQLQueryExpression("length(\($0.title)) = \(bind: length)", as: Bool.self) }
    #expect(query.parameters == [.integer(4)])
    #expect(try sample.all(query.select(\.id)) == [1])
    let statement = SQLQueryExpression(
      "SELECT \(Reminder.columns.title) FROM \(Reminder.self) WHERE \(Reminder.columns.id) = \(2)", as: String.self)
    #expect(try sample.all(statement) == ["Bread"])
  }

  @Test func `a literal is SQL, and a text of the program is a value`() throws {
    let literal = SQLQueryExpression<String>("upper('milk')")
    #expect(try sample.value(literal) == .text("MILK") && literal.text == "upper('milk')")
    let column = Reminder.columns.title
    let interpolated = SQLQueryExpression<String>("upper(\(column)) || \(bind: "upper('x')")")
    #expect(try sample.value(interpolated) == .text("MILKupper('x')"))
    let text = "upper('milk')"
    #expect(try sample.value(SQLQueryExpression(text)) == .text(text))
    #expect(try sample.value(SQLQueryExpression<Int>("1 + 1")) == .integer(2))
  }

  @Test func `what cannot be bound is said before anything is sent`() {
    #expect(throws: QueryBindingFailure.self) { try sample.run(Reminder.where { _ in UInt64.max.eq(1) }) }
  }

  @Test func `a long chain is wide, not deep`() throws {
    var predicate = Reminder.columns.id.eq(0)
    for id in 1..<500 { predicate = predicate || Reminder.columns.id.eq(id) }
    let query = Reminder.where { _ in predicate }
    #expect(try sample.all(query.count()) == [4])
  }
}

extension ExpressionTests {
  @Test func `dates and JSON are read and made by functions`() throws {
    let dates = Reminder.find(3).select { ($0.dueDate.year, $0.dueDate.month, $0.dueDate.modified("start of year")) }
    let row = try #require(try dates.decode(try sample.run(dates)).first)
    #expect(row.0 == 2001 && row.1 == 2)
    #expect(row.2 == Date(timeIntervalSinceReferenceDate: 0))
    let titles = Reminder.where { $0.id < 3 }.select { $0.title.jsonGroupArray() }
    #expect(try sample.all(titles) == [["Milk", "Bread"]])
    let object = Reminder.find(1).select {
      jsonObject(["id": $0.id, "title": $0.title]).jsonExtract("$.title", as: String.self)
    }
    #expect(try sample.all(object) == ["Milk"])
  }

  @Test func `values come back as they were bound`() throws {
    let date = Date(timeIntervalSince1970: 1_234_567_890.123)
    let uuid = UUID()
    let query = Values(
      date, uuid, Decimal(string: "12.50")!, URL(filePath: "/a"), [UInt8]([1, 2]), Float(1.5), UInt8(7))
    let row = try #require(try query.decode(try sample.run(query)).first)
    #expect(abs(row.0.timeIntervalSince(date)) < 0.0005)
    #expect(row.1 == uuid && row.2 == Decimal(string: "12.5") && row.4 == [1, 2] && row.5 == 1.5 && row.6 == 7)
    let others = Values(
      BindQueryExpression(date, as: Date.UnixTimeRepresentation.self),
      BindQueryExpression(uuid, as: UUID.BytesRepresentation.self),
      BindQueryExpression(["a": [1]], as: [String: [Int]].JSONRepresentation.self),
      BindQueryExpression(date, as: Date.JulianDayRepresentation.self), Duration.milliseconds(1500))
    let other = try #require(try others.decode(try sample.run(others)).first)
    #expect(other.0 == Date(timeIntervalSince1970: 1_234_567_890) && other.1 == uuid && other.2 == ["a": [1]])
    #expect(abs(other.3.timeIntervalSince(date)) < 0.001 && other.4 == .milliseconds(1500))
  }

  @Test func `a value of another kind is refused`() throws {
    let raw = SQLQueryExpression("SELECT 'x'", as: Int.self)
    #expect(throws: QueryDecodingError.self) { try sample.all(raw) }
    let null = SQLQueryExpression("SELECT NULL", as: Int.self)
    #expect(throws: QueryDecodingError.self) { try sample.all(null) }
  }
}

/// What warns stands behind a protocol, so that the warning stays here.
private protocol NilComparisons {
  var isNil: Where<Reminder> { get }
  var isNotNil: Where<Reminder> { get }
}

private struct WarnedNilComparisons: NilComparisons {
  @available(*, deprecated) var isNil: Where<Reminder> { Reminder.where { $0.dueDate == nil } }
  @available(*, deprecated) var isNotNil: Where<Reminder> { Reminder.where { $0.dueDate != nil } }
}
