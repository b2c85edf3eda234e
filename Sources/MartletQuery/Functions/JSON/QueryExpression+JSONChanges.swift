/// Documents that are changed: members that are written, added and taken out.
///
/// Always true: a change returns the whole document; the stored one stays as it was until an update sets it.
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

  /// Writes a member only if there is none.
  public func jsonInsert<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", path.change(to: JSONValues.bound(value, as: Value.self)))
  }
  /// Writes a member, an expression, only if there is none.
  @_disfavoredOverload
  public func jsonInsert<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: some QueryExpression<Value>
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_insert", path.change(to: JSONValues.embedded(value.queryFragment, as: Value.self)))
  }

  /// Writes a member only if there is one.
  public func jsonReplace<Value>(
    _ path: JSONPath<QueryValue, Value>, _ value: Value.QueryOutput
  ) -> SQLQueryExpression<QueryValue> {
    changed("json_replace", path.member(JSONValues.bound(value, as: Value.self)))
  }
  /// Writes a member, an expression, only if there is one.
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

  /// Merges another document into it: RFC 7396, by which a null removes a member.
  public func jsonPatch(_ patch: some Encodable) -> SQLQueryExpression<QueryValue> {
    .function("json_patch", queryFragment, JSONValues.encoded(patch))
  }
  /// Merges a document that is an expression into it.
  @_disfavoredOverload
  public func jsonPatch(_ patch: some ComputedExpression) -> SQLQueryExpression<QueryValue> {
    .function("json_patch", queryFragment, patch.queryFragment)
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  // By paths as SQLite spells them; the value goes in as it is, a real number with all of its digits.
  /// `json_set(self, path, value)`: writes what is there or not.
  public func jsonSet<New: QueryExpression>(_ path: String, _ value: New) -> SQLQueryExpression<QueryValue> {
    let value = JSONValues.exact(value.queryFragment, as: New.QueryValue.self)
    return changed("json_set", JSONChange(path: .literal(text: path), value: value))
  }
  /// `json_insert(self, path, value)`: writes only if nothing is there.
  public func jsonInsert<New: QueryExpression>(_ path: String, _ value: New) -> SQLQueryExpression<QueryValue> {
    let value = JSONValues.exact(value.queryFragment, as: New.QueryValue.self)
    return changed("json_insert", JSONChange(path: .literal(text: path), value: value))
  }
  /// `json_replace(self, path, value)`: writes only if something is there.
  public func jsonReplace<New: QueryExpression>(_ path: String, _ value: New) -> SQLQueryExpression<QueryValue> {
    let value = JSONValues.exact(value.queryFragment, as: New.QueryValue.self)
    return changed("json_replace", JSONChange(path: .literal(text: path), value: value))
  }
  /// `json_remove(self, path)`: the document without it.
  public func jsonRemove(_ path: String) -> SQLQueryExpression<QueryValue> {
    .function("json_remove", queryFragment, .literal(text: path))
  }

  // The same functions, keeping the document in SQLite's binary form.
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
  /// Sets a member to a value that is bound in its representation: `$0.address[\.zip] = #bind(9)`.
  @_disfavoredOverload
  public subscript<Value: QueryBindable>(path: JSONPath<QueryValue, Value>) -> BindQueryExpression<Value> {
    @available(*, unavailable, message: "A member of a document is read as an expression.")
    get { fatalError("because it is unavailable, nothing calls this") }
    set { self = changed("json_set", path.change(to: JSONValues.embedded(newValue.queryFragment, as: Value.self))) }
  }
}
