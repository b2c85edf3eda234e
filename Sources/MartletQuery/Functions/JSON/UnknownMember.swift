/// A member of any name, for what the compiler says of a document's member that is not there, or of a column that is
/// no document: without these it says that it cannot infer a type.
///
/// Always true: nothing here is available, so no query is made of it, and the compiler looks at it only if nothing
/// else fits.
@dynamicMemberLookup
public struct UnknownMember: Sendable {
  /// A member of it.
  public subscript(dynamicMember name: String) -> UnknownMember { self }
  /// An element of it.
  public subscript(index: Int) -> UnknownMember { self }
  /// The value of a key of it.
  public subscript(key: String) -> UnknownMember { self }
}

extension QueryExpression {
  /// Says that the document has no such member.
  @_disfavoredOverload
  @available(*, unavailable, message: "No such member: a document has the columns of its '@Table' or '@Selection'.")
  public func jsonExtract(_ path: KeyPath<UnknownMember, UnknownMember>) -> SQLQueryExpression<String?> { .noMember }

  /// Says that the document has no such member.
  @_disfavoredOverload
  @available(*, unavailable, message: "No such member: a document has the columns of its '@Table' or '@Selection'.")
  public func jsonMember(_ path: KeyPath<UnknownMember, UnknownMember>) -> SQLQueryExpression<String?> { .noMember }

  /// Says that the document has no such member.
  @_disfavoredOverload
  @available(*, unavailable, message: "No such member: a document has the columns of its '@Table' or '@Selection'.")
  public func jsonArrayLength(_ path: KeyPath<UnknownMember, UnknownMember>) -> SQLQueryExpression<Int?> {
    SQLQueryExpression(.null)
  }

  /// Says that the document has no such member.
  @_disfavoredOverload
  @available(*, unavailable, message: "No such member: a document has the columns of its '@Table' or '@Selection'.")
  public func jsonSet<Value>(
    _ path: KeyPath<UnknownMember, UnknownMember>, _ value: Value
  ) -> SQLQueryExpression<String?> { .noMember }

  /// Says that the document has no such member.
  @_disfavoredOverload
  @available(*, unavailable, message: "No such member: a document has the columns of its '@Table' or '@Selection'.")
  public func jsonRemove(_ path: KeyPath<UnknownMember, UnknownMember>) -> SQLQueryExpression<String?> { .noMember }
}

extension SQLQueryExpression {
  /// Says that the document has no such member.
  @_disfavoredOverload
  @available(*, unavailable, message: "No such member: a document has the columns of its '@Table' or '@Selection'.")
  public subscript<Value>(path: KeyPath<UnknownMember, UnknownMember>) -> Value {
    get { fatalError("because it is unavailable, nothing calls this") }
    set {}
  }
}

extension SQLQueryExpression where QueryValue == String? {
  fileprivate static var noMember: Self { SQLQueryExpression(.null) }
}

extension TableColumn where Value: JSONDocumentRepresentation {
  /// The name in the database.
  @available(*, deprecated, message: "This is the column's name. A document's member is 'jsonExtract(\\.name)'.")
  public var name: String { nameInDatabase }
}

extension TableColumn {
  fileprivate var nameInDatabase: String { name }
}
