/// The tests of a module lie as its sources do: a suite that is named for a source file stands in the folder of that
/// file, and a folder of tests has the name of one of the sources or says below what else it is.
///
/// Always true: MartletTests and SQLiteTests are not looked at. They are of programs, and not of files.
import Foundation

enum MirroredTests {
  /// Folders of tests that belong to no folder of the sources.
  static let others: [(what: String, folders: Set<String>)] = [
    ("what several suites of the module need", ["Support", "Examples"]),
    ("a server that really listens", ["MartletServerTests/Live"]),
    ("the program as it is started by a person", ["MartletCommandTests/CommandLine"]),
    ("a disk that loses power", ["MartletEngineTests/PowerLoss"]),
    ("all methods of the library, and the page that lists them", ["MartletQueryTests/Grammar"]),
  ]
  /// Suites that only happen to be called like a file: window functions, and the struct of a window.
  static let namesakes: Set<String> = ["MartletQueryTests/Functions/WindowTests.swift"]

  private static let programs: Set<String> = ["MartletTests", "SQLiteTests"]

  /// The folder below the module's, "" if the file is in none.
  private static func folder(_ parts: [Substring]) -> String { parts.count > 3 ? String(parts[2]) : "" }

  static let rule = LintRule(project: "tests lie as their sources do") { files in
    var homes: [String: [String: Set<String>]] = [:]
    for file in files where file.path.hasPrefix("Sources/") && file.path.hasSuffix(".swift") {
      let parts = file.path.split(separator: "/")
      guard parts.count > 2 else { continue }
      homes[String(parts[1]), default: [:]][String(file.name.dropLast(6)), default: []].insert(folder(parts))
    }
    let known = Set(others.flatMap(\.folders))
    return files.compactMap { file in
      let parts = file.path.split(separator: "/")
      guard parts.count > 2, parts[0] == "Tests", file.name.hasSuffix(".swift"), parts[1].hasSuffix("Tests"),
        !programs.contains(String(parts[1])), let sources = homes[String(parts[1].dropLast(5))]
      else { return nil }
      let here = folder(parts)
      if known.contains(here) || known.contains("\(parts[1])/\(here)") { return nil }
      if !here.isEmpty, !sources.values.contains(where: { $0.contains(here) }) {
        return "\(file.path): \(here) is no folder of the module: name the one whose files it tests"
      }
      guard file.name.hasSuffix("Tests.swift"), let home = sources[String(file.name.dropLast(11))], home.count == 1,
        let wanted = home.first, wanted != here, !namesakes.contains(parts.dropFirst().joined(separator: "/"))
      else { return nil }
      return "\(file.path): the file that it tests is in \(wanted.isEmpty ? "no folder" : wanted)"
    }
  }
}
