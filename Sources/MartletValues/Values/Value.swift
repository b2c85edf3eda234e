/// One value that a program binds to a parameter or reads from a row.
///
/// Always true: text is valid UTF-8 (the wire refuses anything else); a list never holds a list.
public enum Value: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// A list parameter: one column for `IN`, several for bulk rows. Only ever bound, never read.
  case rows(RowBatch)
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(nilLiteral: ()) { self = .null }
}

extension Value {
  /// About how much memory the value takes, in bytes.
  package var byteCount: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.count
    case .rows(let rows): rows.byteCount
    }
  }

  /// A plain list of values, for the right side of `IN`: one parameter whatever its length.
  public static func list(_ values: some Sequence<Value>) -> Value {
    var column = ColumnValues()
    var count = 0
    for value in values {
      column.append(value, row: count)
      count += 1
    }
    return .rows(RowBatch(rowCount: count, columns: [column]))
  }
}
