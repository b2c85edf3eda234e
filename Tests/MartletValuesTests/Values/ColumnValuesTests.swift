/// Columns of a batch: their texts are looked at together and judged one by one, and room that is made changes nothing.
import MartletValues
import Testing

@Suite struct ColumnValuesTests {
  private func column(_ values: [(ColumnValues.Kind, [UInt8])]) -> ColumnValues {
    var column = ColumnValues()
    for (row, (kind, bytes)) in values.enumerated() {
      bytes.withUnsafeBytes { bytes in
        switch kind {
        case .text: column.appendText(bytes, row: row)
        case .blob: column.appendBlob(bytes, row: row)
        case .integer: column.appendInteger(7, row: row)
        case .real: column.appendReal(0.5, row: row)
        case .null, .mixed: column.appendNull(row: row)
        }
      }
    }
    return column
  }

  @Test func `each text must be UTF-8 by itself, and blobs may be anything`() {
    let (é, bad): ([UInt8], [UInt8]) = ([0xC3, 0xA9], [0xFF])
    let table: [([(ColumnValues.Kind, [UInt8])], Bool)] = [
      ([], true),
      ([(.null, []), (.null, [])], true),
      ([(.text, [])], true),
      ([(.text, [0x61]), (.text, é), (.text, [])], true),
      ([(.text, é), (.null, []), (.text, é)], true),
      ([(.blob, bad)], true),
      ([(.text, é), (.blob, bad), (.integer, [])], true),
      ([(.blob, bad), (.text, [0x61]), (.blob, [0xC3]), (.blob, [0xA9])], true),
      ([(.text, bad)], false),
      ([(.null, []), (.text, bad)], false),
      ([(.integer, []), (.text, bad)], false),
      ([(.blob, é), (.text, bad)], false),
      // Together they are UTF-8.
      ([(.text, [0xC3]), (.text, [0xA9])], false),
      ([(.text, [0x61, 0xC3]), (.null, []), (.text, [0xA9, 0x61])], false),
      ([(.text, [0xC3]), (.blob, [0xA9])], false),
      ([(.blob, [0xC3]), (.text, [0xA9])], false),
      ([(.real, []), (.text, [0xF0, 0x9F]), (.text, [0x98, 0x80])], false),
    ]
    for (values, isValid) in table {
      #expect(column(values).isTextValid(rowCount: values.count) == isValid, "\(values)")
    }
  }

  @Test func `a bad text is found at each place of a long column`() {
    for place in [0, 1, 63, 64, 499, 998, 999] {
      var values = [(ColumnValues.Kind, [UInt8])](repeating: (.text, Array("ordinary".utf8)), count: 1_000)
      #expect(column(values).isTextValid(rowCount: 1_000))
      values[place].1[3] = 0x80
      #expect(!column(values).isTextValid(rowCount: 1_000), "\(place)")
    }
  }

  @Test func `room for the next batch changes no value`() {
    let values: [(ColumnValues.Kind, [UInt8])] = [
      (.null, []), (.integer, []), (.text, [0x61]), (.real, []), (.blob, [0xFF]), (.null, []),
    ]
    let before = column(values)
    var after = before
    after.reserve(before.room)
    #expect(after == before)
    var empty = ColumnValues()
    empty.reserve(before.room)
    #expect(empty == ColumnValues() && empty.isWellFormed(rowCount: 0))
    #expect(empty.data.capacity >= 2 && empty.integers.capacity >= 6)
  }
}
