public import MartletValues

/// What validation learned about a tree while it walked over it.
///
/// Always true: an index is either of one value or of one list of one width, never both.
public struct StatementFacts: Sendable, Equatable {
  /// The highest index of a parameter node.
  public var parameterCount = 0
  /// The list parameters by index, with the width of their rows (1 for a plain list).
  public var listParameters: [Int: Int] = [:]
  public var access = StatementAccess.read
  public var holdsRaw = false
  public var returnsRows = false
  /// It writes one row, as far as the tree shows, and SQLite looks at all of that before it changes anything.
  public var insertsOneRow = false
  /// The permissions that running it needs: for rows, wherever in the tree it uses them, for the schema, and for raw
  /// text, which can do anything with rows.
  public var needs: Permissions = []
  /// A RIGHT or FULL JOIN stands somewhere in it.
  var hasRightJoin = false

  /// Under rules for tables: a condition may fail with some values and not with others.
  var mayFail = false
  /// What a tree under rules for tables names.
  var reach = TreeReach()
  var valueDemands = ValueDemands()
  /// The names that a tree under rules for tables gives to columns, in lower case.
  var columnNames: Set<String> = []

  /// The widths seen at each index; 0 for a single value.
  var widths: [Int: Int] = [:]
}
