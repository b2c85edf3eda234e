/// A source that must not compile, with the sentences that it expects of the compiler beside the lines they are about.
///
/// Always true: its text is the file's; SwiftPM leaves the folder out of the build, because nothing in it compiles.
import Foundation

struct RefusedSource {
  let name: String
  let text: String

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Sources")

  /// The tables that the others are about: it compiles.
  static let tables = "Tables"

  /// Where each source is in the folder, by name. Two of one name would end the tests.
  private static let paths: [String: String] = {
    let files = (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { $0.hasSuffix(".swift") }
    return Dictionary(
      uniqueKeysWithValues: files.map { ((($0 as NSString).lastPathComponent as NSString).deletingPathExtension, $0) })
  }()

  /// Every source but the tables, by name.
  static let names = paths.keys.filter { $0 != tables }.sorted()

  static func named(_ name: String) throws -> RefusedSource {
    RefusedSource(
      name: name, text: try String(contentsOf: folder.appending(path: paths[name] ?? name), encoding: .utf8))
  }

  /// What the source expects: the texts between the brackets of its comments, in which a backslash is written twice.
  /// The end of a long sentence may be missing.
  var expectations: [String] {
    text.matches(of: /expected-(?:error|warning)[^{]*\{\{(.*?)\}\}/).map { String($0.1).replacing("\\\\", with: "\\") }
  }
}
