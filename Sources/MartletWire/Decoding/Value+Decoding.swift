internal import CMartletProto
internal import MartletValues

/// Values and row batches from protobuf-c's structures, copied and checked.
///
/// Always true: text is UTF-8 value by value, and a batch is well formed, or decoding throws.
extension Value {
  init(_ value: Martlet__V1__Value, limits: Limits) throws(RequestError) {
    switch value.kind_case {
    case MARTLET__V1__VALUE__KIND_NULL: self = .null
    case MARTLET__V1__VALUE__KIND_INTEGER: self = .integer(value.integer)
    case MARTLET__V1__VALUE__KIND_REAL: self = .real(value.real)
    case MARTLET__V1__VALUE__KIND_TEXT:
      try limits.checkValue(bytes: value.text.len)
      guard let text = value.text.text else { throw .notUTF8 }
      self = .text(text)
    case MARTLET__V1__VALUE__KIND_BLOB:
      try limits.checkValue(bytes: value.blob.len)
      self = .blob(Array(value.blob.buffer))
    case MARTLET__V1__VALUE__KIND_ROWS:
      self = .rows(try RowBatch(value.rows.pointee, rowsMax: limits.bulkRowsMax, columnsMax: limits.resultColumnsMax))
    case MARTLET__V1__VALUE__KIND_REFERENCE:
      throw .referenceOutsideBatch
    default: throw .parameterWithoutValue
    }
  }
}

extension RowBatch {
  /// Throws if the batch is not well formed, exceeds the limits or holds text that is not UTF-8.
  init(_ batch: Martlet__V1__RowBatch, rowsMax: Int, columnsMax: Int, mayHoldAnyText: Bool = false)
    throws(RequestError)
  {
    guard batch.row_count <= UInt32(clamping: rowsMax) else {
      throw .tooManyRows(rowsMax: rowsMax)
    }
    guard batch.n_columns <= columnsMax else { throw .tooManyColumns(columnsMax: columnsMax) }
    self.init(rowCount: Int(batch.row_count))
    columns.reserveCapacity(batch.n_columns)
    for index in 0..<batch.n_columns {
      // `!` because protobuf-c filled as many pointers as it counted.
      let column = try ColumnValues(batch.columns[index]!.pointee)
      guard column.isWellFormed(rowCount: rowCount) else {
        throw .columnIllFormed
      }
      guard mayHoldAnyText || column.isTextValid(rowCount: rowCount) else { throw .notUTF8 }
      columns.append(column)
    }
  }
}

extension ColumnValues {
  init(_ column: Martlet__V1__ColumnValues) throws(RequestError) {
    guard let kind = Kind(rawValue: UInt8(clamping: column.kind.rawValue)) else {
      throw .columnWithoutKind
    }
    self.init()
    self.kind = kind
    nulls = Array(column.nulls.buffer)
    integers = Array(UnsafeBufferPointer(start: column.integers, count: column.n_integers))
    reals = Array(UnsafeBufferPointer(start: column.reals, count: column.n_reals))
    ends = Array(UnsafeBufferPointer(start: column.ends, count: column.n_ends))
    data = Array(column.data.buffer)
    tags = Array(column.tags.buffer)
  }
}

extension ProtobufCBinaryData {
  var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: data, count: data == nil ? 0 : len) }

  /// Nil if the bytes are not UTF-8.
  var text: String? { String(validUTF8: buffer) }
}

extension Limits {
  func checkParameters(_ count: Int) throws(RequestError) {
    if count > parametersMax {
      throw .tooManyParameters(self)
    }
  }

  func checkValue(bytes: Int) throws(RequestError) {
    if bytes > valueBytesMax { throw .valueTooLong(self) }
  }
}
