/// Paths of one document: which of them may write the same byte.
import Testing

@testable import MartletSQLite

@Suite struct DocumentPathsTests {
  @Test func `members beside each other have no byte in common, and a member and what it is in have`() {
    let table: [([String?], Int)] = [
      ([], 0), (["$"], 1), (["$.a", "$.b", "c", "$[1]"], 1), (["$.a", "a", "$.\"a\""], 3), (["$[0]", "0", "[00]"], 3),
      (["$", "$.a", "$.a.b", "$.a.c"], 3), (["$.a.b", "$.a.c", "$.a"], 2), (["$.a", nil, "$.b", "$[#-1]"], 3),
      (["$.a", "$.\\u0061"], 2),
    ]
    for (asked, most) in table {
      var paths = DocumentPaths()
      for path in asked { paths.ask(for: path) }
      #expect(paths.most == most, "\(paths.most) of \(asked)")
    }
  }
}
