public import Foundation

/// Why a row has no such value: it lacks the column, several columns have the name, or the value is of another type.
public enum QueryError: Error, Sendable, Equatable {
  /// No table and no column is called so.
  case noSuchTable(name: String)
  /// The row has no column of this name; `columns` are those that it has.
  case noSuchColumn(name: String, columns: [String])
  /// Several columns have the name; `similar` are the names that tell them apart.
  case ambiguousColumn(name: String, similar: [String])
  /// The column is NULL, or of another type than the expression says.
  case unexpectedNullValue(name: String)
  /// A value that its type does not take, and why.
  case unexpectedValue(String)
}

extension QueryError: CustomStringConvertible, LocalizedError {
  /// For people, with what to do.
  public var description: String {
    switch self {
    case .noSuchTable(let name):
      return "There is no table \(name) in the query. Ask for columns of tables that it names."
    case .noSuchColumn(let name, let columns):
      return
        "There is no column \(name) in the row, which has: \(Self.list(columns)). Select it, or ask for one of these."
    case .ambiguousColumn(let name, let similar):
      return "Several columns are called \(name). Say which one: \(Self.list(similar))."
    case .unexpectedNullValue(let name):
      return
        "The column \(name) is NULL here, or of another type. Make its expression's type optional, or change the type."
    case .unexpectedValue(let reason): return reason
    }
  }

  public var errorDescription: String? { description }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
