import MartletEngine
import MartletQuery
import MartletSQLite
import MartletValues

/// Functions written in Swift on a connection of this process.
///
/// Always true: arguments are decoded as rows are, in the order of the call.
extension EmbeddedConnection {
  func add(_ function: any DatabaseFunction) throws {
    ProgramFunctions.add(function.name)
    let signature = FunctionSignature(
      function.name, argumentCount: function.argumentCount, isDeterministic: function.isDeterministic)
    do throws(SQLiteError) {
      switch function {
      case let scalar as any ScalarDatabaseFunction: try register(scalar, signature)
      case let aggregate as any AggregateDatabaseFunction: try register(aggregate, signature)
      default:
        throw SQLiteError(extendedCode: SQLiteCode.misuse, message: "")
      }
    } catch {
      throw RequestError.functionNotRegistered(function.name, error)
    }
  }

  func remove(_ function: any DatabaseFunction) throws {
    do {
      try connection.unregister(FunctionSignature(function.name, argumentCount: function.argumentCount))
    } catch {
      throw RequestError.functionInUse(function.name, error)
    }
  }

  private func register(
    _ function: some ScalarDatabaseFunction, _ signature: FunctionSignature
  ) throws(SQLiteError) {
    try connection.register(signature) { arguments in
      var decoder = ArgumentDecoder(arguments)
      return try FunctionResult(function.invoke(&decoder))
    }
  }

  private func register(
    _ function: some AggregateDatabaseFunction, _ signature: FunctionSignature
  ) throws(SQLiteError) {
    let memory = groupMemory
    try connection.registerAggregate(signature, slides: true) { GroupOfRows(function, memory) }
  }
}

extension FunctionResult {
  init(_ binding: QueryBinding) throws {
    self =
      switch try binding.bound() {
      case .null, .rows: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let blob): .blob(blob)
      }
  }
}

/// The arguments of a call, one after the other.
struct ArgumentDecoder: QueryDecoder {
  private let arguments: FunctionArguments
  private var index = 0

  init(_ arguments: FunctionArguments) { self.arguments = arguments }

  private mutating func next(_ expected: String) throws -> MartletSQLite.RowValue {
    guard index < arguments.count else {
      throw QueryDecodingError(.noMoreColumns, column: index, expected: expected)
    }
    defer { index += 1 }
    return arguments[index]
  }

  private func wrong(_ expected: String) -> QueryDecodingError {
    QueryDecodingError(.dataCorrupted, column: index - 1, expected: expected)
  }

  mutating func decode(_ type: Int64.Type) throws -> Int64? {
    let value = try next("integer")
    switch value.type {
    case .integer: return value.integer
    case .null: return nil
    case .real:
      guard let exact = Int64(exactly: value.real) else { throw wrong("integer") }
      return exact
    case .text, .blob: throw wrong("integer")
    }
  }

  mutating func decode(_ type: Double.Type) throws -> Double? {
    let value = try next("number")
    switch value.type {
    case .real: return value.real
    case .integer: return Double(value.integer)
    case .null: return nil
    case .text, .blob: throw wrong("number")
    }
  }

  mutating func decode(_ type: String.Type) throws -> String? {
    let value = try next("text in UTF-8")
    switch value.type {
    case .text:
      let text = value.textBytes.withMemoryRebound(to: UInt8.self) { String(validUTF8: $0) }
      guard let text else { throw wrong("text in UTF-8") }
      return text
    case .null: return nil
    case .integer, .real, .blob: throw wrong("text in UTF-8")
    }
  }

  mutating func decode(_ type: [UInt8].Type) throws -> [UInt8]? {
    let value = try next("bytes")
    switch value.type {
    case .blob, .text: return Array(value.blobBytes)
    case .null: return nil
    case .integer, .real: throw wrong("bytes")
    }
  }

  mutating func skipNulls(_ count: Int) throws -> Bool {
    guard index + count <= arguments.count else { throw QueryDecodingError(.noMoreColumns, column: index) }
    for place in index..<index + count where arguments[place].type != .null { return false }
    index += count
    return true
  }
}
