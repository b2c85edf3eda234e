/// The picture of docs/ARCHITECTURE.md is the one that Package.swift draws, and no arrow of it goes up.
import Foundation
import Testing

@Suite struct LayeringTests {
  /// The table of docs/ARCHITECTURE.md: level, module, and what it imports.
  static let picture: [(level: Int, module: String, imports: Set<String>)] = {
    let page = ProjectFiles.markdown.first { $0.path == "docs/ARCHITECTURE.md" }
    return (page?.lines ?? []).compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count >= 4, let level = Int(cells[0]) else { return nil }
      let imports = cells[3].matches(of: /`(\w+)`/).map { String($0.1) }
      return (level, cells[1].replacingOccurrences(of: "`", with: ""), Set(imports))
    }
  }()

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
    for imported in row.imports {
      let below = try #require(Self.picture.first { $0.module == imported })
      #expect(below.level < row.level || (below.level == 0 && row.level == 0), "\(module) imports \(imported)")
    }
  }

  @Test func `no product imports the test support`() {
    for (module, imports) in Manifest.modules where module != "MartletTestSupport" {
      #expect(!imports.contains("MartletTestSupport"), "\(module)")
    }
  }
}
