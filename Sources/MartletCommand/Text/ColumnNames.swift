/// What is wrong with the names that a file gives its columns.
///
/// Always true: names that pass can be those of one table of SQLite's, which does not tell letters of ASCII in one case
/// from those in the other.
enum ColumnNames {
  /// Nil: nothing is wrong with the name behind those.
  static func problem(of name: String, after others: [String]) -> String? {
    if name.isEmpty { return "this column has no name. Name it." }
    if name.utf8.contains(0) { return "this name holds a zero byte, as files in UTF-16 do. Convert the file to UTF-8." }
    guard let same = others.first(where: { folded($0) == folded(name) }) else { return nil }
    return "there is a column \(CellText.escaped(same)) already. Give this one another name."
  }

  private static func folded(_ name: String) -> [UInt8] { name.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 } }
}
