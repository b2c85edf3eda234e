/// Names a dependency: what a program's parts share, without passing it through all of them. A property of an extension
/// of `DependencyValues` reads it, `self[WeatherKey.self]`, and a part takes it: `@Dependency(\.weather) var weather`.
///
/// Always true: a dependency is looked up when it is read. First the nearest `withDependencies` counts, then what was
/// prepared, then the key's own value.
public protocol DependencyKey: SendableMetatype {
  /// What the key stands for.
  associatedtype Value: Sendable = Self

  /// What the dependency is unless something else was prepared. It is made once.
  static var liveValue: Value { get }

  /// The same in a preview; `liveValue` unless the key says another.
  static var previewValue: Value { get }

  /// The same in tests; `liveValue` unless the key says another.
  static var testValue: Value { get }
}

extension DependencyKey {
  /// `liveValue`.
  public static var previewValue: Value { liveValue }
  /// `liveValue`.
  public static var testValue: Value { liveValue }

  /// The value for a context.
  static func value(in context: DependencyContext) -> Value {
    switch context {
    case .live: liveValue
    case .preview: previewValue
    case .test: testValue
    }
  }
}

/// Reads a dependency: by the path of a property of `DependencyValues`, or by its key.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let path: any KeyPath<DependencyValues, Value> & Sendable
  /// What `withDependencies` said where the property was declared, which a model keeps after that.
  private let declared: DependencyValues

  /// The dependency at a key path of `DependencyValues`: `@Dependency(\.date)`.
  public init(_ path: any KeyPath<DependencyValues, Value> & Sendable) {
    self.path = path
    declared = DependencyValues.current
  }

  /// The dependency that a type is the key of.
  public init<Key: DependencyKey>(_ key: Key.Type) where Key.Value == Value {
    self.init(\DependencyValues[DependencyValues.KeyName<Key>()])
  }

  /// The value as it is now, with what `withDependencies` replaced around it.
  public var wrappedValue: Value { declared.merging(DependencyValues.current)[keyPath: path] }
}

/// Sets dependencies for the whole program, at its start. A dependency that was read before keeps its value.
@discardableResult
public func prepareDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  let result = try update(&values)
  DependencyStore.shared.prepare(values.changes)
  return result
}

/// Runs an operation, and whatever tasks it starts, with other dependencies.
@discardableResult
public func withDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try update(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs an operation, and whatever tasks it starts, with other dependencies.
@discardableResult
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation, _ update: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try await update(&values)
  return try await DependencyValues.$current.withValue(values, operation: operation)
}
