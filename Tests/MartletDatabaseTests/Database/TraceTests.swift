/// What a program hears of the statements that its connection runs.
import MartletDatabase
import MartletQuery
import Testing

@Suite struct TraceTests {
  private func events(
    of home: Home, _ options: TracingOptions, _ body: (Database) throws -> Void
  ) throws -> [TraceEvent] {
    let open = try home.open(Configuration())
    var events: [TraceEvent] = []
    try open.database.write { db in
      db.trace(options: options) { events.append($0) }
      defer { db.trace(nil) }
      try body(db)
    }
    return events
  }

  private func words(_ events: [TraceEvent]) -> [String] {
    events.map { event in
      switch event {
      case .statement(let statement): "starts \(statement)"
      case .profile(let statement, let duration): duration >= 0 ? "ended \(statement)" : "ended before it began"
      }
    }
  }

  private func update(_ db: Database) throws {
    try db.execute(sql: "UPDATE items SET title = ?1 WHERE id = ?2", arguments: ["o'brien", 1])
  }

  @Test(arguments: Home.embedded)
  func `a statement is told when it starts, when it ends, or both`(home: Home) throws {
    let sql = "UPDATE items SET title = ?1 WHERE id = ?2"
    #expect(try words(events(of: home, .statement, update)) == ["starts \(sql)"])
    #expect(try words(events(of: home, .profile, update)) == ["ended \(sql)"])
    #expect(try words(events(of: home, [.statement, .profile], update)) == ["starts \(sql)", "ended \(sql)"])
    #expect(try events(of: home, [], update).isEmpty)
  }

  @Test(arguments: Home.embedded)
  func `values stand in the expanded description only, with the time before it at the end`(home: Home) throws {
    let events = try events(of: home, [.statement, .profile], update)
    try #require(events.count == 2)
    let expanded = "UPDATE items SET title = 'o''brien' WHERE id = 1"
    #expect(events[0].expandedDescription == expanded)
    #expect(!events[0].description.contains("brien") && !"\(events[1])".contains("brien"))
    #expect(events[1].expandedDescription.hasSuffix("s " + expanded))
    #expect(events[1].description.wholeMatch(of: /\d+\.\d{3}s UPDATE .*/) != nil)
  }

  @Test(arguments: Home.embedded)
  func `a query ends at its last row, or when no more of them are taken`(home: Home) throws {
    let events = try words(
      events(of: home, .profile) { db in
        _ = try Item.all.fetchAll(db)
        _ = try Item.all.fetchOne(db)
        _ = try Item.where { $0.id.eq(-1) }.fetchAll(db)
      })
    #expect(events.count == 3 && events.allSatisfy { $0.hasPrefix("ended SELECT") })
  }

  @Test(arguments: Home.embedded)
  func `a statement that fails has ended, and nothing is told after nil`(home: Home) throws {
    let events = try events(of: home, .profile) { db in
      #expect(throws: (any Error).self) { try db.execute(sql: "INSERT INTO items(id) VALUES (1), (1)") }
      db.trace(nil)
      try update(db)
    }
    #expect(events.count == 1)
  }

  @Test func `a closure is of texts or of events, as it uses them`() throws {
    let open = try Home.memory.open(Configuration())
    var (texts, events): ([String], [String]) = ([], [])
    try open.database.write { db in
      db.trace { texts.append($0) }
      try update(db)
      db.trace { events.append($0.expandedDescription) }
      try update(db)
      db.trace(nil)
      try update(db)
    }
    #expect(texts == events && texts.count == 1)
  }

  @Test(arguments: [Home.tcp]) func `a statement at a server is told when it starts, with marks`(home: Home) throws {
    for options in [TracingOptions.statement, .profile] {
      let events = try events(of: home, options, update)
      #expect(words(events) == ["starts UPDATE items SET title = ?1 WHERE id = ?2"])
      #expect(events[0].expandedDescription == events[0].description)
    }
  }
}
