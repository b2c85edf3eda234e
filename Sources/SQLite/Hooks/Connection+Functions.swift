public import Foundation
internal import MartletDatabase
internal import MartletValues

/// Functions, aggregates and collations that are written in Swift.
///
/// Always true: they are this connection's, and gone with it. At a server there are none: each call throws `Result`.
extension Connection {
  /// Makes a function that SQL may call. What it throws fails the statement.
  ///
  /// - Parameters:
  ///   - argumentCount: how many arguments it takes; nil: any number.
  ///   - deterministic: equal arguments always give an equal result, so that it may stand in an index.
  public func createFunction(
    _ functionName: String, argumentCount: UInt? = nil, deterministic: Bool = false,
    _ block: @escaping (_ args: [(any Binding)?]) -> (any Binding)?
  ) throws {
    try on {
      try $0.register(functionName, argumentCount: argumentCount.map { Int($0) }, isDeterministic: deterministic) {
        SQLValue(block($0.map(\.binding)))
      }
    }
  }

  /// Makes an aggregate of many rows: `reduce` takes each row into a value, and `result` makes of it what SQL gets.
  public func createAggregation<T>(
    _ functionName: String, argumentCount: UInt? = nil, deterministic: Bool = false,
    initialValue: @autoclosure @escaping () -> T, reduce: @escaping (T, [(any Binding)?]) -> T,
    result: @escaping (T) -> (any Binding)?
  ) throws {
    try on {
      try $0.registerAggregate(
        functionName, argumentCount: argumentCount.map { Int($0) }, isDeterministic: deterministic
      ) {
        var value = initialValue()
        return ({ value = reduce(value, $0.map(\.binding)) }, { SQLValue(result(value)) })
      }
    }
  }

  /// Makes a collation, for `collate(.custom(name))`. It must order all texts, and always in the same way.
  public func createCollation(
    _ collation: String, _ block: @escaping (_ lhs: String, _ rhs: String) -> ComparisonResult
  ) throws {
    try on { try $0.registerCollation(collation) { block($0, $1).rawValue } }
  }

  /// Makes a collation, for `collate(.custom(name))`. It must order all texts, and always in the same way.
  public func createCollation(
    _ collation: Collation, _ block: @escaping (_ lhs: String, _ rhs: String) -> ComparisonResult
  ) throws {
    try createCollation(collation.name, block)
  }
}

extension Connection {
  /// Registers a tokenizer for tables of FTS4 and FTS5 that are made with `tokenizer: .Custom(submoduleName)`. Throws
  /// `Result` at a server.
  ///
  /// - Parameter next: finds the first word of a text: the word as it is to be indexed, and where it stands; nil where
  ///   there is none. It is given what is behind the word that it found before. It must change nothing: FTS4 may call
  ///   it for another connection of the process that has a tokenizer of this name in its schema, on that one's thread.
  public func registerTokenizer(
    _ submoduleName: String, next: @escaping (String) -> (String, Range<String.Index>)?
  ) throws {
    try on { try $0.registerTokenizer(submoduleName, next) }
  }
}
