/// A parameter that stands for the value of a table's column: what the column is set to, or is compared with.
public struct ParameterColumn: Sendable, Hashable {
  /// Counted from 1.
  public var parameter: Int
  /// Which of a list parameter's columns, counted from 0; 0 for a plain list and for a single value.
  public var member: Int
  /// Table and column, in small letters of ASCII.
  public var table: String
  public var column: String

  public init(parameter: Int, member: Int, table: String, column: String) {
    self.parameter = parameter
    self.member = member
    self.table = table
    self.column = column
  }
}
