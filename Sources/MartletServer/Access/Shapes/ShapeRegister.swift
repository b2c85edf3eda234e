internal import MartletValues

/// The shapes that stand in the files of roles.
///
/// Always true: each file was read once. Of a file that was not read no shape is known.
struct ShapeRegister: Sendable, Equatable {
  private var files: [String: RegisteredShapes] = [:]
  /// The shapes of several files together, for the lists of the grants and for unions of such lists.
  private var lists: [[String]: RegisteredShapes] = [:]

  init() {}

  /// Reads all files that roles name. Throws what is wrong with one.
  init(_ roles: some Sequence<Role>) throws(ServerError) {
    for role in roles {
      let named = role.grants.compactMap(\.shapeFiles)
      for path in named.joined() where files[path] == nil {
        files[path] = RegisteredShapes(try ShapeFile(path: path).load().entries.map(\.shape))
      }
      for names in named + Self.unions(of: named) where names.count > 1 && lists[names] == nil {
        lists[names] = united(names)
      }
    }
  }

  /// What several of the lists come to together, each as `Grant` writes it.
  private static func unions(of lists: [[String]]) -> [[String]] {
    var unions: Set<Set<String>> = []
    for list in Set(lists.map { Set($0) }) {
      let more = unions.map { $0.union(list) } + [list]
      unions.formUnion(more)
      guard unions.count < AccessLimits.shapeUnionsMax else { break }
    }
    return unions.map { $0.sorted() }
  }

  /// Nil if one of the files was not read.
  func shapes(of names: [String]) -> RegisteredShapes? {
    guard names.allSatisfy({ files[$0] != nil }) else { return nil }
    if names.count == 1 { return files[names[0]] }
    return lists[names] ?? united(names)
  }

  private func united(_ names: [String]) -> RegisteredShapes {
    RegisteredShapes(names.compactMap { files[$0]?.shapes }.reduce(into: Set()) { $0.formUnion($1) })
  }
}
