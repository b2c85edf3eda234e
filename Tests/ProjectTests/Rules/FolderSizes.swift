/// A folder that one look takes in.
///
/// Always true: a number of the ratchet only ever shrinks, and one that is too large is refused.
import Foundation

enum FolderSizes {
  static let most = 12

  /// Folders that had more files when the rule came.
  static let ratchet: [String: Int] = [
    "Tests/MartletTests/Refused/Sources": 21
  ]

  static let rule = LintRule(project: "a folder has at most 12 files") { files in
    Dictionary(grouping: files.filter { $0.path.hasSuffix(".swift") }, by: \.folder).compactMap { folder, files in
      let known = ratchet[folder]
      if files.count > known ?? most {
        return "\(folder): \(files.count) files; \(known ?? most) at most: a folder in it, with a name"
      }
      guard let known, files.count < known else { return nil }
      return "\(folder): \(files.count) files, fewer than the \(known) that it may have: lower the number"
    }.sorted()
  }
}
