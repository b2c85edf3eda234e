/// The tests of a module lie as its sources do. A suite that is named for a source file stands in that file's folder,
/// by its whole path. One that has no such subject stands in a folder that the sources have too, or below one of those
/// that are told here; only the tests of a library as a program sees it name their folders as they like.
///
/// Always true: each module with a target of tests is looked at, and each entry here is of a file or folder that is
/// there.
import Foundation

enum MirroredTests {
  /// Folders of tests that belong to no folder of the sources, with all that is in them.
  static let others: [(what: String, folders: Set<String>)] = [
    (
      "what several suites of the module need",
      [
        "MartletASTTests/Support", "MartletASTTests/Examples", "MartletEngineTests/Support",
        "MartletClientTests/Support", "MartletDatabaseTests/Support",
      ]
    ),
    ("a server that really listens", ["MartletServerTests/Live"]),
    ("the program as it is started by a person", ["MartletCommandTests/CommandLine"]),
    ("declarations, and what the macros make of them", ["MartletMacrosTests/Snapshots"]),
    ("a disk that loses power", ["MartletEngineTests/PowerLoss"]),
    ("all methods of the library, and the page that lists them", ["MartletQueryTests/Grammar"]),
  ]
  /// Suites that only happen to be called like a file: window functions, and the struct of a window.
  static let namesakes: Set<String> = ["MartletQueryTests/Functions/WindowTests.swift"]
  /// Tests of what programs do with a library: where one has no subject among the files, its folder tells of the
  /// program.
  private static let programs: Set<String> = ["MartletTests", "SQLiteTests"]

  /// The folders below the module's, "" if the file is in none.
  private static func folder(_ file: ProjectFiles.File) -> String {
    file.path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
  }

  /// The folders of each module's sources, and where the file of a name is.
  private struct Sources {
    var folders: Set<String> = [""]
    var homes: [String: Set<String>] = [:]
  }

  private static func sources(_ files: [ProjectFiles.File]) -> [String: Sources] {
    var modules: [String: Sources] = [:]
    for file in files where file.path.hasPrefix("Sources/") && file.path.hasSuffix(".swift") {
      let parts = file.path.split(separator: "/")
      guard parts.count > 2 else { continue }
      let home = folder(file)
      modules[String(parts[1]), default: Sources()].homes[String(file.name.dropLast(6)), default: []].insert(home)
      // A folder that holds folders only is one of the module's as well.
      var path = home.split(separator: "/")
      while !path.isEmpty {
        modules[String(parts[1])]?.folders.insert(path.joined(separator: "/"))
        path.removeLast()
      }
    }
    return modules
  }

  /// What is wrong with the place of a file of tests.
  private static func complaint(_ file: ProjectFiles.File, _ modules: [String: Sources]) -> String? {
    let parts = file.path.split(separator: "/")
    guard parts.count > 2, parts[0] == "Tests", file.name.hasSuffix(".swift"), parts[1].hasSuffix("Tests"),
      let sources = modules[String(parts[1].dropLast(5))], !namesakes.contains(String(file.path.dropFirst(6)))
    else { return nil }
    let here = folder(file)
    if file.name.hasSuffix("Tests.swift"), let homes = sources.homes[String(file.name.dropLast(11))] {
      return homes.contains(here)
        ? nil : "\(file.path): the file that it tests is in \(homes.sorted().map { $0.isEmpty ? "no folder" : $0 })"
    }
    let isOther = others.contains { $0.folders.contains { "\(parts[1])/\(here)/".hasPrefix($0 + "/") } }
    if isOther || programs.contains(String(parts[1])) || sources.folders.contains(here) { return nil }
    return "\(file.path): \(here) is no folder of the module: name the one whose files it tests"
  }

  static let rule = LintRule(project: "tests lie as their sources do") { files in
    let modules = sources(files)
    return files.compactMap { complaint($0, modules) }
  }

  /// The entries of the lists above that stand for nothing.
  static func idle(_ files: [ProjectFiles.File]) -> [String] {
    let modules = sources(files)
    let folders = others.flatMap(\.folders).filter { folder in
      !files.contains { $0.path.hasPrefix("Tests/\(folder)/") }
        || modules[String(folder.split(separator: "/")[0].dropLast(5))]?.folders
          .contains(folder.split(separator: "/").dropFirst().joined(separator: "/")) != false
    }
    return folders + namesakes.filter { name in !files.contains { $0.path == "Tests/" + name } }
  }
}
