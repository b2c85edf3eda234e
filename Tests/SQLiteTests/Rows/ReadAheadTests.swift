import Foundation
import SQLite
import Testing

private let number = Expression<Int>("n")
private let optional = Expression<Int?>("n")
private let real = Expression<Double>("n")
private let text = Expression<String>("n")

/// Rows that are read some at a time: nothing of that is seen.
@Suite struct ReadAheadTests {
  private func numbers(_ db: Connection, _ count: Int) throws -> VirtualTable {
    try db.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, n)")
    try db.run(
      "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1) INSERT INTO numbers SELECT i, i FROM c WHERE i <= ?1",
      count)
    return VirtualTable("numbers")
  }

  @Test(arguments: [0, 1, 2, 3, 127, 128, 129, 255, 256, 1000, 20_000], Place.allCases)
  func `every row comes once in order`(_ count: Int, _ place: Place) throws {
    let open = try place.open()
    let table = try numbers(open.db, count)
    #expect(try open.db.column(table.order(id), number) == Array(0..<count).map { $0 + 1 })
    #expect(try Array(open.db.prepare(table)).count == count)
  }

  @Test(arguments: Place.allCases)
  func `a row stays what it was however far the statement went`(_ place: Place) throws {
    let open = try place.open()
    let table = try numbers(open.db, 3000)
    let rows = try open.db.prepareRowIterator(table.order(id))
    var kept: [Row] = []
    while let row = try rows.failableNext() { if row[number] % 7 == 0 { kept.append(row) } }
    #expect(kept.map { $0[number] } == stride(from: 7, through: 3000, by: 7).map { $0 })
    let all = kept
    // From several threads, and by expressions that are made anew.
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for row in all { #expect(same(row[Expression<Int64>("id")], Int64(row[Expression<Int>("n")]))) }
    }
  }

  @Test(arguments: Place.allCases)
  func `an error comes behind the rows that were found before it`(_ place: Place) throws {
    let open = try place.open()
    let table = try numbers(open.db, 500)
    let fault = Expression<Int>(literal: "CASE WHEN id = 300 THEN abs(-9223372036854775808) ELSE n END")
    var found = 0
    fails({
      let rows = try open.db.prepareRowIterator(table.select(fault).order(id))
      while try rows.failableNext() != nil { found += 1 }
    }) { "\($0)".contains("overflow") }
    // A server sends what it has with the error or without it.
    #expect(place == .server ? found <= 299 : found == 299)
    #expect(try open.db.scalar(table.count) == 500)
  }

  @Test(arguments: Place.allCases)
  func `rows may be changed while they are read`(_ place: Place) throws {
    let open = try place.open()
    let table = Table("numbers")
    _ = try numbers(open.db, 1000)
    var seen: Set<Int> = []
    for row in try open.db.prepare(table.order(id)) {
      seen.insert(row[number])
      try open.db.run(table.filter(id == row[id]).delete())
    }
    #expect(seen.count == 1000)
    #expect(try open.db.scalar(table.count) == 0)
  }

  @Test(arguments: Place.allCases)
  func `large rows are read one by one`(_ place: Place) throws {
    let open = try place.open()
    try open.db.execute("CREATE TABLE pictures (id INTEGER PRIMARY KEY, bytes BLOB)")
    let bytes = Expression<Blob>("bytes")
    let pictures = Table("pictures")
    for _ in 0..<20 { try open.db.run(pictures.insert(bytes <- Blob(count: 300_000))) }
    var total = 0
    for row in try open.db.prepare(pictures) { total += row[bytes].length }
    #expect(total == 6_000_000)
  }

  @Test(arguments: Place.allCases)
  func `values of each kind come as their type or as an error`(_ place: Place) throws {
    let open = try place.open()
    try open.db.execute("CREATE TABLE mixed (id INTEGER PRIMARY KEY, n)")
    try open.db.execute("INSERT INTO mixed (n) VALUES (7), (7.0), (7.5), ('7'), (NULL), (x'37')")
    let rows = try open.db.prepareRowIterator(Table("mixed").order(id)).map { $0 }
    func kinds(_ get: (Row) throws -> String) -> [String] { rows.map { (try? get($0)) ?? "error" } }
    #expect(kinds { "\(try $0.get(number))" } == ["7", "7", "error", "error", "error", "error"])
    #expect(kinds { "\(try $0.get(real))" } == ["7.0", "7.0", "7.5", "error", "error", "error"])
    #expect(kinds { "\(try $0.get(text))" } == ["error", "error", "error", "7", "error", "error"])
    #expect(kinds { "\(try $0.get(Expression<Bool>("n")))" } == ["true", "true", "error", "error", "error", "error"])
    #expect(kinds { (try $0.get(optional)).map { "\($0)" } ?? "nil" } == ["7", "7", "error", "error", "nil", "error"])
    #expect(kinds { "\(try $0.get(Expression<Int8>("n")))" } == ["7", "7", "error", "error", "error", "error"])
  }

  @Test(arguments: Place.embedded)
  func `a text that is not UTF-8 is an error of its column`(_ place: Place) throws {
    let open = try place.open()
    try open.db.execute("CREATE TABLE texts (n); INSERT INTO texts VALUES (CAST(x'ff' AS TEXT)), ('fine')")
    let rows = try open.db.prepareRowIterator(Table("texts")).map { $0 }
    fails({ _ = try rows[0].get(text) }) { "\($0)".contains("\"n\" holds a text that is not UTF-8") }
    #expect(rows[1][text] == "fine")
  }
}
