import MartletAST

/// A value and its place in a document.
///
/// Always true: a place within a case that the enum does not have now stays as it is.
struct JSONChange {
  var path: QueryFragment
  /// The document is changed only if the enums on the way are these cases.
  var outerCases: [String] = []
  var value: QueryFragment
}

extension KeyPath {
  func literal<R, V>() -> QueryFragment where Root == JSONDocument<R>, Value == JSONDocument<V> {
    JSONDocument<R>()[keyPath: self].fragment
  }

  /// A change of a place. An enum is written whole, as its new case.
  func change<R, V>(
    to value: QueryFragment
  ) -> JSONChange where Root == JSONDocument<R>, Value == JSONDocument<V> {
    let document = JSONDocument<R>()[keyPath: self]
    guard let enumCase = document.enumCase else { return member(value) }
    let inner = QueryFragment.function("json_object", [.literal(text: enumCase.label), value])
    return JSONChange(
      path: document.fragment(of: enumCase.place), outerCases: document.outerCases,
      value: .function("json_object", [.literal(text: enumCase.name), inner]))
  }

  /// A change of a place only if something is there.
  func member<R, V>(
    _ value: QueryFragment
  ) -> JSONChange where Root == JSONDocument<R>, Value == JSONDocument<V> {
    let document = JSONDocument<R>()[keyPath: self]
    return JSONChange(path: document.fragment, outerCases: document.outerCases, value: value)
  }

  /// A new last element of an array.
  func end<R, V>(
    _ value: QueryFragment
  ) -> JSONChange where Root == JSONDocument<R>, Value == JSONDocument<V> {
    let document = JSONDocument<R>()[keyPath: self]
    return JSONChange(path: document.fragment(of: document.path + "[#]"), outerCases: document.outerCases, value: value)
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  /// Consecutive changes of one kind are one call, unless one may be within another. A place within a case that the
  /// enum does not have now stays as it is.
  func changed(_ function: String, _ change: JSONChange) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(queryFragment.changed(function, change))
  }
}
