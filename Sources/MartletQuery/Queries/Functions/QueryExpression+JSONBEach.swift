import MartletAST

/// The elements of a JSON document as rows, by way of SQLite's binary form: `jsonb_each`.
///
/// Always true: the rows are those of `jsonEach`; what is an object or an array is read back as text. SQLite has it
/// from 3.51 on, and an older one refuses it with that version.
extension QueryExpression {
  /// `jsonb_each(self)`: the elements of an array. SQLite 3.51.
  public func jsonbEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<Int, Element>>
  where QueryValue == JSONRepresentation<[Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The elements of an array of tables' rows, each as JSON.
  public func jsonbEach<Element: Table & Codable>() -> SelectOf<JSONEach<Int, JSONBRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The elements of an array of objects, each as JSON.
  @_disfavoredOverload
  public func jsonbEach<Element: Codable>() -> SelectOf<JSONEach<Int, JSONBRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The elements of an array that is stored in the binary form.
  public func jsonbEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<Int, Element>>
  where QueryValue == JSONBRepresentation<[Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The elements of an array of tables' rows, each as JSON.
  public func jsonbEach<Element: Table & Codable>() -> SelectOf<JSONEach<Int, JSONBRepresentation<Element>>>
  where QueryValue == JSONBRepresentation<[Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The elements of an array of objects, each as JSON.
  @_disfavoredOverload
  public func jsonbEach<Element: Codable>() -> SelectOf<JSONEach<Int, JSONBRepresentation<Element>>>
  where QueryValue == JSONBRepresentation<[Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The members of an object whose values are alike.
  public func jsonbEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<String, Element>>
  where QueryValue == JSONRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The members of an object whose values are tables' rows, each as JSON.
  public func jsonbEach<Element: Table & Codable>() -> SelectOf<JSONEach<String, JSONBRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The members of an object whose values are objects, each as JSON.
  @_disfavoredOverload
  public func jsonbEach<Element: Codable>() -> SelectOf<JSONEach<String, JSONBRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The members of an object whose values are alike.
  public func jsonbEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<String, Element>>
  where QueryValue == JSONBRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The members of an object whose values are tables' rows, each as JSON.
  public func jsonbEach<Element: Table & Codable>() -> SelectOf<JSONEach<String, JSONBRepresentation<Element>>>
  where QueryValue == JSONBRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The members of an object whose values are objects, each as JSON.
  @_disfavoredOverload
  public func jsonbEach<Element: Codable>() -> SelectOf<JSONEach<String, JSONBRepresentation<Element>>>
  where QueryValue == JSONBRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment, of: "jsonb_each")
  }

  /// The elements of an array within the document: `.jsonbEach(\.links)`.
  public func jsonbEach<Element: QueryRepresentable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>
  ) -> SelectOf<JSONEach<Int, Element>> where QueryValue: QueryRepresentable {
    JSONEach.rows(queryFragment, JSONDocument<QueryValue>()[keyPath: path].fragment, of: "jsonb_each")
  }

  /// The elements of an array of tables' rows within the document, each as JSON.
  public func jsonbEach<Element: Table & Codable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>
  ) -> SelectOf<JSONEach<Int, JSONBRepresentation<Element>>> where QueryValue: QueryRepresentable {
    JSONEach.rows(queryFragment, JSONDocument<QueryValue>()[keyPath: path].fragment, of: "jsonb_each")
  }

  /// The elements of an array of objects within the document, each as JSON.
  @_disfavoredOverload
  public func jsonbEach<Element: Codable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>
  ) -> SelectOf<JSONEach<Int, JSONBRepresentation<Element>>> where QueryValue: QueryRepresentable {
    JSONEach.rows(queryFragment, JSONDocument<QueryValue>()[keyPath: path].fragment, of: "jsonb_each")
  }
}
