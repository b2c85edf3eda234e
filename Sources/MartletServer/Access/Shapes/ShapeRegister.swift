internal import MartletValues

/// The shapes that stand in the files of roles.
///
/// Always true: each file was read once. Of a file that was not read no shape is known.
struct ShapeRegister: Sendable, Equatable {
  private var files: [String: RegisteredShapes] = [:]
  /// Of lists of several files.
  private var lists: [[String]: RegisteredShapes] = [:]

  init() {}

  /// Reads all files that roles name. Throws what is wrong with one.
  init(_ roles: some Sequence<Role>) throws(ServerError) {
    for grant in roles.flatMap(\.grants) {
      guard let names = grant.shapeFiles else { continue }
      for path in names where files[path] == nil {
        files[path] = RegisteredShapes(try ShapeFile(path: path).load().entries.map(\.shape))
      }
      if names.count > 1 { lists[names] = united(names) }
    }
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
