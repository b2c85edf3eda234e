/// Functions written in Swift: called by statements, views and triggers of an embedded database.
import MartletDatabase
import MartletQuery
import MartletValues
import Synchronization
import Testing

/// As a macro would write them.
struct Shout: ScalarDatabaseFunction {
  let name = "shout"
  let argumentCount: Int? = 2
  let isDeterministic = true

  func invoke(_ decoder: inout some QueryDecoder) throws -> QueryBinding {
    let text = try String?(decoder: &decoder)
    let times = try Int(decoder: &decoder)
    guard times >= 0 else { throw ShoutError(times: times) }
    return (text.map { $0.uppercased() + String(repeating: "!", count: times) }).queryBinding
  }

  func callAsFunction(_ text: some QueryExpression<String>, times: some QueryExpression<Int>) -> SQLQueryExpression<
    String
  > {
    SQLQueryExpression(function: name, text.columnFragments + times.columnFragments)
  }
}

struct ShoutError: Error, CustomStringConvertible {
  var times: Int
  var description: String { "Nobody can shout \(times) times." }
}

struct Median: AggregateDatabaseFunction {
  let name = "median"
  let argumentCount: Int? = 1

  func step(_ decoder: inout some QueryDecoder) throws -> Double? { try Double?(decoder: &decoder) }

  func invoke(_ rows: some Sequence<Double?>) throws -> QueryBinding {
    let sorted = rows.compactMap { $0 }.sorted()
    return sorted.isEmpty ? .null : .double((sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
  }
}

@Suite struct FunctionTests {
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: Shout())
      db.add(function: Median())
    }
    return configuration
  }

  @Test(arguments: Home.embedded)
  func `a scalar function is called by queries`(home: Home) throws {
    let open = try home.open(Self.configuration)
    try open.database.read { db in
      try expect(["TEA!", "CUP!!", "POT!!!"]) {
        try Item.order(by: \.id).select { Shout()($0.title, times: $0.id) }.fetchAll(db)
      }
      let missing = SQLQueryExpression<String?>(function: "shout", [.bind(.null), .bind(.int(1))])
      try expect([nil]) { try missing.fetchAll(db) }
    }
  }

  @Test(arguments: Home.embedded)
  func `what a function throws is the statement's error`(home: Home) throws {
    let open = try home.open(Self.configuration)
    let error = #expect(throws: RequestError.self) {
      try open.database.read { db in
        _ = try Item.order(by: \.id).select { Shout()($0.title, times: -$0.id) }.fetchAll(db)
      }
    }
    #expect(error?.message == "Nobody can shout -1 times." && error?.reason == .function)
    #expect(throws: RequestError.self) {
      try open.database.read { _ = try SQLQueryExpression<String>(function: "shout", [.bind(.text("a"))]).fetchOne($0) }
    }
    // The connection is as good as before.
    try expect(3) { try open.database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.embedded)
  func `an aggregate gets the rows of each group`(home: Home) throws {
    let open = try home.open(Self.configuration)
    try open.database.write { db in
      try Item.delete().execute(db)
      try Item.insert {
        for n in 1...10 { Item.Draft(title: "\(n)", price: n == 7 ? nil : Double(n), ownerID: n > 4 ? 2 : 1) }
      }.execute(db)
      let medians = try Item.group(by: \.ownerID).order(by: \.ownerID)
        .select { SQLQueryExpression<Double?>(aggregate: "median", $0.price.columnFragments) }.fetchAll(db)
      #expect(medians == [2.5, 8])
      let none = Item.where { $0.id < 0 }.select {
        SQLQueryExpression<Double?>(aggregate: "median", $0.price.columnFragments)
      }
      try expect([nil]) { try none.fetchAll(db) }
      let filtered = Item.select {
        SQLQueryExpression<Double?>(aggregate: "median", $0.price.columnFragments, filter: ($0.id < 4).queryFragment)
      }
      try expect([2]) { try filtered.fetchAll(db) }
      let sliding = SQLQueryExpression(
        """
        SELECT median("price") OVER (ORDER BY "id" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM "items" LIMIT 4
        """, as: Double.self)
      try expect([1, 1.5, 2.5, 3.5]) { try sliding.fetchAll(db) }
    }
  }

  @Test(arguments: Home.embedded)
  func `temporary views and triggers call functions`(home: Home) throws {
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          CREATE TEMP VIEW "loud" AS SELECT shout('x', 2) AS "title";
          """)
    }
    let open = try home.open(configuration)
    try expect(["X!!"]) {
      try open.database.read { try SQLQueryExpression("SELECT \"title\" FROM \"loud\"", as: String.self).fetchAll($0) }
    }
    try open.database.write { db in
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER "shouting" AFTER INSERT ON "items" BEGIN
            UPDATE "items" SET "title" = shout(NEW."title", 1) WHERE "id" = NEW."id";
          END
          """)
      try Item.insert { Item.Draft(title: "new") }.execute(db)
      try expect("NEW!") { try Item.find(db, key: 4).title }
    }
  }

  @Test(arguments: Home.embedded)
  func `a removed function is unknown`(home: Home) throws {
    let open = try home.open(Self.configuration)
    #expect(throws: RequestError.self) {
      try open.database.write { db in
        db.remove(function: Shout())
        _ = try Item.select { Shout()($0.title, times: $0.id) }.fetchAll(db)
      }
    }
  }

  @Test(arguments: Home.embedded)
  func `statements are traced with their values`(home: Home) throws {
    let log = Log()
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.trace { sql in log.add(sql) } }
    let open = try home.open(configuration)
    log.clear()
    try open.database.read { db in _ = try Item.where { $0.title.eq("Tea") }.fetchAll(db) }
    #expect(log.lines.count == 1 && log.lines[0].contains("'Tea'"))
  }
}

final class Log: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.append(line) } }
  func clear() { state.withLock { $0 = [] } }
}
