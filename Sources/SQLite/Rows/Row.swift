internal import MartletValues

/// A row of a result, which is asked for values by the expressions that were selected.
///
/// ```swift
/// for user in try db.prepare(users) {
///   print(user[id], user[email], user[name] ?? "nobody")
/// }
/// ```
///
/// Always true: it holds its values, and stays as it is when the statement goes on.
public struct Row: Sendable {
  @usableFromInline let layout: RowLayout
  @usableFromInline let rows: RowBlock
  @usableFromInline let index: Int

  /// - Parameter index: of one of the block's rows.
  init(_ layout: RowLayout, _ rows: RowBlock, _ index: Int) {
    self.layout = layout
    self.rows = rows
    self.index = index
  }

  /// The value of a column that is never NULL. Throws `QueryError` if the row has no such column, or several, or one
  /// that is NULL or of another type, and what the type's `fromDatatypeValue` throws.
  @inlinable
  public func get<V: Value>(_ column: Expression<V>) throws -> V {
    try at(column.node) { try V._value(at: $0) }
  }

  /// The value of a column that may be NULL. Throws `QueryError` if the row has no such column, or several, or one
  /// of another type, and what the type's `fromDatatypeValue` throws.
  @inlinable
  public func get<V: Value>(_ column: Expression<V?>) throws -> V? {
    try at(column.node) { try V._optional(at: $0) }
  }

  /// The value of a column that is never NULL. Ends the program if `get` would throw, with the sentence of its
  /// error.
  @inlinable
  public subscript<V: Value>(column: Expression<V>) -> V {
    do { return try at(column.node) { try V._value(at: $0) } } catch { Self._fail(error) }
  }

  /// The value of a column that may be NULL. Ends the program if `get` would throw, with the sentence of its error.
  @inlinable
  public subscript<V: Value>(column: Expression<V?>) -> V? {
    do { return try at(column.node) { try V._optional(at: $0) } } catch { Self._fail(error) }
  }

  /// Calls `body` with the place of a column, and keeps what that refers to until `body` has returned.
  @inlinable @inline(__always)
  func at<T>(_ node: Node, _ body: (_Place) throws -> T) throws -> T {
    try withExtendedLifetime(rows) {
      try withExtendedLifetime(node) {
        try body(_Place(rows: rows, row: index, column: try layout.index(of: node), node: node))
      }
    }
  }

  @usableFromInline
  static func _fail(_ error: any Error) -> Never {
    // It ends here because such a subscript cannot throw, and there is no value to go on with.
    fatalError("\(error) Use `try row.get(…)` where this can happen.")
  }
}

extension Value {
  public static func _value(at place: _Place) throws -> Self { try slowly(place) }

  public static func _optional(at place: _Place) throws -> Self? { place.isNull ? nil : try slowly(place) }

  /// For types of a program, and where a value is not kept as its type is.
  fileprivate static func slowly(_ place: _Place) throws -> Self {
    if place.isNull { throw place.missing() }
    return try value(from: place.stored) { place.name }
  }
}

// The types of most columns are read as they are kept.

extension Int64 {
  public static func _value(at place: _Place) throws -> Int64 {
    try place.read { $0.integer(place.column, place.row) } ?? slowly(place)
  }
  public static func _optional(at place: _Place) throws -> Int64? { place.isNull ? nil : try _value(at: place) }
}

extension Int {
  public static func _value(at place: _Place) throws -> Int { Int(try Int64._value(at: place)) }
  public static func _optional(at place: _Place) throws -> Int? { place.isNull ? nil : try _value(at: place) }
}

extension Bool {
  public static func _value(at place: _Place) throws -> Bool { try Int64._value(at: place) != 0 }
  public static func _optional(at place: _Place) throws -> Bool? { place.isNull ? nil : try _value(at: place) }
}

extension Double {
  public static func _value(at place: _Place) throws -> Double {
    try place.read { $0.real(place.column, place.row) } ?? slowly(place)
  }
  public static func _optional(at place: _Place) throws -> Double? { place.isNull ? nil : try _value(at: place) }
}

extension String {
  public static func _value(at place: _Place) throws -> String {
    try place.read { $0.text(place.column, place.row) } ?? slowly(place)
  }
  public static func _optional(at place: _Place) throws -> String? { place.isNull ? nil : try _value(at: place) }
}

extension Value {
  /// The value that was kept so. Throws if it is of another type.
  static func value(from stored: _StoredValue, name: () -> String) throws -> Self {
    guard let datatype = Datatype._binding(from: stored) else {
      throw QueryError.unexpectedValue(
        "The column \(name()) holds \(stored.value.kindText), and not what \(Self.self) is kept as. Change the expression's type."
      )
    }
    let value = try fromDatatypeValue(datatype)
    if ValueType.self == Self.self {
      // Bits are taken as they are because both types were just seen to be one.
      return unsafeBitCast(value, to: Self.self)
    }
    guard let cast = value as? Self else {
      throw QueryError.unexpectedValue("\(Self.self) gives a \(ValueType.self), which the column \(name()) is not of.")
    }
    return cast
  }
}
