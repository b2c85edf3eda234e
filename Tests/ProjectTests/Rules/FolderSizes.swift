/// A folder that one look takes in.
///
/// Always true: a number of the ratchet only ever shrinks.
import Foundation

enum FolderSizes {
  static let most = 12

  /// Folders that had more files when the rule came.
  static let ratchet: [String: Int] = [
    "Sources/MartletLoop": 17, "Sources/MartletMacros/Tables": 13,
    "Sources/MartletQuery/Schema": 13, "Sources/MartletServer/Process": 13, "Sources/MartletSQLite/Connections": 14,
    "Tests/MartletQueryTests/Grammar/Methods": 17,
    "Tests/MartletTests/Macros": 14, "Tests/MartletTests/Refused/Sources": 21,
  ]

  static let rule = LintRule(project: "a folder has at most 12 files") { files in
    Dictionary(grouping: files.filter { $0.path.hasSuffix(".swift") }, by: \.folder).compactMap { folder, files in
      let most = ratchet[folder] ?? most
      return files.count > most ? "\(folder): \(files.count) files; \(most) at most: a folder in it, with a name" : nil
    }.sorted()
  }
}
