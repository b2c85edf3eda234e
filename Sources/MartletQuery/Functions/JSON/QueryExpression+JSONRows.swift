import MartletAST
import MartletValues

// MARK: - Values

/// `json_object('a', x, ...)`: names and values in turn, as the names of a dictionary literal.
///
/// Always true: a whole row's object has a member for each column, as the row's own `Codable` conformance names it;
/// if the optional side of a join found nothing it is NULL, and a group's array leaves it out.
public func jsonObject(_ members: KeyValuePairs<String, any QueryExpression>) -> SQLQueryExpression<String> {
  var arguments: [QueryFragment] = []
  for (name, value) in members { arguments += [.literal(text: name), JSONValues.argument(value)] }
  return SQLQueryExpression(.function("json_object", arguments))
}

/// `json_object('a', x, ...)`: names and values in turn.
public func jsonObject<First: QueryExpression, each Other: QueryExpression>(
  _ name: String, _ value: First, _ others: repeat each Other
) -> SQLQueryExpression<String> {
  var arguments: [QueryFragment] = [.literal(text: name), JSONValues.argument(value)]
  for other in repeat each others {
    // Names stand at even places.
    if arguments.count.isMultiple(of: 2), case .text(let name)? = other.queryFragment.binding {
      arguments.append(.literal(text: name))
    } else {
      arguments.append(JSONValues.argument(other))
    }
  }
  return SQLQueryExpression(.function("json_object", arguments))
}

/// `json_array(x, ...)`.
public func jsonArray<each E: QueryExpression>(_ element: repeat each E) -> SQLQueryExpression<String> {
  var arguments: [QueryFragment] = []
  for value in repeat each element { arguments.append(JSONValues.argument(value)) }
  return SQLQueryExpression(.function("json_array", arguments))
}

extension JSONValues {
  /// A row, and a group of columns, is an object of them; an optional one whose columns are all NULL is null.
  static func argument<E: QueryExpression>(_ value: E) -> QueryFragment {
    guard let row = E.QueryValue.self as? any Table.Type else {
      return embedded(value.queryFragment, as: E.QueryValue.self)
    }
    return object(of: row, value.columnFragments.map(\.unnamed))
  }

  private static func object<Row: Table>(of row: Row.Type, _ columns: [QueryFragment]) -> QueryFragment {
    let all = Row.TableColumns.allColumns
    return JSONColumns(columns.ofEachColumn(all.count), all, function: "json_object").object(of: row)
  }
}

// MARK: - Groups of values

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryOutput: Codable {
  /// The values of the group's rows as a JSON array.
  public func jsonGroupArray<Order: QueryExpression, Filter: QueryExpression>(
    distinct: Bool = false, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<JSONRepresentation<[QueryValue.QueryOutput]>>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("json_group_array", [JSONValues.argument(self)], distinct, order, filter)
  }

  /// `jsonb_group_array(self)`: the same in SQLite's binary form. SQLite 3.45.
  public func jsonbGroupArray<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<JSONRepresentation<[QueryValue.QueryOutput]>>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("jsonb_group_array", [JSONValues.argument(self)], distinct, Unordered(), filter)
  }
}

extension QueryExpression where QueryValue == String {
  /// A JSON object with a member for each row of the group, whose name is this text:
  /// `$0.title.jsonGroupObject($0.position)`.
  public func jsonGroupObject<Value: QueryExpression, Filter: QueryExpression>(
    _ value: Value, filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<JSONRepresentation<[String: Value.QueryValue.QueryOutput]>>
  where
    Value.QueryValue: QueryRepresentable, Value.QueryValue.QueryOutput: Codable, Filter.QueryValue: QueryRepresentable,
    Filter.QueryValue.QueryUnwrapped == Bool
  {
    .aggregate("json_group_object", [queryFragment, JSONValues.argument(value)], false, Unordered(), filter)
  }

  /// `jsonb_group_object(self, value)`: the same in SQLite's binary form. SQLite 3.45.
  public func jsonbGroupObject<Value: QueryExpression>(
    _ value: Value
  ) -> SQLQueryExpression<JSONRepresentation<[String: Value.QueryValue.QueryOutput]>>
  where Value.QueryValue: QueryRepresentable, Value.QueryValue.QueryOutput: Codable {
    .aggregate("jsonb_group_object", [queryFragment, JSONValues.argument(value)], false, Unordered(), Unfiltered())
  }
}

// MARK: - Whole rows

extension TableDefinition where QueryValue.QueryOutput: Codable {
  /// The row as a JSON object.
  public func jsonObject() -> SQLQueryExpression<JSONRepresentation<QueryValue.QueryOutput>> {
    SQLQueryExpression(rowObject("json_object"))
  }

  /// `jsonb_object(...)`: the row in SQLite's binary form. SQLite 3.45.
  public func jsonbObject() -> SQLQueryExpression<JSONRepresentation<QueryValue.QueryOutput>> {
    SQLQueryExpression(rowObject("jsonb_object"))
  }

  /// The group's rows as a JSON array of objects.
  public func jsonGroupArray<Order: QueryExpression, Filter: QueryExpression>(
    distinct: Bool = false, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<JSONRepresentation<[QueryValue.QueryOutput]>>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("json_group_array", [rowObject("json_object")], distinct, order, filter)
  }
}

extension OptionalColumns where Wrapped.QueryOutput: Codable {
  /// The row as a JSON object; NULL if the join found none.
  public func jsonObject() -> SQLQueryExpression<JSONRepresentation<Wrapped.QueryOutput>?> {
    SQLQueryExpression(
      QueryFragment(.choice(base: nil, branches: [(when: isPresent, then: wrappedObject)], otherwise: nil)))
  }

  /// The group's rows that the join found, as a JSON array of objects.
  public func jsonGroupArray<Order: QueryExpression, Filter: QueryExpression>(
    distinct: Bool = false, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<JSONRepresentation<[Wrapped.QueryOutput]>>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    let found = Filter.self == Unfiltered.self ? isPresent : .chain(.and, isPresent, filter.queryFragment)
    return .aggregate("json_group_array", [wrappedObject], distinct, order, SQLQueryExpression<Bool>(found))
  }

  private var wrappedObject: QueryFragment {
    JSONColumns(columnFragments, Self.allColumns, function: "json_object").object(of: Wrapped.self)
  }
}

// MARK: - Rows that are not Codable

extension TableDefinition {
  /// Says what it needs.
  @_disfavoredOverload
  @available(*, unavailable, message: "A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.")
  public func jsonObject() -> SQLQueryExpression<String> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what it needs.
  @_disfavoredOverload
  @available(*, unavailable, message: "A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.")
  public func jsonbObject() -> SQLQueryExpression<String> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what it needs.
  @_disfavoredOverload
  @available(*, unavailable, message: "A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.")
  public func jsonGroupArray<Order: QueryExpression, Filter: QueryExpression>(
    distinct: Bool = false, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<String> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what it needs.
  @_disfavoredOverload
  @available(*, unavailable, message: "A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.")
  public func jsonbGroupArray<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> SQLQueryExpression<String> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension TableDefinition {
  fileprivate func rowObject(_ function: String) -> QueryFragment {
    JSONColumns(columnFragments, Self.allColumns, function: function).object(of: QueryValue.self)
  }
}
