internal import MartletValues

/// A column of a row: where a value is, and what it was asked by.
///
/// Always true: it lives for one call of `Row.at`, which holds the block and the node.
public struct _Place {
  // Not counted, which would be half the time of a value: safe because `Row.at`, in whose call this lives, holds the
  // block.
  @usableFromInline let rows: Unmanaged<RowBlock>
  @usableFromInline let row: Int
  @usableFromInline let column: Int
  // Unowned, because `Row.at` holds the node, too, for as long as this lives.
  @usableFromInline unowned(unsafe) let node: Node

  @inlinable
  init(rows: RowBlock, row: Int, column: Int, node: Node) {
    // Not retained because the caller, `Row.at`, holds the block until this is gone.
    self.rows = Unmanaged.passUnretained(rows)
    self.row = row
    self.column = column
    self.node = node
  }

  func read<T>(_ body: (RowBlock) throws -> T) rethrows -> T { try rows._withUnsafeGuaranteedRef(body) }

  var name: String { node.printed.text }

  /// Throws `QueryError` if it is a text that is not UTF-8.
  var stored: _StoredValue { get throws { _StoredValue(try read { try $0.value(column, row) { name } }) } }

  var isNull: Bool { read { $0.isNull(column, row) } }

  func missing() -> QueryError { .unexpectedNullValue(name: name) }
}
