import MartletAST
public import MartletQuery
import MartletValues

/// A row of SQL whose columns are asked for by their names, if no type says what they are:
///
/// ```swift
/// for row in try Row.fetchAll(db, sql: "SELECT title, price FROM items") {
///   let title: String = try row["title"]
///   let price: Double? = try row["price"]
/// }
/// ```
///
/// Always true: a column that is not there, or holds something else than is asked for, is an error.
public struct Row: Sendable {
  /// The names of the columns, in the order of the result.
  public let columnNames: [String]
  private let values: [Value]

  init(columnNames: [String], values: [Value]) {
    self.columnNames = columnNames
    self.values = values
  }

  /// How many columns the row has.
  public var count: Int { values.count }

  /// Whether a column is called so; capitals do not count.
  public func hasColumn(_ name: String) -> Bool { index(of: name) != nil }

  private func index(of name: String) -> Int? {
    columnNames.firstIndex(of: name) ?? columnNames.firstIndex { $0.lowercased() == name.lowercased() }
  }

  /// The value of the first column of the name. Throws `QueryDecodingError` if there is none, or it holds something
  /// else.
  public subscript<Value: QueryRepresentable>(_ name: String) -> Value where Value.QueryOutput == Value {
    get throws {
      guard let index = index(of: name) else {
        var error = QueryDecodingError(.noMoreColumns, expected: "column called \(name)")
        error.name = "\"\(name)\""
        throw error
      }
      return try self[index]
    }
  }

  /// The value of a column, counted from 0. Throws `QueryDecodingError` if there is none, or it holds something
  /// else.
  public subscript<Value: QueryRepresentable>(_ index: Int) -> Value where Value.QueryOutput == Value {
    get throws {
      var batch = RowBatch(columnCount: 1)
      if values.indices.contains(index) { batch.append([values[index]]) }
      var decoder = RowDecoder(batch: batch)
      do { return try Value(decoder: &decoder) } catch {
        guard var error = decoder.explain(error) as? QueryDecodingError else { throw error }
        error.column = index
        if columnNames.indices.contains(index) { error.name = "\"\(columnNames[index])\"" }
        throw error
      }
    }
  }
}

extension Row {
  /// All rows of one statement of SQL. Throws as a statement's `fetchAll` does.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> [Row] {
    try fetchCursor(db, sql: sql, arguments: arguments).all()
  }

  /// The first row, or nil if there is none. Throws as a statement's `fetchAll` does.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> Row? {
    try fetchCursor(db, sql: sql, arguments: arguments).next()
  }

  /// The rows one at a time. Throws as a statement's `fetchAll` does, the cursor if a later row is at fault.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> QueryCursor<Row> {
    try cursor(db, SerializedStatement(.raw(sql), parameters: try arguments.parameters(of: sql)))
  }

  static func fetchAll(_ db: Database, _ statement: SerializedStatement) throws -> [Row] {
    try cursor(db, statement).all()
  }

  private static func cursor(_ db: Database, _ statement: SerializedStatement) throws -> QueryCursor<Row> {
    let rows = try db.rows(of: statement)
    var names: [String] = []
    return QueryCursor {
      rows.finish()
    } advance: {
      guard let values = try rows.next() else { return nil }
      if names.isEmpty { names = rows.columns.map(\.name) }
      return Row(columnNames: names, values: values)
    }
  }
}
