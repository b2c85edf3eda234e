/// A folder that one look takes in.
///
/// Always true: no folder is left out.
import Foundation

enum FolderSizes {
  static let most = 12

  static let rule = LintRule(project: "a folder has at most 12 files") { files in
    Dictionary(grouping: files.filter { $0.path.hasSuffix(".swift") }, by: \.folder).compactMap { folder, files in
      files.count > most ? "\(folder): \(files.count) files; \(most) at most: a folder in it, with a name" : nil
    }.sorted()
  }
}
