/// What Package.swift says that each module may import.
///
/// The compiler itself lets a module import whatever the modules below it import, so the rule here is what holds.
import Foundation

enum Manifest {
  private static let declarations: [(name: String, text: Substring)] = {
    let target = try? NSRegularExpression(
      pattern:
        "\\.(systemLibrary|target|macro|executableTarget)\\(\\s*name: \"(\\w+)\"(.*?)(?=\\.(?:systemLibrary|target|macro|executableTarget|testTarget)\\(|\\n\\])",
      options: [.dotMatchesLineSeparators])
    let whole = NSRange(text.startIndex..., in: text)
    return (target?.matches(in: text, range: whole) ?? []).compactMap { match in
      guard let name = Range(match.range(at: 2), in: text), let rest = Range(match.range(at: 3), in: text) else {
        return nil
      }
      return (String(text[name]), text[rest])
    }
  }()

  private static let text =
    (try? String(contentsOf: ProjectFiles.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""

  /// The modules of this package, and which of them each one may import.
  static let modules: [String: Set<String>] = {
    let names = Set(declarations.map(\.name))
    return imports.mapValues { $0.intersection(names) }
  }()

  /// Everything that each module names, other packages' modules included.
  private static let imports: [String: Set<String>] = {
    var imports: [String: Set<String>] = [:]
    for (name, text) in declarations {
      imports[name] = Set(text.matches(of: /"(\w+)"/).map { String($0.1) })
      // The one product that has a name of its own in the manifest.
      if text.contains("protobuf") { imports[name]?.insert("SwiftProtobuf") }
    }
    return imports
  }()

  /// The modules that a program of another package can import: those that a library's product has.
  static let importable: Set<String> = {
    let products = text.matches(of: /\.library\(name: "\w+", targets: \[([^\]]*)\]/)
    return Set(products.flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } })
  }()

  /// What comes with the system and the toolchain.
  private static let system: Set<String> = [
    "CoreFoundation", "Foundation", "FoundationEssentials", "Glibc", "Darwin", "Synchronization", "Dispatch",
    "Observation",
  ]

  private static let importing =
    "^\\s*(@\\w+(\\([^)]*\\))? )*((public|internal|package|private|fileprivate) )?import "

  static let rule = LintRule(
    name: "an import is one that Package.swift names",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    let module = String(file.path.split(separator: "/")[1])
    return file.lines.enumerated().compactMap { offset, line in
      guard line.matches(importing) else { return nil }
      let words = line.split(separator: " ").drop { $0 != "import" }.dropFirst()
      let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias"]
      // A single declaration is imported by its module's name too: `import Foundation.Date`.
      let imported = String(words.drop { kinds.contains($0) }.first?.split(separator: ".").first ?? "")
      // What a text says is no import.
      guard imported.first?.isLetter == true || imported.first == "_" else { return nil }
      guard !system.contains(imported), imports[module]?.contains(imported) != true else { return nil }
      return (offset + 1, "\(module) does not name \(imported) in Package.swift")
    }
  }
}
