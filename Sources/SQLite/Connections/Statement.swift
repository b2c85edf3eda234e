internal import Foundation
internal import MartletDatabase
internal import MartletQuery
internal import MartletValues

/// A statement of SQL that the program wrote, with values for its parameters.
///
/// ```swift
/// let statement = try db.prepare("INSERT INTO users (email) VALUES (?)")
/// for email in emails { try statement.run(email) }
/// ```
///
/// Always true: running it again begins anew; its rows are read while they come.
// Unchecked because what changes is touched only while its connection is kept for it.
public final class Statement: @unchecked Sendable {
  private let connection: Connection
  private let text: StatementText
  private var values: [SQLValue] = []
  /// Why the values cannot be bound; whoever runs the statement throws it.
  private var failure: String?
  private var rows: ValueRows?
  private var current: [SQLValue] = []
  private var names: [String]?

  init(_ connection: Connection, _ sql: String) throws {
    self.connection = connection
    text = StatementText(sql)
    if let refusal = text.refusal { throw Result.error(message: refusal, code: 1, statement: nil) }
    values = [SQLValue](repeating: .null, count: text.parameters.count)
    names = try connection.description(of: text)?.columns.map(\.name)
  }

  /// A statement that failed, for the error that tells of it. It can be run again.
  init(failed node: Node, _ connection: Connection) {
    self.connection = connection
    text = StatementText(node.printed.text)
    values = [SQLValue](repeating: .null, count: text.parameters.count)
  }

  // SQLite's statement is let go of while nobody else uses the connection.
  // One that has none waits for nobody: it may belong to an error that some other thread lets go of.
  deinit { if let rows { connection.exclusively { rows.finish() } } }

  // MARK: - Values

  /// Binds values in the order of the parameters. Running it throws `Result` if they are not as many.
  @discardableResult
  public func bind(_ values: (any Binding)?...) -> Statement { bind(values) }

  /// Binds values in the order of the parameters. Running it throws `Result` if they are not as many.
  @discardableResult
  public func bind(_ values: [(any Binding)?]) -> Statement {
    connection.exclusively {
      restart()
      let count = text.parameters.count
      failure = values.isEmpty || values.count == count ? nil : "\(count) values expected, \(values.count) passed."
      for index in 0..<count { self.values[index] = index < values.count ? SQLValue(values[index]) : .null }
    }
    return self
  }

  /// Binds values by the names of their parameters, with or without the sign before them. Running it throws `Result` if
  /// there is no such parameter.
  @discardableResult
  public func bind(_ values: [String: (any Binding)?]) -> Statement {
    connection.exclusively {
      restart()
      failure = nil
      for (name, value) in values {
        if let index = text.index(of: name) {
          self.values[index] = SQLValue(value)
        } else {
          failure = "There is no parameter \(name) in the statement."
        }
      }
    }
    return self
  }

  // MARK: - Running

  /// Runs the statement to its end. Throws `Result`.
  @discardableResult
  public func run(_ bindings: (any Binding)?...) throws -> Statement {
    try bindings.isEmpty ? execute() : bind(bindings).execute()
  }

  /// Runs the statement to its end. Throws `Result`.
  @discardableResult
  public func run(_ bindings: [(any Binding)?]) throws -> Statement { try bind(bindings).execute() }

  /// Runs the statement to its end. Throws `Result`.
  @discardableResult
  public func run(_ bindings: [String: (any Binding)?]) throws -> Statement { try bind(bindings).execute() }

  private func execute() throws -> Statement {
    try connection.exclusively {
      restart()
      while try step() {}
    }
    return self
  }

  /// The first value of the first row; nil if it is NULL, and if there is no row. Throws `Result`.
  public func scalar(_ bindings: (any Binding)?...) throws -> (any Binding)? {
    try bindings.isEmpty ? first() : bind(bindings).first()
  }

  /// The first value of the first row. Throws `Result`.
  public func scalar(_ bindings: [(any Binding)?]) throws -> (any Binding)? { try bind(bindings).first() }

  /// The first value of the first row. Throws `Result`.
  public func scalar(_ bindings: [String: (any Binding)?]) throws -> (any Binding)? { try bind(bindings).first() }

  private func first() throws -> (any Binding)? {
    try connection.exclusively {
      restart()
      defer { restart() }
      return try step() ? current.first?.binding : nil
    }
  }

  /// Goes to the next row; false after the last. Throws `Result`.
  public func step() throws -> Bool {
    try connection.exclusively {
      let row = try connection.call(self, writes: rows == nil) { database in
        if rows == nil {
          try connection.checkMayRun(isRead: isRead)
          rows = try database.rows(of: text.serialized(values, failure))
        }
        return try rows?.next()
      }
      if names == nil, let rows { names = rows.columns.map(\.name) }
      current = row ?? []
      return row != nil
    }
  }

  private var isRead: Bool { SQLTokens.looksLikeQuery(text.sql) }

  /// Begins anew with the next row that is asked for.
  public func reset() { connection.exclusively { restart() } }

  private func restart() {
    rows?.finish()
    rows = nil
    current = []
  }

  // MARK: - Rows

  /// How many columns a row has; at a server it is known when the first row was asked for.
  public var columnCount: Int { columnNames.count }

  /// What the columns are called; at a server they are known when the first row was asked for.
  public var columnNames: [String] { connection.exclusively { names ?? [] } }

  /// The row that `step` went to.
  public var row: Cursor { connection.exclusively { Cursor(values: current) } }

  /// The values of the next row; nil after the last. Throws `Result`.
  public func failableNext() throws -> [(any Binding)?]? {
    try connection.exclusively { try step() ? current.map(\.binding) : nil }
  }

  /// Rows that are asked for columns by their names.
  public func prepareRowIterator() throws -> RowIterator {
    try connection.exclusively {
      restart()
      return try RowIterator(connection) {
        text.serialized(values, failure)
      } shape: {
        RowLayout($0, selected: nil, tables: [])
      } failed: { [weak self] _ in
        self
      }
    }
  }
}

extension Statement: Sequence, IteratorProtocol, FailableIterator {
  /// Begins anew.
  public func makeIterator() -> Statement {
    reset()
    return self
  }

  /// The values of the next row; nil after the last. Ends the program if `failableNext` would throw, with its
  /// error's sentence.
  public func next() -> [(any Binding)?]? {
    do { return try failableNext() } catch {
      // It ends here because a sequence cannot throw, and ending the rows early would hide some.
      fatalError("\(error) Use `failableNext` where this can happen.")
    }
  }
}

extension Statement: CustomStringConvertible {
  /// The statement's SQL.
  public var description: String { text.sql }
}

/// The values of the row that a statement is at, by their places from 0.
public struct Cursor: Sendable {
  let values: [SQLValue]

  public subscript(index: Int) -> Double { Double._binding(from: stored(index)) ?? 0 }
  public subscript(index: Int) -> Int64 { Int64._binding(from: stored(index)) ?? 0 }
  public subscript(index: Int) -> Int { Int._binding(from: stored(index)) ?? 0 }
  public subscript(index: Int) -> Bool { Bool._binding(from: stored(index)) ?? false }
  public subscript(index: Int) -> String { String._binding(from: stored(index)) ?? "" }
  public subscript(index: Int) -> Blob { Blob._binding(from: stored(index)) ?? Blob(bytes: []) }

  /// The value itself; nil for NULL, and if there is no such column.
  public subscript(index: Int) -> (any Binding)? { stored(index).value.binding }

  private func stored(_ index: Int) -> _StoredValue {
    _StoredValue(value: values.indices.contains(index) ? values[index] : .null)
  }
}
