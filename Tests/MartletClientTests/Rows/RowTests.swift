/// Values of rows as Swift types: what is given, and what is refused.
import Foundation
import MartletValues
import Testing

@testable import MartletClient

@Suite struct RowTests {
  static func rows(_ names: [String], _ rows: [[Value]]) -> [Row] {
    let layout = ColumnLayout(ResultColumns(columns: names.map { .init(name: $0) }))
    let page = RowPage(batch: RowBatch(rows: rows, columnCount: names.count), layout: layout)
    return rows.indices.map { Row(page: page, index: $0) }
  }

  static func row(_ columns: KeyValuePairs<String, Value>) -> Row {
    rows(columns.map(\.key), [columns.map(\.value)])[0]
  }

  @Test func `values are read by position and by name`() throws {
    let row = Self.row(["id": 7, "name": "Anna", "price": 1.5, "data": .blob([1, 2]), "none": nil])
    #expect(try row.get(Int64.self, 0) == 7)
    #expect(try row.get(Int.self, "id") == 7 && row.get(UInt8.self, "id") == 7)
    #expect(try row.get(String.self, "name") == "Anna" && row.get([UInt8].self, "name") == Array("Anna".utf8))
    #expect(try row.get(Double.self, "price") == 1.5 && row.get(Double.self, "id") == 7)
    #expect(try row.get([UInt8].self, "data") == [1, 2] && row.get(Data.self, 3) == Data([1, 2]))
    #expect(try row.get(Int?.self, "none") == nil && row.get(Int?.self, "id") == 7)
    #expect(row["name"] == "Anna" && row[4] == .null && row["missing"] == nil && row[9] == nil && row[-1] == nil)
    #expect(try row.values() == [7, "Anna", 1.5, .blob([1, 2]), nil])
    #expect(row.isNull(4) && !row.isNull(0))
    #expect(row.columns.columns.map(\.name) == ["id", "name", "price", "data", "none"])
  }

  @Test func `a finite number is never an infinite Float`() throws {
    let row = Self.row(["huge": 1e300, "endless": .real(.infinity), "small": 1.5])
    let error = #expect(throws: RowDecodingError.self) { try row.get(Float.self, "huge") }
    #expect(error?.message == "The column huge holds a number that Float cannot hold.")
    #expect(try row.get(Float.self, "endless") == .infinity && row.get(Float.self, "small") == 1.5)
  }

  @Test func `what a type cannot hold is refused with the column's name`() {
    let row = Self.row(["n": 300, "big": .integer(.max), "r": 1.5, "t": "12", "none": nil])
    let table: [(String, (Row) throws -> Any)] = [
      ("The column n holds a number that UInt8 cannot hold.", { try $0.get(UInt8.self, "n") }),
      ("The column n holds a number that Bool cannot hold.", { try $0.get(Bool.self, "n") }),
      ("The column big holds a number that Double cannot hold.", { try $0.get(Double.self, "big") }),
      ("The column r holds a real number where an integer is expected.", { try $0.get(Int.self, "r") }),
      ("The column t holds text where an integer is expected.", { try $0.get(Int64.self, "t") }),
      ("The column t holds text where a real number is expected.", { try $0.get(Double.self, "t") }),
      ("The column n holds an integer where text is expected.", { try $0.get(String.self, "n") }),
      ("The column n holds an integer where a blob is expected.", { try $0.get([UInt8].self, "n") }),
      (
        "The column none is NULL where an integer is expected. Ask for an optional.", { try $0.get(Int.self, "none") }
      ),
      ("The column t holds text that is not a date in ISO 8601.", { try $0.get(Date.self, "t") }),
      ("The column t holds text that is not a UUID.", { try $0.get(UUID.self, "t") }),
      ("The row has no column called x.", { try $0.get(Int.self, "x") }),
      ("The row has 5 columns and none at position 5.", { try $0.get(Int.self, 5) }),
    ]
    for (message, read) in table {
      let error = #expect(throws: RowDecodingError.self) { _ = try read(row) }
      #expect(error?.message == message)
    }
  }

  @Test func `text that is not UTF-8 is refused as text and given as bytes`() throws {
    var column = ColumnValues()
    [UInt8](arrayLiteral: 0x41, 0xFF).withUnsafeBytes { column.appendText($0, row: 0) }
    let page = RowPage(
      batch: RowBatch(rowCount: 1, columns: [column]), layout: ColumnLayout(ResultColumns(columns: [.init(name: "t")])))
    let row = Row(page: page, index: 0)
    #expect(throws: RowDecodingError.self) { try row.get(String.self, 0) }
    #expect(throws: RowDecodingError.self) { try row.value(0) }
    #expect(row[0] == nil)
    #expect(try row.get([UInt8].self, 0) == [0x41, 0xFF])
  }

  @Test func `mixed columns give each row its own type`() throws {
    let rows = Self.rows(["v"], [[1], ["a"], [nil], [2.5], [.blob([7])]])
    #expect(try rows.map { try $0.value(0) } == [1, "a", nil, 2.5, .blob([7])])
    #expect(try rows[0].get(Int.self, 0) == 1 && rows[1].get(String.self, 0) == "a")
    #expect(try rows[3].get(Double.self, 0) == 2.5 && rows[4].get([UInt8].self, 0) == [7])
    #expect(throws: RowDecodingError.self) { try rows[1].get(Int.self, 0) }
    #expect(try rows[2].get(Int?.self, 0) == nil)
  }

  @Test(arguments: [
    ("1970-01-01", 0.0), ("2026-01-31", 1_769_817_600), ("2000-02-29 12:30", 951_827_400),
    ("2009-01-01 00:00:00", 1_230_768_000), ("2009-01-01T00:00:00Z", 1_230_768_000),
    ("2009-01-01T01:00:00+01:00", 1_230_768_000), ("1969-12-31 23:59:59.5", -0.5),
    ("2009-01-01T00:00:00.250-0030", 1_230_769_800.25), ("0001-01-01", -62_135_596_800),
    ("-0001-12-31", -62_167_305_600), ("2008-12-31 24:00", 1_230_768_000),
  ])
  func `a date's text is read as SQLite means it`(text: String, seconds: Double) throws {
    let row = Self.row(["d": .text(text)])
    #expect(try row.get(Date.self, 0).timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "now", "2009", "2009-13-01", "2009-02-29", "2009-1-1", "2009-01-01 ", "2009-01-01 24:01", "2009-01-01 10:60",
    "2009-01-01 10:00:60", "2009-01-01 10:00:00.", "2009-01-01 10:00x", "2009-01-01 10:00+1", "2009-01-01T10:00ZZ",
  ])
  func `what is no date is refused`(text: String) {
    let row = Self.row(["d": .text(text)])
    #expect(throws: RowDecodingError.self) { try row.get(Date.self, 0) }
  }

  @Test func `a UUID is text or sixteen bytes`() throws {
    let uuid = UUID()
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    let row = Self.row(["t": .text(uuid.uuidString.lowercased()), "b": .blob(bytes), "short": .blob([1])])
    #expect(try row.get(UUID.self, "t") == uuid && row.get(UUID.self, "b") == uuid)
    #expect(throws: RowDecodingError.self) { try row.get(UUID.self, "short") }
  }
}
