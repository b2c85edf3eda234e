/// JSON: objects and arrays from values, and values out of JSON columns.
///
/// Always true: a path is part of the query's shape, not a parameter.
import MartletAST

/// `json_object('a', x, ...)`: names and values in turn, as the names of a dictionary literal.
public func jsonObject(_ members: KeyValuePairs<String, any QueryExpression>) -> SQLQueryExpression<String> {
  var arguments: [QueryFragment] = []
  for (name, value) in members { arguments += [.literal(text: name), value.queryFragment] }
  return SQLQueryExpression(.function("json_object", arguments))
}

/// `json_array(x, ...)`.
public func jsonArray<each E: QueryExpression>(_ element: repeat each E) -> SQLQueryExpression<String> {
  var arguments: [QueryFragment] = []
  for value in repeat each element { arguments.append(value.queryFragment) }
  return SQLQueryExpression(.function("json_array", arguments))
}

extension QueryExpression where QueryValue: QueryRepresentable & Codable {
  /// The values of the group's rows as a JSON array.
  public func jsonGroupArray(order: OrderingTerm? = nil) -> SQLQueryExpression<JSONRepresentation<[QueryValue]>> {
    .aggregate("json_group_array", [queryFragment], order: order.map { [$0] } ?? [])
  }

  public func jsonGroupArray<Filter: QueryExpression>(
    order: OrderingTerm? = nil, filter: Filter
  ) -> SQLQueryExpression<JSONRepresentation<[QueryValue]>>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("json_group_array", [queryFragment], order: order.map { [$0] } ?? [], filter: filter)
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  /// `json_extract(x, path)`, such as `$.author.name`.
  public func jsonExtract<Value: QueryRepresentable>(
    _ path: String, as type: Value.Type
  ) -> SQLQueryExpression<Value.QueryOptional> {
    .function("json_extract", queryFragment, .literal(text: path))
  }

  public func jsonArrayLength(_ path: String = "$") -> SQLQueryExpression<Int?> {
    .function("json_array_length", queryFragment, .literal(text: path))
  }

  public func jsonSet(_ path: String, _ value: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    .function("json_set", queryFragment, .literal(text: path), value.queryFragment)
  }

  public func jsonInsert(_ path: String, _ value: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    .function("json_insert", queryFragment, .literal(text: path), value.queryFragment)
  }

  public func jsonReplace(_ path: String, _ value: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    .function("json_replace", queryFragment, .literal(text: path), value.queryFragment)
  }

  public func jsonRemove(_ path: String) -> SQLQueryExpression<QueryValue> {
    .function("json_remove", queryFragment, .literal(text: path))
  }

  public func jsonPatch(_ patch: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    .function("json_patch", queryFragment, patch.queryFragment)
  }
}
