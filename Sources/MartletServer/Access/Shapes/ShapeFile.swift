public import MartletValues

/// A file of the shapes that roles may run, which `martlet shapes` keeps and servers read.
///
/// Always true: whoever changes it has its lock; a reader sees it before or after a change, and nobody but its owner
/// may write it.
public struct ShapeFile: Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  /// Throws if the file cannot be read, others may write it, or a line is wrong.
  public func load() throws(ServerError) -> ShapeList {
    try list(of: try LockedFile(reading: path, .shapes))
  }

  /// Adds what the file does not have yet, behind what it has; makes the file if there is none. Returns how many it
  /// added.
  public func register(_ shapes: ShapeList) throws(ServerError) -> Int {
    let file = try LockedFile(changing: path, .shapes, makesFile: true)
    let former = try file.text(atMost: ShapeListLimits.fileBytesMax)
    let known = try list(of: file)
    var added = ShapeList()
    for entry in shapes.entries where !known.contains(entry.shape) { added.add(entry.shape, note: entry.note) }
    guard known.entries.count + added.entries.count <= ShapeListLimits.shapesMax else {
      throw .tooManyShapes(path, shapesMax: ShapeListLimits.shapesMax)
    }
    let separator = former.isEmpty || former.utf8.last == 10 ? "" : "\n"
    if !added.entries.isEmpty { try file.append(separator + added.text) }
    return added.entries.count
  }

  private func list(of file: LockedFile) throws(ServerError) -> ShapeList {
    let text = try file.text(atMost: ShapeListLimits.fileBytesMax)
    do throws(ShapeList.Invalid) { return try ShapeList(text) } catch {
      throw .invalidShapes(path, error)
    }
  }
}
