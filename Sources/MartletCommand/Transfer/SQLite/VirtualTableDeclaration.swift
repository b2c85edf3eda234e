/// What the statement that made a virtual table says of its rows.
///
/// Always true: only what decides how rows are copied is read; the statement itself goes to the other side as it is.
struct VirtualTableDeclaration {
  var module: String
  /// The value of the `content` option; nil if there is none.
  var content: String?

  init(sql: String) {
    let lower = sql.lowercased()
    guard let using = lower.firstRange(of: " using ") ?? lower.firstRange(of: "\nusing ") else {
      module = ""
      return
    }
    let rest = lower[using.upperBound...].drop { $0.isWhitespace }
    module = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    for argument in rest.drop(while: { $0 != "(" }).dropFirst().split(separator: ",") {
      let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, sides[0].trimmed == "content" else { continue }
      content = sides[1].trimmed.filter { !"'\"`[])".contains($0) }
    }
  }

  /// Modules whose tables show what another table or the file holds, and take no rows.
  private static let derivedModules: Set<String> = ["fts5vocab", "fts4aux", "fts3tokenize", "dbstat"]

  var fill: DatabaseSchema.Fill {
    if Self.derivedModules.contains(module) { return .derived }
    guard module.hasPrefix("fts"), let content else { return .copied }
    if content.isEmpty {
      return .impossible(reason: "it is a full-text index without content, whose rows cannot be read back")
    }
    return .rebuilt
  }

  /// Full-text tables give their rows a rowid that is no column; an R-tree's is its first column.
  var hasHiddenRowID: Bool { module.hasPrefix("fts") }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
