/// Whether the texts of a column are UTF-8: those of SQLite and of the wire may be any bytes. They are looked at a
/// column at a time, because most columns hold ASCII only, and one pass over all of it costs less than one over each
/// value; blobs among the texts are looked at too.
extension UnsafePointer<ColumnValues> {
  /// Whether every text of a well-formed column is UTF-8 by itself.
  package func isTextValid(rowCount: Int) -> Bool {
    guard !pointee.ends.isEmpty, pointee.kind == .text || pointee.kind == .mixed else { return true }
    return pointee.data.withUnsafeBytes { data in
      if data.isASCII { return true }
      for row in 0..<rowCount where kind(at: row) == .text {
        if !UnsafeRawBufferPointer(rebasing: data[range(at: row)]).isUTF8 { return false }
      }
      return true
    }
  }
}

extension ColumnValues {
  /// Whether every text of a well-formed column is UTF-8 by itself.
  package func isTextValid(rowCount: Int) -> Bool {
    withUnsafePointer(to: self) { $0.isTextValid(rowCount: rowCount) }
  }
}
