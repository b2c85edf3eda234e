/// Lists and rows bound as one parameter.
import MartletSQLite
import Testing

@Suite struct RowsModuleTests {
  private func integers(_ values: [Int64]) throws -> RowsPointer {
    let rows = RowsPointer(rowCount: values.count, columnCount: 1)
    let isSet = values.withUnsafeBufferPointer { rows.setColumn(0, source(.integer, integers: $0)) }
    try #require(isSet)
    return rows
  }

  private func source(
    _ kind: RowsPointer.Kind, nulls: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0),
    tags: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0),
    integers: UnsafeBufferPointer<Int64> = .init(start: nil, count: 0),
    reals: UnsafeBufferPointer<Double> = .init(start: nil, count: 0),
    ends: UnsafeBufferPointer<UInt32> = .init(start: nil, count: 0),
    data: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
  ) -> RowsPointer.Source {
    .init(kind: kind, nulls: nulls, tags: tags, integers: integers, reals: reals, ends: ends, data: data)
  }

  @Test func `IN takes a list of any length as one parameter`() throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    try writer.run("INSERT INTO t SELECT value FROM json_each('[1,2,3,4,5]')")
    let statement = try writer.prepare(
      #"SELECT count(*), sum(id) FROM t WHERE id IN (SELECT "value" FROM "martlet_list"(?1))"#)
    for (list, count, sum) in [([1, 3, 99], 2, 4), ([], 0, 0), ([5, 5, 5], 1, 5)] as [([Int64], Int64, Int64)] {
      try statement.bind(try integers(list), at: 1)
      #expect(try statement.step())
      #expect(statement.value(at: 0).integer == count)
      #expect(statement.value(at: 1).integer == sum)
      statement.reset()
      statement.clearBindings()
    }
  }

  @Test func `anything but bound rows is an empty table`() throws {
    let writer = try Connection.inMemory()
    let statement = try writer.prepare(#"SELECT count(*) FROM "martlet_rows"(?1)"#)
    #expect(try statement.step())
    #expect(statement.value(at: 0).integer == 0)
    statement.reset()
    try statement.bind(Int64(12345), at: 1)
    #expect(try statement.step())
    #expect(statement.value(at: 0).integer == 0)
    #expect(try writer.integer("SELECT count(*) FROM martlet_rows") == 0)
    #expect(try writer.integer("SELECT count(*) FROM martlet_list('x')") == 0)
    #expect(throws: SQLiteError.self) { try writer.run("CREATE VIRTUAL TABLE z USING martlet_rows") }
  }

  @Test func `every kind of value arrives as it was, and NULL where it was missing`() throws {
    let writer = try Connection.inMemory()
    let rows = RowsPointer(rowCount: 5, columnCount: 2)
    let tags: [UInt8] = [1, 2, 3, 4, 0]
    let data = Array("textblob".utf8)
    let ends: [UInt32] = [0, 0, 4, 8, 8]
    let isMixed = tags.withUnsafeBufferPointer { tags in
      [Int64(-7), 0, 0, 0, 0].withUnsafeBufferPointer { integers in
        [0, 2.5, 0, 0, 0].withUnsafeBufferPointer { reals in
          ends.withUnsafeBufferPointer { ends in
            data.withUnsafeBufferPointer { data in
              rows.setColumn(
                0, source(.mixed, tags: tags, integers: integers, reals: reals, ends: ends, data: data))
            }
          }
        }
      }
    }
    #expect(isMixed)
    let isText = [UInt32](repeating: 0, count: 5).withUnsafeBufferPointer { ends in
      [UInt8(0b00010)].withUnsafeBufferPointer { rows.setColumn(1, source(.text, nulls: $0, ends: ends)) }
    }
    #expect(isText)
    let statement = try writer.prepare(
      "SELECT typeof(c0) || ':' || quote(c0) || ':' || quote(c1) || ':' || quote(c2) FROM martlet_rows(?1)")
    try statement.bind(rows, at: 1)
    var seen: [String] = []
    while try statement.step() { seen.append(String(decoding: statement.value(at: 0).textBytes, as: UTF8.self)) }
    #expect(
      seen == [
        "integer:-7:'':NULL", "real:2.5:NULL:NULL", "text:'text':'':NULL", "blob:X'626C6F62':'':NULL",
        "null:NULL:'':NULL",
      ])
  }

  @Test func `arrays that do not fit are refused`() throws {
    let rows = RowsPointer(rowCount: 3, columnCount: 1)
    [Int64(1), 2].withUnsafeBufferPointer { #expect(!rows.setColumn(0, source(.integer, integers: $0))) }
    [Int64(1), 2, 3].withUnsafeBufferPointer { #expect(!rows.setColumn(1, source(.integer, integers: $0))) }
    [UInt32(1), 0, 2].withUnsafeBufferPointer { ends in
      [UInt8](repeating: 65, count: 9).withUnsafeBufferPointer { data in
        #expect(!rows.setColumn(0, source(.text, ends: ends, data: data)))
      }
    }
    [UInt32(1), 2, 10].withUnsafeBufferPointer { #expect(!rows.setColumn(0, source(.blob, ends: $0))) }
    [UInt8(1), 5, 0].withUnsafeBufferPointer { #expect(!rows.setColumn(0, source(.mixed, tags: $0))) }
  }

  @Test func `rows live as long as the binding and no longer`() throws {
    let writer = try Connection.inMemory()
    let statement = try writer.prepare("SELECT sum(value) FROM martlet_list(?1)")
    weak var watched: RowsPointer?
    do {
      let rows = try integers([1, 2, 3])
      watched = rows
      try statement.bind(rows, at: 1)
    }
    #expect(watched != nil)
    try writer.run("CREATE TABLE t(a)")
    #expect(try statement.step())
    #expect(statement.value(at: 0).integer == 6)
    statement.reset()
    statement.clearBindings()
    #expect(watched == nil)
  }

  @Test func `bulk rows are inserted by one statement, into a table with triggers too`() throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE t(id INTEGER PRIMARY KEY, twice)")
    try writer.run("CREATE TABLE log(n)")
    try writer.run("CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END")
    let statement = try writer.prepare(
      "INSERT INTO t(id, twice) SELECT c0, c0 * 2 FROM martlet_rows(?1) WHERE 1 ON CONFLICT DO UPDATE SET twice = 0")
    try statement.bind(try integers(Array(1...1000)), at: 1)
    #expect(try !statement.step())
    #expect(writer.changes == 1000)
    #expect(try writer.integer("SELECT sum(twice) FROM t") == 1_001_000)
    #expect(try writer.integer("SELECT count(*) FROM log") == 1000)
  }
}
