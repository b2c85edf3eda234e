public import MartletValues

/// One row of a result: a view on the columnar batch that it arrived in.
///
/// Always true: it never changes, and copying it copies two words; it keeps its whole batch in memory.
public struct Row: Sendable {
  @usableFromInline let page: RowPage
  @usableFromInline let index: Int

  @inlinable
  init(page: RowPage, index: Int) {
    self.page = page
    self.index = index
  }

  /// What the columns are called and where they come from.
  public var columns: ResultColumns { page.layout.columns }

  /// How many columns there are.
  @inlinable public var count: Int { page.columns.count }

  /// The value of the column at `position`, counted from 0. Throws if there is no such column, if the value is of
  /// another type, NULL (unless `T` is optional), out of `T`'s range, or text that is not UTF-8.
  @inlinable
  public func get<T: RowValue>(_ type: T.Type = T.self, _ position: Int) throws(RowDecodingError) -> T {
    guard position >= 0, position < page.columns.count else { throw missing(position) }
    do {
      return try T.read(page.columns[position], at: index)
    } catch {
      throw describe(error, at: position)
    }
  }

  /// The value of the first column called `name`; throws as `get(_:_:)` by position does.
  @inlinable
  public func get<T: RowValue>(_ type: T.Type = T.self, _ name: String) throws(RowDecodingError) -> T {
    guard let position = page.layout.positions[name] else { throw missing(name) }
    return try get(type, position)
  }

  /// The value of the column at `position` whatever its type. Throws if there is no such column, or if its text
  /// is not UTF-8.
  public func value(_ position: Int) throws(RowDecodingError) -> Value { try get(Value.self, position) }

  /// The value of the first column called `name` whatever its type; throws as `value(_:)` by position does.
  public func value(_ name: String) throws(RowDecodingError) -> Value { try get(Value.self, name) }

  /// The value of the column at `position`, or nil if there is no such column or its text is not UTF-8.
  public subscript(position: Int) -> Value? { try? value(position) }

  /// The value of the first column called `name`, or nil if there is no such column or its text is not UTF-8.
  public subscript(name: String) -> Value? { try? value(name) }

  /// All values in order. Throws if a text is not UTF-8.
  public func values() throws(RowDecodingError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for position in 0..<count { values.append(try value(position)) }
    return values
  }

  /// Whether the value at `position` is NULL; true if there is no such column.
  public func isNull(_ position: Int) -> Bool {
    guard page.columns.indices.contains(position) else { return true }
    return page.columns[position].values.isNull(at: index)
  }

  /// Decodes the row into a type: each coding key takes the column of its name.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws(RowDecodingError) -> T {
    try RowDecoder().decode(type, from: self)
  }

  @usableFromInline
  func missing(_ position: Int) -> RowDecodingError {
    RowDecodingError(column: "", position: position, "The row has \(count) columns and none at position \(position).")
  }

  @usableFromInline
  func missing(_ name: String) -> RowDecodingError {
    RowDecodingError(column: name, position: nil, "The row has no column called \(name).")
  }

  @usableFromInline
  func describe(_ mismatch: RowValueMismatch, at position: Int) -> RowDecodingError {
    let name = page.layout.name(at: position)
    return RowDecodingError(column: name, position: position, "The column \(name) \(mismatch.predicate).")
  }
}
