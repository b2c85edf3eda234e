import MartletValues

/// The rows that a load run works on, as functions of their number.
///
/// Always true: a row's number gives the same row in every run, so runs can be compared and a table can be refilled.
enum BenchData {
  static let itemsDefault = 1_000_000
  /// Rows that one bulk request carries: about 2 MiB, half of what a frame may hold.
  static let bulkRows = 20_000
  /// How many different keys `upsert` works on.
  static let upsertKeys: UInt64 = 100_000
  static let insertNote = "one row, one commit, one reply"

  static let itemColumns = ["id", "title", "price", "qty", "note", "created"]

  /// The items numbered by `numbers`; with their keys if `hasKey`, otherwise for a table that numbers them itself.
  static func items(_ numbers: Range<Int>, hasKey: Bool) -> RowBatch {
    var batch = RowBatch(columnCount: hasKey ? 6 : 5)
    let first = hasKey ? 1 : 0
    for (row, number) in numbers.enumerated() {
      if hasKey { batch.columns[0].appendInteger(Int64(number), row: row) }
      append(text: "Item \(number)", to: &batch.columns[first], row: row)
      batch.columns[first + 1].appendReal(Double(number &* 37 % 10_000) / 100, row: row)
      batch.columns[first + 2].appendInteger(Int64(number % 100), row: row)
      append(text: "note \(number &* 7_919 % 1_000_003) of the item", to: &batch.columns[first + 3], row: row)
      batch.columns[first + 4].appendInteger(1_700_000_000 + Int64(number), row: row)
    }
    batch.rowCount = numbers.count
    return batch
  }

  private static func append(text: String, to column: inout ColumnValues, row: Int) {
    var text = text
    text.withUTF8 { column.appendText(UnsafeRawBufferPointer($0), row: row) }
  }

  /// A value that no other insert of any run has: 20 bits of the run, 11 of the connection, 32 of the request.
  static func insertValue(run: UInt64, connection: Int, number: UInt64) -> Int64 {
    Int64(bitPattern: (run & 0xF_FFFF) << 43 | UInt64(connection & 0x7FF) << 32 | (number & 0xFFFF_FFFF))
  }
}

/// A stream of numbers that look random; the same seed gives the same stream. (SplitMix64.)
struct BenchRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A key that is at least 1 and at most `bound`.
  mutating func key(upTo bound: UInt64) -> Int64 {
    Int64(bitPattern: next().multipliedFullWidth(by: max(1, bound)).high &+ 1)
  }
}
