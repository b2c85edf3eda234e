/// Functions with types: each returns a closure that makes expressions of its calls.
///
/// ```swift
/// let isEven = try db.createFunction("is_even") { (n: Int64) -> Bool in n % 2 == 0 }
/// try db.prepare(numbers.filter(isEven(number)))
/// ```
///
/// Always true: an argument of another type than the function takes is passed as NULL would be: to a function of what
/// is not optional, not at all, and the call gives NULL.
extension Connection {
  /// A function without arguments.
  public func createFunction<Z: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping () -> Z
  ) throws -> () -> Expression<Z> {
    try createFunction(function, argumentCount: 0, deterministic: deterministic) { _ in block().datatypeValue }
    return { calling(function) }
  }

  /// A function without arguments that may give NULL.
  public func createFunction<Z: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping () -> Z?
  ) throws -> () -> Expression<Z?> {
    try createFunction(function, argumentCount: 0, deterministic: deterministic) { _ in block()?.datatypeValue }
    return { calling(function) }
  }

  /// A function of one argument.
  public func createFunction<Z: Value, A: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (A) -> Z
  ) throws -> (Expression<A>) -> Expression<Z> {
    try createFunction(function, argumentCount: 1, deterministic: deterministic) { arguments in
      argument(arguments[0]).map { (a: A) in block(a).datatypeValue }
    }
    return { calling(function, $0.node) }
  }

  /// A function of one argument that may be NULL.
  public func createFunction<Z: Value, A: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (A?) -> Z
  ) throws -> (Expression<A?>) -> Expression<Z> {
    try createFunction(function, argumentCount: 1, deterministic: deterministic) { arguments in
      block(argument(arguments[0])).datatypeValue
    }
    return { calling(function, $0.node) }
  }

  /// A function of one argument that may give NULL.
  public func createFunction<Z: Value, A: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (A) -> Z?
  ) throws -> (Expression<A>) -> Expression<Z?> {
    try createFunction(function, argumentCount: 1, deterministic: deterministic) { arguments in
      argument(arguments[0]).flatMap { (a: A) in block(a)?.datatypeValue }
    }
    return { calling(function, $0.node) }
  }

  /// A function of one argument, where both may be NULL.
  public func createFunction<Z: Value, A: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (A?) -> Z?
  ) throws -> (Expression<A?>) -> Expression<Z?> {
    try createFunction(function, argumentCount: 1, deterministic: deterministic) { arguments in
      block(argument(arguments[0]))?.datatypeValue
    }
    return { calling(function, $0.node) }
  }

  /// A function of two arguments.
  public func createFunction<Z: Value, A: Value, B: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (A, B) -> Z
  ) throws -> (Expression<A>, Expression<B>) -> Expression<Z> {
    try createFunction(function, argumentCount: 2, deterministic: deterministic) { arguments in
      guard let a: A = argument(arguments[0]), let b: B = argument(arguments[1]) else { return nil }
      return block(a, b).datatypeValue
    }
    return { calling(function, $0.node, $1.node) }
  }

  /// A function of two arguments, all of which may be NULL.
  public func createFunction<Z: Value, A: Value, B: Value>(
    _ function: String, deterministic: Bool = false, _ block: @escaping (A?, B?) -> Z?
  ) throws -> (Expression<A?>, Expression<B?>) -> Expression<Z?> {
    try createFunction(function, argumentCount: 2, deterministic: deterministic) { arguments in
      block(argument(arguments[0]), argument(arguments[1]))?.datatypeValue
    }
    return { calling(function, $0.node, $1.node) }
  }
}

/// `"name"("a", "b")`
private func calling<T>(_ function: String, _ arguments: Node...) -> Expression<T> {
  Expression(Node(.function(FunctionNode(name: function, arguments: arguments, isQuoted: true))))
}

/// An argument as its type; nil where it is NULL or of another type.
private func argument<A: Value>(_ binding: (any Binding)?) -> A? {
  try? binding.flatMap { try A.value(from: _StoredValue(value: SQLValue($0))) { "" } }
}
