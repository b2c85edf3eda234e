/// Places in a JSON document as key paths: `\.links[0].homepage`.
///
/// Always true: the members of an object are the columns of its type, by their names; a name that is no plain word is
/// quoted in the path.
@dynamicMemberLookup
public struct JSONDocument<Value: QueryRepresentable>: Sendable {
  /// As SQLite's JSON functions take it: `$.links[0]."home page"`.
  public var path: String

  init(path: String = "$") { self.path = path }

  func member<Inner>(_ name: String) -> JSONDocument<Inner> {
    let isWord = !name.isEmpty && name.unicodeScalars.allSatisfy { Self.isWordScalar($0) }
    // SQLite reads a quoted name up to the next quotation mark, whatever stands before it.
    return JSONDocument<Inner>(path: isWord ? "\(path).\(name)" : "\(path).\"\(name)\"")
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  // MARK: Members of objects

  public subscript<Member>(
    dynamicMember path: KeyPath<Value.TableColumns, TableColumn<Value, Member>>
  ) -> JSONDocument<Member> where Value: Table {
    member(Value.columns[keyPath: path].name)
  }

  public subscript<Object: Table, Member>(
    dynamicMember path: KeyPath<Object.TableColumns, TableColumn<Object, Member>>
  ) -> JSONDocument<Member> where Value == JSONRepresentation<Object> {
    member(Object.columns[keyPath: path].name)
  }

  public subscript<Object: Table, Member>(
    dynamicMember path: KeyPath<Object.TableColumns, TableColumn<Object, Member>>
  ) -> JSONDocument<Member> where Value == JSONRepresentation<Object>? {
    member(Object.columns[keyPath: path].name)
  }

  // MARK: Elements of arrays and dictionaries

  /// The element at an index, counted from 0; from the end where it is negative: `[-1]` is the last one.
  public subscript<Element: QueryRepresentable>(index: Int) -> JSONDocument<Element>
  where Value == JSONRepresentation<[Element]> {
    element(index)
  }

  @_disfavoredOverload
  public subscript<Element: Codable>(index: Int) -> JSONDocument<JSONRepresentation<Element>>
  where Value == JSONRepresentation<[Element]> {
    element(index)
  }

  public subscript<Element: QueryRepresentable>(index: Int) -> JSONDocument<Element>
  where Value == JSONRepresentation<[Element]>? {
    element(index)
  }

  /// The value of a key.
  public subscript<Element: QueryRepresentable>(key: String) -> JSONDocument<Element>
  where Value == JSONRepresentation<[String: Element]> {
    member(key)
  }

  private func element<Inner>(_ index: Int) -> JSONDocument<Inner> {
    JSONDocument<Inner>(path: index < 0 ? "\(path)[#\(index)]" : "\(path)[\(index)]")
  }
}
