public import Foundation
public import MartletValues

/// Why a row's value cannot be what the program asked for.
///
/// Always true: the message names the column and the types, never the value.
public struct RowDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The column's name; empty if the row has no such position.
  public var column: String

  /// The column's position, counted from 0; nil if the row has no such column.
  public var position: Int?
  public var message: String

  /// What a type's own `init(from:)` threw. It may hold the value, so it is no part of the message.
  public var underlying: (any Error)?

  public init(column: String, position: Int?, _ message: String, underlying: (any Error)? = nil) {
    self.column = column
    self.position = position
    self.message = message
    self.underlying = underlying
  }

  public static func == (left: RowDecodingError, right: RowDecodingError) -> Bool {
    left.column == right.column && left.position == right.position && left.message == right.message
  }

  public var description: String { message }
}

/// What `RowValue.read` throws; a row adds the name of the column.
public enum RowValueMismatch: Error, Sendable, Equatable {
  /// The value is NULL.
  case null(expected: String)
  /// The value has another of SQLite's types.
  case kind(found: ColumnValues.Kind, expected: String)
  /// The value is of the right type and outside of what the Swift type can hold.
  case outOfRange(expected: String)
  /// The value is text and not UTF-8.
  case invalidText
  /// The value is text of another form, such as a date that is none.
  case form(expected: String)

  /// The message's second half, behind the column's name.
  @usableFromInline
  var predicate: String {
    switch self {
    case .null(let expected): "is NULL where \(expected) is expected. Ask for an optional"
    case .kind(let found, let expected): "holds \(found.noun) where \(expected) is expected"
    case .outOfRange(let expected): "holds a number that \(expected) cannot hold"
    case .invalidText: "holds text that is not UTF-8. Read it as bytes"
    case .form(let expected): "holds text that is not \(expected)"
    }
  }
}

extension ColumnValues.Kind {
  fileprivate var noun: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "text"
    case .blob: "a blob"
    case .mixed: "mixed values"
    }
  }
}

extension RowDecodingError: LocalizedError {
  /// The error's sentence.
  public var errorDescription: String? { description }
}

extension RowValueMismatch: LocalizedError, CustomStringConvertible {
  /// The error's sentence.
  public var description: String { "The value \(predicate)." }
  public var errorDescription: String? { description }
}
