import Foundation
import SQLite
import Testing

/// Functions, aggregates and collations of the program.
@Suite struct ProgramFunctionTests {
  @Test(arguments: Place.embedded)
  func `functions of the program are expressions`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany((1...10).map { [email <- "É\($0)", age <- $0] }))
    let isEven = try db.createFunction("is_even", deterministic: true) { (n: Int64) -> Bool in n % 2 == 0 }
    #expect(isEven(id).asSQL() == "\"is_even\"(\"id\")")
    #expect(try db.scalar(users.filter(isEven(id)).count) == 5)
    let orNobody = try db.createFunction("or_nobody") { (n: String?) -> String? in n ?? "nobody" }
    #expect(try db.pluck(users.select(orNobody(name)))?[orNobody(name)] == "nobody")
    db.createFunction("shout", argumentCount: 1) { arguments in (arguments[0] as? String).map { $0 + "!" } }
    #expect(try db.scalar("SELECT shout('a')") as? String == "a!")
    db.createAggregation("longest", initialValue: "") { (best: String, row: [(any Binding)?]) in
      let text = row[0] as? String ?? ""
      return text.count > best.count ? text : best
    } result: {
      $0
    }
    #expect(try db.scalar("SELECT longest(email) FROM users") as? String == "É10")
    #expect(try db.scalar("SELECT longest(email) FROM users WHERE 0") as? String == "")
    try db.createCollation("NODIACRITIC") { $0.compare($1, options: .diacriticInsensitive) }
    #expect(try db.scalar(users.filter(email.collate(.custom("NODIACRITIC")) == "E1").count) == 1)
    #expect(try db.column(users.order(email.collate(.custom("NODIACRITIC")).desc).limit(1), email) == ["É9"])
    db.createFunction("regexp", argumentCount: 2) { ($0[1] as? String)?.contains($0[0] as? String ?? "") }
    #expect(try db.scalar(users.filter(email.regexp("1")).count) == 2)
  }

  @Test(arguments: Place.embedded)
  func `a text that is not UTF-8 is an error of the call`(_ place: Place) throws {
    let open = try place.open()
    open.db.createFunction("shout", argumentCount: 1) { arguments in (arguments[0] as? String).map { $0 + "!" } }
    open.db.createAggregation("last", initialValue: "") { (_: String, row: [(any Binding)?]) in
      row[0] as? String ?? ""
    } result: {
      $0
    }
    for name in ["shout", "last"] {
      fails {
        _ = try open.db.scalar("SELECT \(name)(CAST(x'61ff' AS TEXT))")
      } check: {
        "\($0)".contains("UTF-8")
      }
    }
  }

  @Test func `a server refuses functions of the program with the reason`() throws {
    let open = try Place.server.open()
    // These two throw there. The others cannot, so the statement throws that calls the function.
    open.db.createFunction("f") { _ in nil }
    open.db.createAggregation("Total_Of", initialValue: 0) { n, _ in
      n
    } result: {
      $0
    }
    for call in [
      { try open.db.createCollation("c") { _, _ in .orderedSame } },
      { _ = try open.db.createFunction("typed") { (n: Int64) -> Int64 in n } },
      { _ = try open.db.scalar("SELECT f(1)") }, { try open.db.run("SELECT F()") },
      { _ = try open.db.prepare("SELECT total_of(1)").run() }, { try open.db.execute("SELECT 1; SELECT f(2)") },
    ] as [() throws -> Void] {
      fails(call) { "\($0)".contains("a server cannot call it") }
    }
    fails {
      try open.db.run("SELECT ff(1)")
    } check: {
      "\($0)".contains("o such function: ff")
    }
  }

  @Test func `a function that cannot be made is an error of the statement that calls it`() throws {
    let db = try Connection()
    db.createFunction("much", argumentCount: 1000) { _ in nil }
    fails {
      try db.run("SELECT much(1)")
    } check: {
      "\($0)".contains("could not be registered")
    }
    db.createFunction("much", argumentCount: 1) { $0[0] }
    #expect(try db.scalar("SELECT much(1)") as? Int64 == 1)
  }

  @Test(arguments: Place.embedded) func `an aggregate may have memory of its own`(_ place: Place) throws {
    let open = try place.open()
    try open.db.createUsers()
    try open.db.run(users.insertMany((1...6).map { [email <- "u\($0)", age <- $0] }))
    open.db.createAggregation("sum_of") { row, state in
      state.withMemoryRebound(to: Int64.self, capacity: 1) { $0.pointee += row[0] as? Int64 ?? 0 }
    } final: { state in
      defer { state.deallocate() }
      return state.load(as: Int64.self)
    } state: {
      let state = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
      state.storeBytes(of: 0, as: Int64.self)
      return state
    }
    #expect(try open.db.scalar("SELECT sum_of(age) FROM users") as? Int64 == 21)
    #expect(try open.db.scalar("SELECT sum_of(age) FROM users WHERE 0") as? Int64 == 0)
  }

  @Test(arguments: Place.allCases)
  func `window functions cut and order`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany((1...6).map { [email <- "u\($0)", age <- $0, admin <- ($0 > 3)] }))
    let place = rowNumber(id.desc, partition: [admin])
    let before = age.lag(offset: 1, id, partition: [admin])
    let sum = age.sum.over(id, frame: .rows(.preceding(1)))
    let rows = try db.prepareRowIterator(users.select(place, before, sum).order(id)).map { $0 }
    #expect(rows.map { $0[place] } == [3, 2, 1, 3, 2, 1])
    #expect(rows.map { $0[before] } == [nil, 1, 2, nil, 4, 5])
    #expect(rows.map { $0[sum] } == [1, 3, 5, 7, 9, 11])
  }
}
