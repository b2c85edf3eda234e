/// What the virtual tables cost that a statement opens, in parts of an operator.
///
/// Always true: tables are known by what a program calls them, which is the same for all statements of a connection.
struct VirtualTableCosts {
  /// The names of those that list the members of a document.
  static let lists = ["json_each", "json_tree"]

  /// What a program calls them.
  var lists: Set<String> = []
  /// What cutting a text into words costs; of other tables it is `SQLiteLimits.wordParts`.
  var words: [String: Int] = [:]
  /// The same for tables of which nobody knows what a program calls them.
  var unknownWords = SQLiteLimits.wordParts

  static func words(of table: VirtualTable) -> Int {
    let parts = SQLiteLimits.wordParts
    guard table.isFullText else { return parts }
    return table.hasTrigrams
      ? parts * SQLiteLimits.trigramFactor * (1 + table.prefixes)
      : parts * (1 + SQLiteLimits.prefixFactor * table.prefixes)
  }

  func words(of update: Instruction) -> Int { words[update.text] ?? unknownWords }

  /// The registers of the texts that are cut. A full-text table has the old and the new number of the row before them,
  /// and two columns behind them that are hidden.
  func texts(of update: Instruction) -> ArraySlice<Int> {
    let all = InstructionReads.inputs(of: update)
    return words[update.text] == nil ? all[...] : all.dropFirst(2).dropLast(2)
  }

  /// What reading a column costs. These tables write a member anew for each that asks for it.
  func reading(_ column: Int, of table: String) -> Int {
    guard lists.contains(table) else { return SQLiteLimits.columnParts }
    return Self.shortColumnsOfLists.contains(column) ? 0 : SQLiteLimits.memberParts
  }

  /// The type of a member, its number and its parent's.
  private static let shortColumnsOfLists: Set<Int> = [2, 4, 5]
}
