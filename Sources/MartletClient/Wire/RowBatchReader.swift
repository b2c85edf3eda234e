internal import MartletValues

/// Decodes a row batch from the wire straight into columns: packed numbers are copied in one piece.
///
/// Always true: a batch that is returned is well-formed, so its rows can be read by position without a check.
enum RowBatchReader {
  /// A column of NULLs takes no bytes however many rows it has, so their number needs a bound of its own.
  static let rowsMax: UInt64 = 1 << 24

  static func read(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> RowBatch {
    var reader = WireReader(bytes)
    var batch = RowBatch()
    while let field = try reader.field() {
      switch field.number {
      case 1:
        try field.expect(.varint)
        let count = try reader.varint()
        guard count <= rowsMax else { throw Malformed() }
        batch.rowCount = Int(count)
      case 2:
        try field.expect(.bytes)
        batch.columns.append(try column(try reader.lengthDelimited()))
      default: try reader.skip(field.type)
      }
    }
    for column in batch.columns where !column.isWellFormed(rowCount: batch.rowCount) { throw Malformed() }
    return batch
  }

  private static func column(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> ColumnValues {
    var reader = WireReader(bytes)
    var column = ColumnValues()
    while let field = try reader.field() {
      switch field.number {
      case 1:
        try field.expect(.varint)
        let kind = try reader.varint()
        guard kind <= 5, let known = ColumnValues.Kind(rawValue: UInt8(kind)) else { throw Malformed() }
        column.kind = known
      case 2: column.nulls = try reader.array(field)
      case 3: try reader.integers(field, into: &column.integers)
      case 4: try reader.reals(field, into: &column.reals)
      case 5: try reader.ends(field, into: &column.ends)
      case 6: column.data = try reader.array(field)
      case 7: column.tags = try reader.array(field)
      default: try reader.skip(field.type)
      }
    }
    return column
  }
}

extension WireReader {
  fileprivate mutating func array(_ field: Field) throws(Malformed) -> [UInt8] {
    try field.expect(.bytes)
    return Array(try lengthDelimited())
  }

  fileprivate mutating func integers(_ field: Field, into values: inout [Int64]) throws(Malformed) {
    if field.type == .fixed64 { return values.append(Int64(bitPattern: try fixed64())) }
    try field.expect(.bytes)
    try values.append(packed: try lengthDelimited()) { Int64(littleEndian: $0) }
  }

  fileprivate mutating func reals(_ field: Field, into values: inout [Double]) throws(Malformed) {
    if field.type == .fixed64 { return values.append(Double(bitPattern: try fixed64())) }
    try field.expect(.bytes)
    try values.append(packed: try lengthDelimited()) { Double(bitPattern: UInt64(littleEndian: $0.bitPattern)) }
  }

  fileprivate mutating func ends(_ field: Field, into values: inout [UInt32]) throws(Malformed) {
    if field.type == .fixed32 { return values.append(try fixed32()) }
    try field.expect(.bytes)
    try values.append(packed: try lengthDelimited()) { UInt32(littleEndian: $0) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends the little-endian numbers in `bytes`; `native` turns one into this machine's order, and costs nothing
  /// where that is the same.
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
