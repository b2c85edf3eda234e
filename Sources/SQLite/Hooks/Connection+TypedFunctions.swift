internal import MartletValues

/// Functions with types: each call returns a closure that makes expressions of the function's calls.
///
/// ```swift
/// let isEven = try db.createFunction("is_even") { (n: Int64) -> Bool in n % 2 == 0 }
/// try db.prepare(numbers.filter(isEven(number)))
/// ```
///
/// Always true: an argument of another type than the function takes counts as NULL. If the parameter is not optional,
/// the function is not called, and the result is NULL.
extension Connection {
  /// Makes a function of any number of arguments, each of which may be optional, as its result may.
  ///
  /// - Parameter deterministic: equal arguments always give an equal result, so that it may stand in an index.
  public func createFunction<Z: ColumnType, each A: ColumnType>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (repeat each A) -> Z
  ) throws -> (repeat Expression<each A>) -> Expression<Z> {
    var count: UInt = 0
    for _ in repeat (each A).self { count += 1 }
    try register(function, argumentCount: count, deterministic: deterministic) { bindings in
      var rest = bindings[...]
      guard let arguments = try? (repeat argument((each A).self, &rest)) else { return nil }
      let result = block(repeat each arguments)._stored.value
      if result.isUnkept { throw QueryError.unexpectedValue(SQLValue.unkeptReason) }
      return result.binding
    }
    return { (arguments: repeat Expression<each A>) in
      var nodes: [Node] = []
      for node in repeat (each arguments).node { nodes.append(node) }
      return Expression(Node(.function(FunctionNode(name: function, arguments: nodes, isQuoted: true))))
    }
  }
}

/// An argument is NULL or of another type, and the function does not take that.
private struct UnfitArgument: Error {}

/// The next argument as its type.
private func argument<A: ColumnType>(_ type: A.Type, _ rest: inout ArraySlice<(any Binding)?>) throws -> A {
  let binding = rest.popFirst() ?? nil
  let value = try? binding.flatMap { try A.ColumnValue.value(from: _StoredValue(value: SQLValue($0))) { "" } }
  // An optional type takes nil, too; any other type does not.
  guard let argument = value.map({ $0 as Any }) as? A ?? (Any?.none as Any) as? A else { throw UnfitArgument() }
  return argument
}
