public import Foundation
internal import MartletDatabase
internal import MartletValues

/// Functions, aggregates and collations that are written in Swift.
///
/// Always true: they belong to this connection, and go with it. At a server there are none. The calls of SQLite.swift
/// cannot throw, so the statement that calls a function throws why there is none.
extension Connection {
  /// Makes a function that SQL may call.
  ///
  /// - Parameters:
  ///   - argumentCount: how many arguments it takes; nil: any number.
  ///   - deterministic: equal arguments always give an equal result, so that it may stand in an index.
  public func createFunction(
    _ functionName: String, argumentCount: UInt? = nil, deterministic: Bool = false,
    _ block: @escaping (_ args: [(any Binding)?]) -> (any Binding)?
  ) {
    notingRefusal(of: functionName) {
      try register(functionName, argumentCount: argumentCount, deterministic: deterministic, block)
    }
  }

  /// As `createFunction`, and throws `Result` at once.
  func register(
    _ name: String, argumentCount: UInt?, deterministic: Bool,
    _ block: @escaping ([(any Binding)?]) throws -> (any Binding)?
  ) throws {
    try on {
      try $0.register(name, argumentCount: argumentCount.map { Int($0) }, isDeterministic: deterministic) {
        SQLValue(try block($0.map(\.binding)))
      }
    }
  }

  /// Makes an aggregate of many rows: `reduce` takes each row into a value, and `result` makes of it what SQL gets.
  public func createAggregation<T>(
    _ functionName: String, argumentCount: UInt? = nil, deterministic: Bool = false,
    initialValue: @autoclosure @escaping () -> T, reduce: @escaping (T, [(any Binding)?]) -> T,
    result: @escaping (T) -> (any Binding)?
  ) {
    aggregate(functionName, argumentCount, deterministic) {
      var value = initialValue()
      return ({ value = reduce(value, $0) }, { result(value) })
    }
  }

  /// Makes an aggregate of many rows with memory of the program's own: `state` makes it for a group, `step` takes each
  /// row into it, and `final` makes of it what SQL gets, and frees it. A group that is given up is not ended.
  public func createAggregation(
    _ functionName: String, argumentCount: UInt? = nil, deterministic: Bool = false,
    step: @escaping ([(any Binding)?], UnsafeMutableRawPointer) -> Void,
    final: @escaping (UnsafeMutableRawPointer) -> (any Binding)?,
    state: @escaping () -> UnsafeMutableRawPointer
  ) {
    aggregate(functionName, argumentCount, deterministic) {
      let state = state()
      return ({ step($0, state) }, { final(state) })
    }
  }

  private func aggregate(
    _ name: String, _ argumentCount: UInt?, _ isDeterministic: Bool,
    _ group: @escaping () -> (step: ([(any Binding)?]) -> Void, result: () -> (any Binding)?)
  ) {
    notingRefusal(of: name) {
      try on {
        try $0.registerAggregate(
          name, argumentCount: argumentCount.map { Int($0) }, isDeterministic: isDeterministic
        ) {
          let group = group()
          return ({ group.step($0.map(\.binding)) }, { SQLValue(group.result()) })
        }
      }
    }
  }

  private func notingRefusal(of name: String, _ body: () throws -> Void) {
    do {
      try body()
      note(refusal: nil, of: name)
    } catch {
      note(refusal: error, of: name)
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
  /// - Parameter next: finds the first word of a text: the word as it is to be indexed, and where it stands; nil if
  ///   there is none. It is given what is behind the word that it found before. It must change nothing: FTS4 may call
  ///   it for another connection of the process that has a tokenizer of this name in its schema, on that one's thread.
  public func registerTokenizer(
    _ submoduleName: String, next: @escaping (String) -> (String, Range<String.Index>)?
  ) throws {
    try on { try $0.registerTokenizer(submoduleName, next) }
  }
}
