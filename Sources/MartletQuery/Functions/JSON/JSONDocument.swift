/// A representation of documents: as text or binary, optional or not.
public protocol JSONDocumentRepresentation: QueryRepresentable {
  /// What the document is in Swift: a `Codable` type.
  associatedtype Document
}

extension JSONRepresentation: JSONDocumentRepresentation { public typealias Document = Output }
extension JSONBRepresentation: JSONDocumentRepresentation { public typealias Document = Output }
extension Optional: JSONDocumentRepresentation where Wrapped: JSONDocumentRepresentation {
  public typealias Document = Wrapped.Document
}

/// A document, or a place in one, as key paths begin with it: `\.links[0].homepage`.
///
/// Always true: the members of an object are the columns of its type, by the names that its `Codable` conformance
/// reads; those of an enum are its cases. A name that is no plain word is quoted in the path.
@dynamicMemberLookup
public struct JSONDocument<Value: QueryRepresentable>: Sendable {
  /// As SQLite's JSON functions take it: `$.links[0]."home page"`.
  public var path: String
  /// The document is the value of an enum's case. Writing it writes the whole enum.
  private(set) var enumCase: EnumCase?
  /// The paths of the enum cases whose values hold this document.
  private(set) var outerCases: [String] = []
  /// Why SQLite cannot find a name or an element on the way; nil if it can.
  private(set) var obstacle: String?

  /// `{"note":{"_0":…}}`, in the place of an enum.
  struct EnumCase: Sendable {
    var place: String
    var name: String
    /// The name of the case's value: `_0` if it has no label.
    var label: String
  }

  init(path: String = "$") { self.path = path }

  func member<Inner>(_ name: String) -> JSONDocument<Inner> {
    within(Self.path(path, name), obstacle: Self.obstacle(of: [name]))
  }

  /// The path as an argument of SQLite's functions.
  var fragment: QueryFragment { fragment(of: path) }

  /// The same for another path that begins or ends with this one.
  func fragment(of path: String) -> QueryFragment {
    obstacle.map { QueryFragment.bind(.invalid(QueryBindingFailure($0))) } ?? .literal(text: path)
  }

  /// What is within this document.
  private func within<Inner>(_ path: String, obstacle: String?) -> JSONDocument<Inner> {
    var inner = JSONDocument<Inner>(path: path)
    inner.outerCases = outerCases
    inner.obstacle = self.obstacle ?? obstacle
    if let enumCase { inner.outerCases.append(Self.path(enumCase.place, enumCase.name)) }
    return inner
  }

  private static func path(_ path: String, _ name: String) -> String {
    let isWord = !name.isEmpty && name.unicodeScalars.allSatisfy { isWordScalar($0) }
    // SQLite reads a quoted name up to the next quotation mark, whatever stands before it.
    return isWord ? "\(path).\(name)" : "\(path).\"\(name)\""
  }

  /// A path holds these characters as they are, but JSON escapes them.
  private static func obstacle(of names: [String]) -> String? {
    let isFound = names.allSatisfy { $0.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\"" && $0 != "\\" } }
    return isFound
      ? nil
      : "SQLite finds no member whose name has a quotation mark, a backslash or a control character. "
        + "Compare the keys of jsonEach() instead."
  }

  /// SQLite counts in 32 bits, and begins anew behind the last: it would find another element.
  private static func obstacle(at index: Int) -> String? {
    index.magnitude <= UInt32.max
      ? nil : "SQLite finds no element of a list beyond \(UInt32.max). Take an index that is nearer to 0."
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  // MARK: Members of objects

  /// A member of an object that is a table's row.
  public subscript<Member>(
    dynamicMember path: KeyPath<Value.TableColumns, TableColumn<Value, Member>>
  ) -> JSONDocument<Member> where Value: Table {
    column(of: Value.self, Value.columns[keyPath: path].name)
  }

  /// A member of an object that is a column of JSON.
  public subscript<Member>(
    dynamicMember path: KeyPath<Value.Document.TableColumns, TableColumn<Value.Document, Member>>
  ) -> JSONDocument<Member> where Value: JSONDocumentRepresentation, Value.Document: Table {
    column(of: Value.Document.self, Value.Document.columns[keyPath: path].name)
  }

  /// A group of columns, which is an object within the object.
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Value.Document.TableColumns, ColumnGroup<Value.Document, Group>>
  ) -> JSONDocument<JSONRepresentation<Group>>
  where Value: JSONDocumentRepresentation, Value.Document: Table, Group: Codable {
    group(of: Value.Document.self, Value.Document.columns[keyPath: path].name)
  }

  /// A group that may be missing.
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Value.Document.TableColumns, ColumnGroup<Value.Document, Group?>>
  ) -> JSONDocument<JSONRepresentation<Group>?>
  where Value: JSONDocumentRepresentation, Value.Document: Table, Group: Codable {
    group(of: Value.Document.self, Value.Document.columns[keyPath: path].name)
  }

  private func column<Object: Table, Inner>(of object: Object.Type, _ name: String) -> JSONDocument<Inner> {
    let column = Object.TableColumns.allColumns.first { $0.name == name }
    return inner(of: object, column?.property ?? [name])
  }

  /// An object's group has one name; a case of an enum has another for its value.
  private func group<Object: Table, Inner>(of object: Object.Type, _ name: String) -> JSONDocument<Inner> {
    let columns = Object.TableColumns.allColumns
    let column = columns.first { $0.members[0].group == name } ?? columns.first { $0.members[0].name == name }
    return inner(of: object, Array((column?.property ?? [name]).prefix(object is any EnumTable.Type ? 2 : 1)))
  }

  private func inner<Object: Table, Inner>(of object: Object.Type, _ names: [String]) -> JSONDocument<Inner> {
    var inner: JSONDocument<Inner> = within(
      names.reduce(path) { Self.path($0, $1) }, obstacle: Self.obstacle(of: names))
    if object is any EnumTable.Type, names.count == 2 {
      inner.enumCase = .init(place: path, name: names[0], label: names[1])
    }
    return inner
  }

  // MARK: Elements of arrays and dictionaries

  /// The element at an index, counted from 0; from the end if it is negative: `[-1]` is the last one.
  public subscript<Element: QueryBindable>(index: Int) -> JSONDocument<Element>
  where Value == JSONRepresentation<[Element]> {
    element(index)
  }

  /// The same, of a table's row, which is JSON itself.
  public subscript<Element: Table & Codable>(index: Int) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[Element]> {
    element(index)
  }

  /// The same, of another object, which is JSON itself.
  @_disfavoredOverload
  public subscript<Element: Codable>(index: Int) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[Element]> {
    element(index)
  }

  /// An element of an array that may be NULL.
  public subscript<Element: QueryBindable>(index: Int) -> JSONDocument<Element>
  where Value == JSONRepresentation<[Element]>? {
    element(index)
  }

  /// The same, of a table's row, which is JSON itself.
  public subscript<Element: Table & Codable>(index: Int) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[Element]>? {
    element(index)
  }

  /// The same, of another object, which is JSON itself.
  @_disfavoredOverload
  public subscript<Element: Codable>(index: Int) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[Element]>? {
    element(index)
  }

  /// The value of a key.
  public subscript<Element: QueryBindable>(key: String) -> JSONDocument<Element>
  where Value == JSONRepresentation<[String: Element]> {
    member(key)
  }

  /// The same, of a table's row, which is JSON itself.
  public subscript<Element: Table & Codable>(key: String) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[String: Element]> {
    member(key)
  }

  /// The same, of another object, which is JSON itself.
  @_disfavoredOverload
  public subscript<Element: Codable>(key: String) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[String: Element]> {
    member(key)
  }

  /// The value of a key of an object that may be NULL.
  public subscript<Element: QueryBindable>(key: String) -> JSONDocument<Element>
  where Value == JSONRepresentation<[String: Element]>? {
    member(key)
  }

  /// The same, of a table's row, which is JSON itself.
  public subscript<Element: Table & Codable>(key: String) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[String: Element]>? {
    member(key)
  }

  /// The same, of another object, which is JSON itself.
  @_disfavoredOverload
  public subscript<Element: Codable>(key: String) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[String: Element]>? {
    member(key)
  }

  private func element<Inner>(_ index: Int) -> JSONDocument<Inner> {
    within(index < 0 ? "\(path)[#\(index)]" : "\(path)[\(index)]", obstacle: Self.obstacle(at: index))
  }
}
