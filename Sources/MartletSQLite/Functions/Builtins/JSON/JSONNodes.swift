/// A JSON text as SQLite 3.40 holds it while it edits: nodes in one array, each container followed by what is in it.
///
/// Always true: `size` of a container counts the nodes after it that are its own; what is added later stands elsewhere
/// and is found by `link`. Nothing here recurses, so a text or path of any depth costs memory and not the stack.
struct JSONNodes {
  var nodes: [JSONNode] = []

  /// The index of the node after one and all that is in it.
  @inline(__always)
  func end(of index: Int) -> Int {
    nodes[index].kind.rawValue >= JSONNode.Kind.array.rawValue ? index + nodes[index].size + 1 : index + 1
  }

  @discardableResult
  mutating func add(_ kind: JSONNode.Kind, size: Int = 0, content: UnsafePointer<UInt8>? = nil) -> Int {
    nodes.append(JSONNode(kind: kind, size: size, content: content))
    return nodes.count - 1
  }

  /// Marks the members of an object that are null as removed, those of objects inside of it too.
  mutating func removeNulls(in object: Int, meter: inout WorkMeter) throws(WorkStopped) {
    guard !nodes[object].flags.contains(.isCleaned) else { return }
    var pending = [object]
    while let next = pending.popLast() {
      nodes[next].flags.insert(.isCleaned)
      let end = end(of: next)
      var value = next + 2
      while value < end {
        try meter.spend(32)
        if nodes[value].kind == .null { nodes[value].flags.insert(.isRemoved) }
        if nodes[value].kind == .object, !nodes[value].flags.contains(.isCleaned) { pending.append(value) }
        value = self.end(of: value) + 1
      }
    }
  }
}

/// A value of the text, or the name of a member.
struct JSONNode {
  enum Kind: UInt8 { case null, yes, no, integer, real, string, array, object }

  struct Flags: OptionSet {
    var rawValue: UInt8
    /// The content is plain text: the label of what was added by a path.
    static let isRaw = Flags(rawValue: 1)
    static let isRemoved = Flags(rawValue: 2)
    /// `link` is the number of the argument that takes its place.
    static let isReplaced = Flags(rawValue: 4)
    /// `link` is the node that takes its place.
    static let isPatched = Flags(rawValue: 8)
    /// `link` is the node with more elements.
    static let isContinued = Flags(rawValue: 16)
    /// The object's members that are null have been marked as removed, and those of the objects in it.
    static let isCleaned = Flags(rawValue: 32)
  }

  var kind: Kind
  var flags: Flags = []
  /// Bytes of the content, or nodes of a container.
  var size: Int
  var link = 0
  var content: UnsafePointer<UInt8>?
}
