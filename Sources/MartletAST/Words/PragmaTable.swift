import MartletValues

/// The tables that SQLite has for pragmas that read.
enum PragmaTable {
  /// Whether it is called as one: `pragma_table_info`.
  static func isCalled(_ name: String) -> Bool { name.lowercasedASCII.hasPrefix("pragma_") }
}
