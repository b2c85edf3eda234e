import MartletAST

/// One element of a document, with its place.
///
/// Always true: its rows belong to the row whose document it reads, so it stands in a subquery of that row's query, or
/// is joined to it.
public struct JSONEach<Key: QueryRepresentable, Element: QueryRepresentable>: Table {
  public static var tableName: String { "json_each" }
  public static var defaultScope: DefaultScope { DefaultScope() }
  public static var columns: TableColumns { TableColumns() }
  public static func placedColumns(in place: ColumnPlace) -> TableColumns { TableColumns(columnPlace: place) }

  /// The index in an array, or the name in an object.
  public var key: Key.QueryOutput
  /// The element; of an array of objects, each as JSON.
  public var value: Element.QueryOutput
  /// `object`, `array`, `text`, `integer`, `real`, `true`, `false` or `null`.
  public var type: String
  /// Its place in the document, such as `$.links[0]`.
  public var fullkey: String
  /// The place of what holds it.
  public var path: String

  /// The columns of `json_each`.
  public struct TableColumns: TableDefinition {
    public typealias QueryValue = JSONEach

    public var columnPlace = ColumnPlace()

    /// `"json_each"."key"`: the index in an array, counted from 0, or the name in an object.
    public var key: TableColumn<JSONEach, Key> { TableColumn("key", in: columnPlace) }
    /// `"json_each"."value"`.
    public var value: TableColumn<JSONEach, Element> { TableColumn("value", in: columnPlace) }
    /// `"json_each"."type"`: JSON's kind of value.
    public var type: TableColumn<JSONEach, String> { TableColumn("type", in: columnPlace) }
    /// `"json_each"."fullkey"`: the element's place in the document.
    public var fullkey: TableColumn<JSONEach, String> { TableColumn("fullkey", in: columnPlace) }
    /// `"json_each"."path"`: the place of what holds it.
    public var path: TableColumn<JSONEach, String> { TableColumn("path", in: columnPlace) }
    /// An index in an array.
    public var index: SQLQueryExpression<Int?> { SQLQueryExpression(key.queryFragment) }

    public static var allColumns: [ColumnDescription] {
      [
        ColumnDescription("key", Key.self), ColumnDescription("value", Element.self),
        ColumnDescription("type", String.self), ColumnDescription("fullkey", String.self),
        ColumnDescription("path", String.self),
      ]
    }
  }

  public init(decoder: inout some QueryDecoder) throws {
    key = try decoder.value(Key.self)
    value = try decoder.value(Element.self)
    type = try decoder.value(String.self)
    fullkey = try decoder.value(String.self)
    path = try decoder.value(String.self)
  }

  public var columnFragments: [QueryFragment] {
    Key.fragments(of: key) + Element.fragments(of: value) + [type, fullkey, path].map(\.queryFragment)
  }

  /// The rows of `json_each`, or of another function, which then gets that name.
  static func rows(
    _ document: QueryFragment, _ path: QueryFragment? = nil, of function: String = tableName
  ) -> SelectOf<JSONEach> {
    var parts = SelectParts()
    let arguments = [document] + (path.map { [$0] } ?? [])
    let alias = function == tableName ? nil : tableName
    parts.source = SourceFragment(name: function, alias: alias, arguments: arguments)
    return Select(parts: parts)
  }
}

extension QueryExpression {
  /// The elements of an array: `$0.tags.jsonEach().where { $0.value.eq("swift") }.exists()`.
  public func jsonEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<Int, Element>>
  where QueryValue == JSONRepresentation<[Element]> {
    JSONEach.rows(queryFragment)
  }

  /// The elements of an array of tables' rows, each as JSON.
  public func jsonEach<Element: Table & Codable>() -> SelectOf<JSONEach<Int, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[Element]> {
    JSONEach.rows(queryFragment)
  }

  /// The elements of an array of objects, each as JSON.
  @_disfavoredOverload
  public func jsonEach<Element: Codable>() -> SelectOf<JSONEach<Int, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[Element]> {
    JSONEach.rows(queryFragment)
  }

  /// The elements of an array that may be NULL, which then has none.
  public func jsonEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<Int, Element>>
  where QueryValue == JSONRepresentation<[Element]>? {
    JSONEach.rows(queryFragment)
  }

  /// The elements of an array of tables' rows, each as JSON.
  public func jsonEach<Element: Table & Codable>() -> SelectOf<JSONEach<Int, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[Element]>? {
    JSONEach.rows(queryFragment)
  }

  /// The elements of an array of objects, each as JSON.
  @_disfavoredOverload
  public func jsonEach<Element: Codable>() -> SelectOf<JSONEach<Int, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[Element]>? {
    JSONEach.rows(queryFragment)
  }

  /// The members of an object whose values are alike.
  public func jsonEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<String, Element>>
  where QueryValue == JSONRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment)
  }

  /// The members of an object whose values are tables' rows, each as JSON.
  public func jsonEach<Element: Table & Codable>() -> SelectOf<JSONEach<String, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment)
  }

  /// The members of an object whose values are objects, each as JSON.
  @_disfavoredOverload
  public func jsonEach<Element: Codable>() -> SelectOf<JSONEach<String, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[String: Element]> {
    JSONEach.rows(queryFragment)
  }

  /// The members of an object whose values are alike.
  public func jsonEach<Element: QueryRepresentable>() -> SelectOf<JSONEach<String, Element>>
  where QueryValue == JSONRepresentation<[String: Element]>? {
    JSONEach.rows(queryFragment)
  }

  /// The members of an object whose values are tables' rows, each as JSON.
  public func jsonEach<Element: Table & Codable>() -> SelectOf<JSONEach<String, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[String: Element]>? {
    JSONEach.rows(queryFragment)
  }

  /// The members of an object whose values are objects, each as JSON.
  @_disfavoredOverload
  public func jsonEach<Element: Codable>() -> SelectOf<JSONEach<String, JSONRepresentation<Element>>>
  where QueryValue == JSONRepresentation<[String: Element]>? {
    JSONEach.rows(queryFragment)
  }

  /// The elements of an array within the document: `.jsonEach(\.links)`.
  public func jsonEach<Element: QueryRepresentable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>
  ) -> SelectOf<JSONEach<Int, Element>> where QueryValue: QueryRepresentable {
    JSONEach.rows(queryFragment, JSONDocument<QueryValue>()[keyPath: path].fragment)
  }

  /// The elements of an array of tables' rows within the document, each as JSON.
  public func jsonEach<Element: Table & Codable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>
  ) -> SelectOf<JSONEach<Int, JSONRepresentation<Element>>> where QueryValue: QueryRepresentable {
    JSONEach.rows(queryFragment, JSONDocument<QueryValue>()[keyPath: path].fragment)
  }

  /// The elements of an array of objects within the document, each as JSON.
  @_disfavoredOverload
  public func jsonEach<Element: Codable>(
    _ path: JSONPath<QueryValue, JSONRepresentation<[Element]>>
  ) -> SelectOf<JSONEach<Int, JSONRepresentation<Element>>> where QueryValue: QueryRepresentable {
    JSONEach.rows(queryFragment, JSONDocument<QueryValue>()[keyPath: path].fragment)
  }
}
