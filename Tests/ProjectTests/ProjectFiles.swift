/// The project's own text files, as the lint reads them.
///
/// Always true: paths are relative to the repository's root; generated code and build products are left out.
import Foundation

struct ProjectFiles {
  struct File: Sendable {
    let path: String
    let lines: [String]

    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
    var name: String { String(path.split(separator: "/").last ?? "") }
    var text: String { lines.joined(separator: "\n") }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every text file below the root that a person wrote.
  static let all: [File] = {
    let kinds: Set<String> = ["swift", "md", "proto", "h", "c", "sh", "py", "service", "conf", "sql", ""]
    let skipped: Set<String> = [".git", ".build", ".swiftpm", "martlet-data", "Generated", "__pycache__"]
    var files: [File] = []
    var pending = [""]
    while let folder = pending.popLast() {
      let here = root.appending(path: folder)
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: here.path)) ?? []
      for entry in entries.sorted() where !skipped.contains(entry) {
        let path = folder.isEmpty ? entry : folder + "/" + entry
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder) else {
          continue
        }
        if isFolder.boolValue {
          pending.append(path)
        } else if kinds.contains(URL(filePath: path).pathExtension), !path.contains(".pb"), entry != "Package.resolved",
          let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
        {
          files.append(File(path: path, lines: text.components(separatedBy: "\n")))
        }
      }
    }
    return files.sorted { $0.path < $1.path }
  }()

  static var swift: [File] { all.filter { $0.path.hasSuffix(".swift") } }
  static var sources: [File] { swift.filter { $0.path.hasPrefix("Sources/") } }
  static var markdown: [File] { all.filter { $0.path.hasSuffix(".md") } }
}
