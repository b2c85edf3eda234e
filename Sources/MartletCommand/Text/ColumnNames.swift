import MartletValues

/// The names that a file gives its columns, in their order.
///
/// Always true: they can be those of one table of SQLite's, which does not tell letters of ASCII in one case from those
/// in the other and has a limit for the number of columns.
struct ColumnNames {
  private(set) var names: [String] = []
  /// The places of the names by their bytes, with the letters of ASCII in lower case.
  private var places: [[UInt8]: Int] = [:]

  /// Adds a name; returns what is wrong with it, and does not add it then.
  mutating func add(_ name: String) -> String? {
    if name.isEmpty { return "this column has no name. Name it." }
    if name.utf8.contains(0) { return "this name holds a zero byte, as files in UTF-16 do. Convert the file to UTF-8." }
    let folded = Array(name.lowercasedASCII.utf8)
    if let place = places[folded] {
      return "there is a column \(CellText.escaped(names[place])) already. Give this one another name."
    }
    guard names.count < CommandLimits.columnsMax else {
      return "these are more than the \(CommandLimits.columnsMax) columns that a table may have. Leave some out."
    }
    places[folded] = names.count
    names.append(name)
    return nil
  }
}
