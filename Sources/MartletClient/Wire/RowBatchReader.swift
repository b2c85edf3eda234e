internal import MartletProtobuf
internal import MartletProtocol
internal import MartletValues

/// Decodes a row batch from the wire straight into columns: packed numbers are copied in one piece.
///
/// Always true: a batch that is returned is well-formed, so its rows can be read by position without a check.
enum RowBatchReader {
  static func read(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> RowBatch {
    var reader = WireReader(bytes)
    var batch = RowBatch()
    while let field = reader.next() {
      switch (field.number, field.wireType) {
      case (Fields.RowBatch.rowCount, .varint):
        guard field.value <= UInt64(ProtocolLimits.batchRowsMax) else { throw Malformed() }
        batch.rowCount = Int(field.value)
      case (Fields.RowBatch.columns, .delimited): batch.columns.append(try column(field.bytes))
      case (Fields.RowBatch.numbers, _): throw Malformed()
      default: break
      }
    }
    if reader.isMalformed { throw Malformed() }
    for column in batch.columns where !column.isWellFormed(rowCount: batch.rowCount) { throw Malformed() }
    return batch
  }

  private static func column(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> ColumnValues {
    var reader = WireReader(bytes)
    var column = ColumnValues()
    while let field = reader.next() {
      switch (field.number, field.wireType) {
      case (Fields.ColumnValues.kind, .varint):
        guard field.value <= 5, let kind = ColumnValues.Kind(rawValue: UInt8(field.value)) else { throw Malformed() }
        column.kind = kind
      case (Fields.ColumnValues.nulls, .delimited): column.nulls = Array(field.bytes)
      case (Fields.ColumnValues.integers, .delimited):
        try column.integers.append(packed: field.bytes) { Int64(littleEndian: $0) }
      case (Fields.ColumnValues.reals, .delimited):
        try column.reals.append(packed: field.bytes) { Double(bitPattern: UInt64(littleEndian: $0.bitPattern)) }
      case (Fields.ColumnValues.ends, .delimited):
        try column.ends.append(packed: field.bytes) { UInt32(littleEndian: $0) }
      case (Fields.ColumnValues.data, .delimited): column.data = Array(field.bytes)
      case (Fields.ColumnValues.tags, .delimited): column.tags = Array(field.bytes)
      // Numbers that are not packed, which no encoder of proto3 writes but every decoder takes.
      case (Fields.ColumnValues.integers, .fixed64): column.integers.append(Int64(bitPattern: field.value))
      case (Fields.ColumnValues.reals, .fixed64): column.reals.append(Double(bitPattern: field.value))
      case (Fields.ColumnValues.ends, .fixed32): column.ends.append(UInt32(truncatingIfNeeded: field.value))
      case (Fields.ColumnValues.numbers, _): throw Malformed()
      default: break
      }
    }
    if reader.isMalformed { throw Malformed() }
    return column
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends the little-endian numbers in `bytes`; `native` turns one into this machine's order, and costs nothing
  /// if that is the same.
  fileprivate mutating func append(
    packed bytes: UnsafeRawBufferPointer, native: (Element) -> Element
  ) throws(Malformed) {
    let width = MemoryLayout<Element>.size
    guard bytes.count.isMultiple(of: width) else { throw Malformed() }
    let added = Array(unsafeUninitializedCapacity: bytes.count / width) { target, count in
      UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
      count = bytes.count / width
    }
    let inOrder = 1 == Int(littleEndian: 1) ? added : added.map(native)
    if isEmpty { self = inOrder } else { append(contentsOf: inOrder) }
  }
}
