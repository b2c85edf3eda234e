/// One column of a table, as SQLite and the schema need to know it.
public struct ColumnDescription: Sendable {
  /// The name in the database.
  public var name: String
  /// The representation of its values.
  public var valueType: any (QueryRepresentable.Type)
  /// It is the key, or a part of it.
  public var isPrimaryKey: Bool
  /// SQLite computes it; it is read and never written.
  public var isGenerated: Bool
  /// The database fills it in if a draft does not have it.
  public var isLazyInitializable = false
  /// The way from the row's JSON to the column's value.
  var members: [JSONMember]
  /// The Swift property, after those of the groups that hold it: what a `Codable` conformance calls it.
  public var property: [String] { members.map(\.name) }
  /// Set on a row's first column: some of the row's columns have other names than in the groups that hold them.
  var hasNamesakes = false
  /// It is stored in SQLite's binary JSON, and read as text.
  var isBinaryJSON: Bool
  /// SQLite keeps what it computed; otherwise it computes it whenever it is read.
  public var isStored: Bool
  /// It may hold NULL.
  public var isOptional: Bool
  /// The column's default in `createTable`; nil: none.
  public var defaultValue: QueryFragment?

  /// - Parameter property: the property's name, if it is not the column's.
  public init<Value: QueryRepresentable>(
    _ name: String, _ valueType: Value.Type, primaryKey: Bool = false, generated: Bool = false, stored: Bool = false,
    default defaultValue: QueryFragment? = nil, property: String? = nil
  ) {
    self.name = name
    self.valueType = valueType
    members = [JSONMember(name: property ?? name)]
    isPrimaryKey = primaryKey
    isGenerated = generated
    isBinaryJSON = Value.QueryUnwrapped.isBinaryJSON
    isStored = stored
    isOptional = Value.self == Value.QueryOptional.self
    self.defaultValue = defaultValue
  }
}

extension StatementFragment {
  /// The same rows, with REALs in those columns that a program takes for them: a common table and a view have columns
  /// without a type, so nothing but the value tells SQLite how to calculate with it.
  func withReals(in columns: [ColumnDescription]) -> StatementFragment {
    let areReal = columns.map { $0.valueType.sqlType == "REAL" }
    return areReal.contains(true) ? StatementFragment(tree.withReals(areReal)) : self
  }
}
