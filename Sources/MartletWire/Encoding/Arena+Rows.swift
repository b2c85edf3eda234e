internal import CMartletProto
internal import MartletValues

/// Row batches and values as protobuf-c's structures that point into the Swift arrays: nothing is copied twice.
///
/// Always true: the structures are used only while the values that they point into are kept alive and unchanged.
extension Arena {
  /// Structures for a batch, pointing into its arrays.
  func rowBatch(_ batch: borrowing RowBatch) -> UnsafeMutablePointer<Martlet__V1__RowBatch> {
    let message = make(Martlet__V1__RowBatch.self)
    martlet__v1__row_batch__init(message)
    let count = batch.columns.count
    message.pointee.row_count = UInt32(clamping: batch.rowCount)
    guard count > 0 else { return message }
    let columns = make(Martlet__V1__ColumnValues.self, count: count)
    let pointers = make(UnsafeMutablePointer<Martlet__V1__ColumnValues>?.self, count: count)
    for index in 0..<count {
      martlet__v1__column_values__init(columns + index)
      Self.fill(&columns[index], from: batch.columns[index])
      pointers[index] = columns + index
    }
    message.pointee.n_columns = count
    message.pointee.columns = pointers
    return message
  }

  private static func fill(_ message: inout Martlet__V1__ColumnValues, from column: borrowing ColumnValues) {
    message.kind = Martlet__V1__ColumnKind(rawValue: UInt32(column.kind.rawValue))
    if !column.nulls.isEmpty { message.nulls = pointing(at: column.nulls) }
    if !column.data.isEmpty { message.data = pointing(at: column.data) }
    if !column.tags.isEmpty { message.tags = pointing(at: column.tags) }
    if !column.integers.isEmpty {
      message.n_integers = column.integers.count
      message.integers = start(of: column.integers)
    }
    if !column.reals.isEmpty {
      message.n_reals = column.reals.count
      message.reals = start(of: column.reals)
    }
    if !column.ends.isEmpty {
      message.n_ends = column.ends.count
      message.ends = start(of: column.ends)
    }
  }

  private static func pointing(at bytes: borrowing [UInt8]) -> ProtobufCBinaryData {
    ProtobufCBinaryData(len: bytes.count, data: start(of: bytes))
  }

  /// Where the elements of an array are. Mutable only in C's type; packing reads.
  private static func start<Element>(of array: borrowing [Element]) -> UnsafeMutablePointer<Element>? {
    // It may leave the closure because an array's storage stays where it is while the array is neither changed nor
    // released, and whoever makes the structures keeps the batch as it is until they are packed.
    array.withUnsafeBufferPointer { UnsafeMutablePointer(mutating: $0.baseAddress) }
  }

  func shape(_ shape: ShapeID) -> ProtobufCBinaryData {
    withUnsafeBytes(of: (shape.high.bigEndian, shape.low.bigEndian)) { bytes($0) }
  }

  /// An array of pointers to structures that `element` makes.
  func pointers<T>(
    count: Int, _ element: (Int) -> UnsafeMutablePointer<T>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<T>?> {
    let pointers = make(UnsafeMutablePointer<T>?.self, count: count)
    for index in 0..<count { pointers[index] = element(index) }
    return pointers
  }
}
