/// The picture of docs/ARCHITECTURE.md is the one that Package.swift draws, and no arrow of it goes up.
import Foundation
import Testing

@Suite struct LayeringTests {
  typealias Row = (level: Int, module: String, imports: Set<String>)

  static let picture = read(ProjectFiles.markdown.first { $0.path == "docs/ARCHITECTURE.md" }?.lines ?? [])

  /// The table of docs/ARCHITECTURE.md: level, module, and what it imports.
  private static func read(_ lines: [String]) -> [Row] {
    lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count >= 4, let level = Int(cells[0]) else { return nil }
      let imports = cells[3].matches(of: /`(\w+)`/).map { String($0.1) }
      return (level, cells[1].replacingOccurrences(of: "`", with: ""), Set(imports))
    }
  }

  /// The modules that a module imports from its own level or above; those without a row are no modules of ours.
  private static func upward(from row: Row, in picture: [Row]) -> [String] {
    row.imports.filter { imported in
      guard let below = picture.first(where: { $0.module == imported }) else { return true }
      return !(below.level < row.level || (below.level == 0 && row.level == 0))
    }.sorted()
  }

  @Test func `the picture names the modules of the manifest`() {
    let others: Set<String> = ["MartletTestSupport", "MartletBenchmarks", "MartletQueryBenchmarks", "CAllocations"]
    let products = Manifest.modules.keys.filter { !others.contains($0) }
    #expect(Set(Self.picture.map(\.module)) == Set(products))
  }

  @Test(arguments: picture.map(\.module))
  func `each module imports what the picture says`(module: String) throws {
    let row = try #require(Self.picture.first { $0.module == module })
    #expect(row.imports == Manifest.modules[module])
  }

  @Test(arguments: picture.map(\.module))
  func `no arrow goes up`(module: String) throws {
    let row = try #require(Self.picture.first { $0.module == module })
    #expect(Self.upward(from: row, in: Self.picture) == [])
  }

  @Test func `an arrow that goes up, or to the same level, is found`() {
    let picture = Self.read([
      "| 0 | `CA` | c | |", "| 1 | `A` | a | `CA`, `B` |", "| 1 | `B` | b | `CA`, `C` |", "| 2 | `C` | c | `A`, `B` |",
    ])
    #expect(picture.map { Self.upward(from: $0, in: picture) } == [[], ["B"], ["C"], []])
  }

  @Test func `no product imports the test support`() {
    for (module, imports) in Manifest.modules where module != "MartletTestSupport" {
      #expect(!imports.contains("MartletTestSupport"), "\(module)")
    }
  }
}
