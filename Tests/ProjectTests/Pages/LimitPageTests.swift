import Foundation
import Testing

@Suite struct LimitPageTests {
  @Test func `the page of limits is fresh`() throws {
    let page = LimitPage.text()
    if ProcessInfo.processInfo.environment["MARTLET_WRITE_PAGES"] != nil {
      try page.write(to: LimitPage.path, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: LimitPage.path, encoding: .utf8)
    let lines = zip(page.components(separatedBy: "\n"), committed.components(separatedBy: "\n"))
    let difference = lines.first { $0 != $1 }
    #expect(difference == nil && page.count == committed.count, "write it anew: see the top of the page")
  }

  @Test func `each limit says what it means`() {
    #expect(LimitPage.withoutMeaning(ProjectFiles.sources).isEmpty, "give each a comment of its own")
  }

  @Test func `a comment speaks of what follows it at once, if it has its paragraph to itself`() {
    let file = ProjectFiles.File(
      path: "Sources/A/ALimits.swift",
      lines: [
        "enum ALimits {", "  /// At first, and", "  /// at most.", "  static let first = 1", "  static let most = 2",
        "",
        "  static let apart = 3", "", "  /// Of one.", "  static let one = 4", "  static let nobodys = 5",
        "  /// Of another.", "  static let another = 6", "", "  // Only a remark.", "  static let remarked = 7", "}",
      ])
    #expect(
      LimitPage.entries(of: file).map(\.meaning) == [
        "At first, and at most.", "As above.", "", "Of one.", "", "Of another.", "",
      ])
    #expect(
      LimitPage.withoutMeaning([file]) == ["apart", "nobodys", "remarked"].map { "Sources/A/ALimits.swift: \($0)" })
    let other = ProjectFiles.File(path: "Sources/A/Numbers.swift", lines: file.lines)
    #expect(LimitPage.withoutMeaning([other]).isEmpty)
  }

  @Test func `a declaration becomes a line, with its unit and what stands above it`() {
    let file = ProjectFiles.File(
      path: "Sources/A/ALimits.swift",
      lines: [
        "/// Of A.", "enum ALimits {", "  /// The longest,", "  /// in all.", "  static let sizeBytesMax = 16 << 10",
        "",
        "  public var waitMs = 15 * 60_000", "  public var pause = Duration.seconds(5)",
        "  static let half: UInt64 = 4_096", "  public var rowBytesMax: Int { frameBytesMax - 2 * rowBatchBytes }",
        "  public var name = \"a-b\"", "  private let other = Other()", "}",
      ])
    #expect(
      LimitPage.entries(of: file) == [
        .init(name: "sizeBytesMax", value: "16 KiB", unit: "bytes", meaning: "The longest, in all."),
        .init(name: "waitMs", value: "`15 * 60_000`", unit: "ms", meaning: ""),
        .init(name: "pause", value: "5 seconds", unit: "", meaning: ""),
        .init(name: "half", value: "4,096", unit: "", meaning: ""),
        .init(name: "rowBytesMax", value: "`frameBytesMax - 2 * rowBatchBytes`", unit: "bytes", meaning: ""),
      ])
  }

  @Test func `limits that are set otherwise in one place become lines there`() {
    let lines = [
      "/// Of A.", "extension Limits {", "  /// Those of A.", "  init(of a: A) {", "    self.init()",
      "    // As elsewhere.",
      "    sizeBytesMax = 16 << 10", "    rowsMax = .max", "    cacheBytes = a.cacheBytes", "  }", "}",
    ]
    #expect(
      LimitPage.entries(of: ProjectFiles.File(path: "Sources/A/Limits+A.swift", lines: lines)) == [
        .init(name: "sizeBytesMax", value: "16 KiB", unit: "bytes", meaning: "As elsewhere."),
        .init(name: "rowsMax", value: "`.max`", unit: "", meaning: "As in `Limits.swift`."),
      ])
    #expect(LimitPage.entries(of: ProjectFiles.File(path: "Sources/A/ALimits.swift", lines: lines)).isEmpty)
  }
}
