import MartletAST
import MartletValues

/// A key path from a document to one of its members.
///
/// Always true: a path is part of the query's shape, not a parameter. Values become what `JSONRepresentation` would
/// have written; the functions whose names begin with `jsonb` are those of SQLite 3.45, and refused by what is older.
public typealias JSONPath<Root: QueryRepresentable, Value: QueryRepresentable> = KeyPath<
  JSONDocument<Root>, JSONDocument<Value>
>

extension QueryExpression where QueryValue: QueryRepresentable {
  /// A member's value; nil if the document has none: `$0.author.jsonExtract(\.links[0].homepage)`.
  public func jsonExtract<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<Value.QueryOptional> {
    SQLQueryExpression(
      JSONValues.member(of: queryFragment, path.literal(), as: Value.self) { .function("json_extract", [$0, $1]) })
  }

  /// An object within the document.
  public func jsonExtract<Value: Table & Codable>(
    _ path: JSONPath<QueryValue, Value>
  ) -> SQLQueryExpression<JSONRepresentation<Value>?> {
    .function("json_extract", queryFragment, path.literal())
  }

  /// By a path as SQLite spells it, such as `$.author.name`.
  public func jsonExtract<Value: QueryRepresentable>(
    _ path: String, as type: Value.Type
  ) -> SQLQueryExpression<Value.QueryOptional> {
    .function("json_extract", queryFragment, .literal(text: path))
  }

  /// `self -> path`: a member as JSON, a text in quotation marks among others; `null` if it is null in the document,
  /// and nil if it has no such member. In `jsonObject` and `jsonArray` it stays JSON.
  public func jsonMember<Value>(
    _ path: JSONPath<QueryValue, Value>
  ) -> SQLQueryExpression<JSONRepresentation<Value.QueryOutput>?> where Value.QueryOutput: Codable {
    .operation(.jsonExtract, queryFragment, path.literal())
  }

  /// `self ->> path`: a member's value, as `jsonExtract`; an object or an array is a text of JSON, also in
  /// `jsonObject`. An index over this expression serves this spelling only.
  public func jsonMemberValue<Value>(
    _ path: JSONPath<QueryValue, Value>
  ) -> SQLQueryExpression<Value.QueryOptional> {
    SQLQueryExpression(
      JSONValues.member(of: queryFragment, path.literal(), as: Value.self) { .operation(.jsonExtractValue, $0, $1) })
  }

  /// `jsonb_extract(self, path)`: a member, in SQLite's binary form if it is an object or an array. SQLite 3.45.
  public func jsonbExtract<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<Value.QueryOptional> {
    .function("jsonb_extract", queryFragment, path.literal())
  }

  /// `json_array_length(self, path)`: how many elements the array there has, 0 if it is none; nil if nothing is
  /// there.
  public func jsonArrayLength<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<Int?> {
    .function("json_array_length", queryFragment, path.literal())
  }

  /// `json_array_length(self)`, or of an array at a path as SQLite spells it.
  public func jsonArrayLength(_ path: String = "$") -> SQLQueryExpression<Int?> {
    SQLQueryExpression(
      .function("json_array_length", path == "$" ? [queryFragment] : [queryFragment, .literal(text: path)]))
  }

  /// `object`, `array`, `text`, `integer`, `real`, `true`, `false` or `null`.
  public func jsonType<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<String?> {
    .function("json_type", queryFragment, path.literal())
  }

  /// True if it is well-formed JSON.
  public func jsonValid() -> SQLQueryExpression<Bool> { .function("json_valid", queryFragment) }
}

// Not of every expression: arrays have subscripts of their own.
extension ComputedExpression where QueryValue: QueryRepresentable {
  /// A member of the document: read as an expression, and in an update set: `$0.author[\.name] = "Blob"`.
  @_disfavoredOverload
  public subscript<Value>(path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<Value.QueryOptional> {
    jsonExtract(path)
  }
}
