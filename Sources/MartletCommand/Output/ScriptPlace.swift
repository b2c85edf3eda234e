/// Where in a script something stands, as errors name it.
enum ScriptPlace {
  /// `line 2: `, or `more.sql, line 2: ` in a file that has a name.
  static func of(line: Int, in file: String?) -> String {
    (file.map { CellText.escaped($0) + ", " } ?? "") + "line \(line): "
  }

  /// The same for something that takes several lines.
  static func of(lines: ClosedRange<Int>, in file: String?) -> String {
    guard lines.count > 1 else { return of(line: lines.lowerBound, in: file) }
    return (file.map { CellText.escaped($0) + ", " } ?? "") + "lines \(lines.lowerBound) to \(lines.upperBound): "
  }
}
