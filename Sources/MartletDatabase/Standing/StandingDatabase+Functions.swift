internal import MartletEngine
internal import MartletQuery
internal import MartletSQLite
package import MartletValues

/// Functions and collations of the program, on a database of this process.
///
/// Always true: a server cannot call them, and says so.
extension StandingDatabase {
  /// Registers a function of one row's values; nil for any number of arguments.
  package func register(
    _ name: String, argumentCount: Int?, isDeterministic: Bool, _ body: @escaping ([Value]) throws -> Value
  ) throws {
    try add(name, "function") { connection in
      let signature = FunctionSignature(name, argumentCount: argumentCount, isDeterministic: isDeterministic)
      try connection.register(signature) { try FunctionResult(body($0.values())) }
    }
  }

  /// Registers a function of many rows' values: `make` begins a group, whose closures take a row and return the result.
  package func registerAggregate(
    _ name: String, argumentCount: Int?, isDeterministic: Bool,
    _ make: @escaping () -> (step: ([Value]) throws -> Void, result: () throws -> Value)
  ) throws {
    try add(name, "function") { connection in
      let signature = FunctionSignature(name, argumentCount: argumentCount, isDeterministic: isDeterministic)
      try connection.registerAggregate(signature) { ValuesOfGroup(make()) }
    }
  }

  /// Registers a collation: less than 0 if the first text comes first, 0 if both are equal.
  package func registerCollation(_ name: String, _ compare: @escaping (String, String) -> Int) throws {
    try add(name, "collation") { try $0.registerCollation(name, compare) }
  }

  private func add(_ name: String, _ kind: String, _ body: (MartletSQLite.Connection) throws -> Void) throws {
    guard let connection = try opened()?.connection else {
      throw RequestError.notCallableByServer(kind, name)
    }
    ProgramFunctions.add(name)
    do {
      try body(connection)
    } catch let error as SQLiteError {
      throw RequestError.notRegistered(kind, name, error)
    }
  }
}

/// The rows of one group, for closures.
private final class ValuesOfGroup: AggregateState {
  private let body: (step: ([Value]) throws -> Void, result: () throws -> Value)

  init(_ body: (step: ([Value]) throws -> Void, result: () throws -> Value)) { self.body = body }

  func step(_ arguments: FunctionArguments) throws { try body.step(arguments.values()) }
  func value() throws -> FunctionResult { FunctionResult(try body.result()) }
}

extension FunctionArguments {
  /// Throws if a text is not UTF-8, which no Swift text can hold.
  fileprivate func values() throws -> [Value] {
    try (0..<count).map { index in
      let value = self[index]
      switch value.type {
      case .integer: return .integer(value.integer)
      case .real: return .real(value.real)
      case .null: return .null
      case .blob: return .blob(Array(value.blobBytes))
      case .text:
        let text = value.textBytes.withMemoryRebound(to: UInt8.self) { String(validUTF8: $0) }
        guard let text else { throw QueryDecodingError(.dataCorrupted, column: index, expected: "text in UTF-8") }
        return .text(text)
      }
    }
  }
}

extension FunctionResult {
  fileprivate init(_ value: Value) {
    self =
      switch value {
      case .null, .rows: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let blob): .blob(blob)
      }
  }
}
