/// Every macro is used from other files and other modules than its type's, whatever the compiler looks at first.
///
/// Always true: each use is compiled once as the first that the compiler sees of a type, alone in its file, and once
/// among all others.
import Foundation
import MartletTestSupport
import Testing

@Suite struct AcrossFilesTests {
  /// As debug builds do it, one file at a time.
  @Test func `a macro's type is used first in any file`() async throws {
    let program = try TwoModules()
    try #require(program.uses.count >= 30)
    let complaints = try await withThrowingTaskGroup(of: String?.self) { group in
      for (place, use) in program.uses.enumerated() {
        // Two at a time.
        if place > 1, let complaint = try await group.next() ?? nil { return [complaint] }
        group.addTask { try program.complaint(aboutFileOf: use, isFirst: place.isMultiple(of: 2)) }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(complaints == [])
  }

  /// As debug builds do it with many files, and as release builds do it, from either end.
  @Test(arguments: [false, true], [false, true])
  func `macros are used across files and modules in any order`(isWhole: Bool, isReversed: Bool) throws {
    let program = try TwoModules()
    #expect(try program.complaint(aboutAll: isWhole, isReversed: isReversed) == nil)
  }

  @Test func `a use that is wrong is reported`() throws {
    let program = try TwoModules()
    let wrong = TwoModules.Use(name: "Wrong", text: "let query = Book.select { ShelfRow.Columns(title: $0.id) }\n")
    #expect(try program.complaint(aboutFileOf: wrong, isFirst: true) != nil)
  }
}
