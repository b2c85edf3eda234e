/// Follows a path through the nodes of a JSON text, and adds what is missing on it, as SQLite 3.40 does.
///
/// Always true: what was added for a path that cannot be completed stays out of reach. Its cost is counted, and its
/// depth is that of the path, without recursion.
struct JSONPath {
  enum Outcome {
    case found(Int)
    case added(Int)
    case nothing
    /// The path cannot be read from here on.
    case malformed(UnsafePointer<UInt8>)
  }

  /// What a step left to do: go on at a node, or the path's end.
  private enum Step {
    case next(Int)
    case end(Outcome)
    /// No such node; the container that would get it, and its label if it is an object.
    case missing(Int, label: (start: UnsafePointer<UInt8>, size: Int)?)
  }

  private var rest: UnsafePointer<UInt8>
  private let adds: Bool

  /// A path after its `$`, ending with a zero.
  init(_ path: UnsafePointer<UInt8>, adds: Bool) {
    rest = path
    self.adds = adds
  }

  mutating func follow(_ nodes: inout JSONNodes, meter: inout WorkMeter) throws(WorkStopped) -> Outcome {
    var node = 0
    // What is linked once the path is complete.
    var links: [(from: Int, to: Int, label: Int?)] = []
    while true {
      try meter.spend(32)
      if rest.pointee == 0, links.isEmpty { return .found(node) }
      switch try step(at: node, nodes, meter: &meter) {
      case .next(let next): node = next
      case .end(let outcome): return outcome
      case .missing(let container, let label):
        guard adds else { return .nothing }
        let added = nodes.add(label == nil ? .array : .object, size: label == nil ? 1 : 2)
        let labelNode = label.map { nodes.add(.string, size: $0.size, content: $0.start) }
        links.append((container, added, labelNode))
        guard let next = addNode(to: &nodes) else { return .nothing }
        node = next
        guard rest.pointee == 0 else { continue }
        for link in links {
          nodes.nodes[link.from].link = link.to
          nodes.nodes[link.from].flags.insert(.isContinued)
          if let label = link.label { nodes.nodes[label].flags.insert(.isRaw) }
        }
        return .added(node)
      }
    }
  }

  /// The node that the rest of the path needs; nil if it can be none.
  private func addNode(to nodes: inout JSONNodes) -> Int? {
    if rest.pointee == 0 { return nodes.add(.null) }
    if rest.pointee == UInt8(ascii: ".") { return nodes.add(.object) }
    let isFirst = rest[0] == UInt8(ascii: "[") && rest[1] == UInt8(ascii: "0") && rest[2] == UInt8(ascii: "]")
    return isFirst ? nodes.add(.array) : nil
  }

  private mutating func step(
    at node: Int, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Step {
    if nodes.nodes[node].flags.contains(.isReplaced) { return .end(.nothing) }
    switch rest.pointee {
    case UInt8(ascii: "."):
      return nodes.nodes[node].kind == .object ? try member(of: node, nodes, meter: &meter) : .end(.nothing)
    case UInt8(ascii: "["): return try element(of: node, nodes, meter: &meter)
    default: return .end(.malformed(rest))
    }
  }

  private mutating func member(
    of node: Int, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Step {
    rest += 1
    let label: UnsafePointer<UInt8>
    var size = 0
    if rest.pointee == UInt8(ascii: "\"") {
      label = rest + 1
      while label[size] != 0, label[size] != UInt8(ascii: "\"") { size += 1 }
      if label[size] == 0 { return .end(.malformed(rest)) }
      rest = label + size + 1
    } else {
      label = rest
      while label[size] != 0, label[size] != UInt8(ascii: "."), label[size] != UInt8(ascii: "[") { size += 1 }
      if size == 0 { return .end(.malformed(rest)) }
      rest = label + size
    }
    try meter.spend(size)
    var container = node
    while true {
      var member = container + 1
      let end = nodes.end(of: container)
      while member < end {
        let isSame = Self.isSame(nodes.nodes[member], label, size)
        try meter.spend(isSame ? size + 16 : 16)
        if isSame { return .next(member + 1) }
        member = nodes.end(of: member + 1)
      }
      guard nodes.nodes[container].flags.contains(.isContinued) else {
        return .missing(container, label: (label, size))
      }
      container = nodes.nodes[container].link
    }
  }

  private static func isSame(_ node: JSONNode, _ label: UnsafePointer<UInt8>, _ size: Int) -> Bool {
    let quotes = node.flags.contains(.isRaw) ? 0 : 1
    guard node.size == size + 2 * quotes, let content = node.content else { return false }
    for index in 0..<size where content[quotes + index] != label[index] { return false }
    return true
  }

  private mutating func element(
    of node: Int, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Step {
    var (index, length) = number(at: 1)
    if length < 2 || rest[length] != UInt8(ascii: "]") {
      guard rest[1] == UInt8(ascii: "#") else { return .end(.malformed(rest)) }
      guard nodes.nodes[node].kind == .array else { return .end(.nothing) }
      index = try Self.count(of: node, nodes, meter: &meter)
      length = 2
      if rest[2] == UInt8(ascii: "-"), JSONParser.isDigit(rest[3]) {
        let back: UInt32
        (back, length) = number(at: 3)
        if back > index { return .end(.nothing) }
        index -= back
      }
      guard rest[length] == UInt8(ascii: "]") else { return .end(.malformed(rest)) }
    }
    try meter.spend(length)
    guard nodes.nodes[node].kind == .array else { return .end(.nothing) }
    rest += length + 1
    return try Self.element(index, of: node, nodes, meter: &meter)
  }

  /// The digits from there on as a number, which overflows as SQLite's does, and where they end.
  private func number(at start: Int) -> (value: UInt32, end: Int) {
    var value: UInt32 = 0
    var end = start
    while JSONParser.isDigit(rest[end]) {
      value = value &* 10 &+ UInt32(rest[end] - 0x30)
      end += 1
    }
    return (value, end)
  }

  private static func element(
    _ number: UInt32, of node: Int, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Step {
    var index = number
    var container = node
    while true {
      let end = nodes.end(of: container)
      var element = container + 1
      while element < end {
        // Elements that an earlier path removed do not count.
        let isThere = !nodes.nodes[element].flags.contains(.isRemoved)
        if isThere, index == 0 { break }
        if isThere { index -= 1 }
        element = nodes.end(of: element)
        try meter.spend(16)
      }
      // SQLite goes on to the added elements even if it has found the element.
      if nodes.nodes[container].flags.contains(.isContinued) {
        container = nodes.nodes[container].link
        continue
      }
      if element < end { return .next(element) }
      return index == 0 ? .missing(container, label: nil) : .end(.nothing)
    }
  }

  private static func count(
    of node: Int, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> UInt32 {
    var count: UInt32 = 0
    var container = node
    while true {
      var element = container + 1
      while element < nodes.end(of: container) {
        if !nodes.nodes[element].flags.contains(.isRemoved) { count &+= 1 }
        element = nodes.end(of: element)
        try meter.spend(16)
      }
      guard nodes.nodes[container].flags.contains(.isContinued) else { return count }
      container = nodes.nodes[container].link
    }
  }
}
