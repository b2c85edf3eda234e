import MartletAST
import MartletValues

/// A key path from a document to one of its members.
///
/// Always true: a path is part of the query's shape, not a parameter. Values become what `JSONRepresentation` would
/// have written; the functions whose names begin with `jsonb` are those of SQLite 3.45, and refused by what is older.
public typealias JSONPath<Root: QueryRepresentable, Value: QueryRepresentable> = KeyPath<
  JSONDocument<Root>, JSONDocument<Value>
>

extension KeyPath {
  fileprivate func literal<R, V>() -> QueryFragment where Root == JSONDocument<R>, Value == JSONDocument<V> {
    JSONDocument<R>()[keyPath: self].fragment
  }

  /// A change of what is there: an enum is written whole, as the case that it becomes.
  fileprivate func change<R, V>(
    to value: QueryFragment
  ) -> JSONChange where Root == JSONDocument<R>, Value == JSONDocument<V> {
    let document = JSONDocument<R>()[keyPath: self]
    guard let enumCase = document.enumCase else { return member(value) }
    let inner = QueryFragment.function("json_object", [.literal(text: enumCase.label), value])
    return JSONChange(
      path: document.fragment(of: enumCase.place), outerCases: document.outerCases,
      value: .function("json_object", [.literal(text: enumCase.name), inner]))
  }

  /// A change of what is there only if it is there.
  fileprivate func member<R, V>(
    _ value: QueryFragment
  ) -> JSONChange where Root == JSONDocument<R>, Value == JSONDocument<V> {
    let document = JSONDocument<R>()[keyPath: self]
    return JSONChange(path: document.fragment, outerCases: document.outerCases, value: value)
  }

  /// A new last element of an array.
  fileprivate func end<R, V>(
    _ value: QueryFragment
  ) -> JSONChange where Root == JSONDocument<R>, Value == JSONDocument<V> {
    let document = JSONDocument<R>()[keyPath: self]
    return JSONChange(path: document.fragment(of: document.path + "[#]"), outerCases: document.outerCases, value: value)
  }
}

// MARK: - Reading

extension QueryExpression where QueryValue: QueryRepresentable {
  /// A member's value; nil where the document has none: `$0.author.jsonExtract(\.links[0].homepage)`.
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

  /// `self -> path`: a member as JSON, a text in quotation marks among others; `null` where the document says so, and
  /// nil where it has no such member. In `jsonObject` and `jsonArray` it stays JSON.
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

  /// `jsonb_extract(self, path)`: a member, in SQLite's binary form where it is an object or an array. SQLite 3.45.
  public func jsonbExtract<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<Value.QueryOptional> {
    .function("jsonb_extract", queryFragment, path.literal())
  }

  /// `json_array_length(self, path)`: how many elements the array there has, 0 where it is none; nil where nothing is
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

  /// Whether it is well-formed JSON.
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

// MARK: - Changing

extension QueryExpression where QueryValue: QueryRepresentable {
  /// Writes a member, whether it is there or not.
  public func jsonSet<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_set", path.change(to: JSONValues.bound(value, as: Value.self)))
  }
  /// Writes a member that is an expression.
  @_disfavoredOverload
  public func jsonSet<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: some QueryExpression<Value>
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_set", path.change(to: JSONValues.embedded(value.queryFragment, as: Value.self)))
  }

  /// Writes a member where there is none.
  public func jsonInsert<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", path.change(to: JSONValues.bound(value, as: Value.self)))
  }
  /// Writes a member that is an expression where there is none.
  @_disfavoredOverload
  public func jsonInsert<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: some QueryExpression<Value>
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", path.change(to: JSONValues.embedded(value.queryFragment, as: Value.self)))
  }

  /// Writes a member where there is one.
  public func jsonReplace<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_replace", path.member(JSONValues.bound(value, as: Value.self)))
  }
  /// Writes a member that is an expression where there is one.
  @_disfavoredOverload
  public func jsonReplace<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: some QueryExpression<Value>
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_replace", path.member(JSONValues.embedded(value.queryFragment, as: Value.self)))
  }

  /// Takes a member out.
  public func jsonRemove<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<QueryValue> {
    .function("json_remove", queryFragment, path.literal())
  }

  /// Adds an element at the end of an array.
  public func jsonAppend<Element: Codable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>, _ element: Element
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", path.end(JSONValues.encoded(element)))
  }
  /// Puts an element that is an expression behind an array's last one.
  @_disfavoredOverload
  public func jsonAppend<Element: Codable & QueryRepresentable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>, _ element: some QueryExpression<Element>
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", path.end(JSONValues.embedded(element.queryFragment, as: Element.self)))
  }

  /// Adds an element at the end of the array that the document is.
  public func jsonAppend<Element: Codable>(_ element: Element) -> SQLQueryExpression<QueryValue>
  where QueryValue: JSONDocumentRepresentation, QueryValue.Document == [Element] {
    changed("json_insert", JSONChange(path: .literal(text: "$[#]"), value: JSONValues.encoded(element)))
  }

  /// Adds an element that is an expression at the end of the array that the document is.
  @_disfavoredOverload
  public func jsonAppend<Element: Codable & QueryRepresentable>(
    _ element: some QueryExpression<Element>
  ) -> SQLQueryExpression<QueryValue>
  where QueryValue: JSONDocumentRepresentation, QueryValue.Document == [Element] {
    let value = JSONValues.embedded(element.queryFragment, as: Element.self)
    return changed("json_insert", JSONChange(path: .literal(text: "$[#]"), value: value))
  }

  /// Puts an element before another one of an array; SQLite 3.53.
  public func jsonArrayInsert<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    .function("json_array_insert", queryFragment, path.literal(), JSONValues.bound(value, as: Value.self))
  }

  /// Merges another document into it: RFC 7396, where null removes a member.
  public func jsonPatch(_ patch: some Encodable) -> SQLQueryExpression<QueryValue> {
    .function("json_patch", queryFragment, JSONValues.encoded(patch))
  }
  /// Merges a document that is an expression into it.
  @_disfavoredOverload
  public func jsonPatch(_ patch: some ComputedExpression) -> SQLQueryExpression<QueryValue> {
    .function("json_patch", queryFragment, patch.queryFragment)
  }

  /// Changes of one kind in a row are one call. What lies within a case that the enum does not have stays as it is.
  fileprivate func changed(_ function: String, _ change: JSONChange) -> SQLQueryExpression<QueryValue> {
    guard change.outerCases.isEmpty else {
      let tests = change.outerCases.map { path in
        QueryFragment.operation(.isNot, .function("json_type", [queryFragment, .literal(text: path)]), .null)
      }
      let changed = QueryFragment.function(function, [queryFragment, change.path, change.value])
      return SQLQueryExpression(
        QueryFragment(
          .choice(
            base: nil, branches: [(when: QueryFragment.all(of: tests) ?? .null, then: changed)],
            otherwise: queryFragment)))
    }
    if case .function(var call) = queryFragment.node, call.name == function, call.arguments.count > 2 {
      call.arguments += [change.path, change.value]
      return SQLQueryExpression(QueryFragment(.function(call)))
    }
    return .function(function, queryFragment, change.path, change.value)
  }
}

/// A value and its place in a document.
private struct JSONChange {
  var path: QueryFragment
  /// The document is changed only if the enums on the way are these cases.
  var outerCases: [String] = []
  var value: QueryFragment
}

extension QueryExpression where QueryValue: QueryRepresentable {
  // By paths as SQLite spells them; the value goes in as it is.
  /// `json_set(self, path, value)`: writes what is there or not.
  public func jsonSet(_ path: String, _ value: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    changed("json_set", JSONChange(path: .literal(text: path), value: value.queryFragment))
  }
  /// `json_insert(self, path, value)`: writes where nothing is.
  public func jsonInsert(_ path: String, _ value: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", JSONChange(path: .literal(text: path), value: value.queryFragment))
  }
  /// `json_replace(self, path, value)`: writes where something is.
  public func jsonReplace(_ path: String, _ value: some QueryExpression) -> SQLQueryExpression<QueryValue> {
    changed("json_replace", JSONChange(path: .literal(text: path), value: value.queryFragment))
  }
  /// `json_remove(self, path)`: the document without it.
  public func jsonRemove(_ path: String) -> SQLQueryExpression<QueryValue> {
    .function("json_remove", queryFragment, .literal(text: path))
  }

  // The twins that keep the document in SQLite's binary form.
  /// `jsonb_set(self, path, value)`. SQLite 3.45, as the next four.
  public func jsonbSet<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("jsonb_set", path.change(to: JSONValues.bound(value, as: Value.self)))
  }
  /// `jsonb_insert(self, path, value)`.
  public func jsonbInsert<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("jsonb_insert", path.change(to: JSONValues.bound(value, as: Value.self)))
  }
  /// `jsonb_replace(self, path, value)`.
  public func jsonbReplace<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("jsonb_replace", path.member(JSONValues.bound(value, as: Value.self)))
  }
  /// `jsonb_remove(self, path)`.
  public func jsonbRemove<Value>(_ path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<QueryValue> {
    .function("jsonb_remove", queryFragment, path.literal())
  }
  /// `jsonb_insert(self, '$[#]', element)`: adds an element at the end of the array that the document is.
  public func jsonbAppend<Element: Codable>(_ element: Element) -> SQLQueryExpression<QueryValue>
  where QueryValue: JSONDocumentRepresentation, QueryValue.Document == [Element] {
    changed("jsonb_insert", JSONChange(path: .literal(text: "$[#]"), value: JSONValues.encoded(element)))
  }
  /// `jsonb_insert(self, path || '[#]', element)`: puts an element behind an array's last one.
  public func jsonbAppend<Element: Codable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>, _ element: Element
  ) -> SQLQueryExpression<QueryValue> {
    changed("jsonb_insert", path.end(JSONValues.encoded(element)))
  }
}

// MARK: - Members in an update

extension SQLQueryExpression where QueryValue: QueryRepresentable {
  /// Sets a member to an expression; what is set one after the other is one call.
  public subscript<Value>(path: JSONPath<QueryValue, Value>) -> SQLQueryExpression<Value> {
    get { .function("json_extract", queryFragment, path.literal()) }
    set { self = changed("json_set", path.change(to: JSONValues.embedded(newValue.queryFragment, as: Value.self))) }
  }

  /// Sets a member to a plain value.
  @_disfavoredOverload
  public subscript<Value>(path: JSONPath<QueryValue, Value>) -> Value.QueryOutput? {
    @available(*, unavailable, message: "A member of a document is read as an expression.")
    get { nil }
    set {
      guard let newValue else { return self = changed("json_set", path.change(to: .null)) }
      self = changed("json_set", path.change(to: JSONValues.bound(newValue, as: Value.self)))
    }
  }
}
