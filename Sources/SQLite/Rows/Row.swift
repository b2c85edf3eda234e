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
  let layout: RowLayout
  let values: [SQLValue]

  init(_ layout: RowLayout, _ values: [SQLValue]) {
    self.layout = layout
    self.values = values
  }

  private func stored(_ node: Node) throws(QueryError) -> _StoredValue {
    let index = try layout.index(of: node)
    guard index < values.count else { throw .noSuchColumn(name: node.sql, columns: layout.names) }
    return _StoredValue(value: values[index])
  }

  /// The value of a column that is never NULL. Throws `QueryError` where the row has no such column, or several, or one
  /// that is NULL or of another type, and what the type's `fromDatatypeValue` throws.
  public func get<V: Value>(_ column: Expression<V>) throws -> V {
    guard let value: V = try value(column.node) else {
      throw QueryError.unexpectedNullValue(name: column.template)
    }
    return value
  }

  /// The value of a column that may be NULL. Throws `QueryError` where the row has no such column, or several, or one
  /// of another type, and what the type's `fromDatatypeValue` throws.
  public func get<V: Value>(_ column: Expression<V?>) throws -> V? { try value(column.node) }

  private func value<V: Value>(_ node: Node) throws -> V? {
    let stored = try stored(node)
    if case .null = stored.value { return nil }
    return try V.value(from: stored) { node.printed.text }
  }

  /// The value of a column that is never NULL. Ends the program where `get` would throw, with the sentence of its
  /// error.
  public subscript<V: Value>(column: Expression<V>) -> V {
    do { return try get(column) } catch { Self.fail(error) }
  }

  /// The value of a column that may be NULL. Ends the program where `get` would throw, with the sentence of its error.
  public subscript<V: Value>(column: Expression<V?>) -> V? {
    do { return try get(column) } catch { Self.fail(error) }
  }

  private static func fail(_ error: any Error) -> Never {
    // It ends here because such a subscript cannot throw, and there is no value to go on with.
    fatalError("\(error) Use `try row.get(…)` where this can happen.")
  }
}

extension Value {
  /// The value that was kept so. Throws where it is of another type.
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
