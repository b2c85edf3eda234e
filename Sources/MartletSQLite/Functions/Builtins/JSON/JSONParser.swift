/// Reads a JSON text into nodes by the rules of SQLite 3.40.
///
/// Always true: it accepts exactly what SQLite accepts, except an object whose label is an array that ends with a
/// string, which SQLite accepts by mistake and then reads beyond its memory.
struct JSONParser {
  private struct Open {
    var node: Int
    var isObject: Bool
    var wantsLabel: Bool
  }

  private let text: UnsafePointer<UInt8>
  private var nodes: JSONNodes
  private var open: [Open] = []

  /// Adds the text, which ends with a zero, to `nodes`. Returns its root; nil if it is malformed.
  static func add(
    _ text: UnsafePointer<UInt8>, to nodes: inout JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    let root = nodes.nodes.count
    var parser = JSONParser(text: text, nodes: nodes)
    nodes = JSONNodes()
    let end = try parser.parse(&meter)
    nodes = parser.nodes
    guard var end else { return nil }
    while isSpace(text[end]) { end += 1 }
    return text[end] == 0 ? root : nil
  }

  private init(text: UnsafePointer<UInt8>, nodes: JSONNodes) {
    self.text = text
    self.nodes = nodes
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private mutating func parse(_ meter: inout WorkMeter) throws(WorkStopped) -> Int? {
    var offset = 0
    while true {
      let start = offset
      while Self.isSpace(text[offset]) { offset += 1 }
      let byte = text[offset]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        guard openContainer(byte, &offset) else { return nil }
        try meter.spend(offset - start + 16)
        if open.last.map({ nodes.nodes[$0.node].size }) != Self.closed { continue }
        nodes.nodes[open.removeLast().node].size = 0
      } else {
        if open.last?.wantsLabel == true, byte != UInt8(ascii: "\"") { return nil }
        guard let end = scalar(at: offset) else { return nil }
        try meter.spend(end - start + 16)
        offset = end
      }
      guard let isDone = closeValue(&offset) else { return nil }
      if isDone { return offset }
    }
  }

  /// The size of a container that was closed as soon as it was opened.
  private static let closed = -1

  private mutating func openContainer(_ byte: UInt8, _ offset: inout Int) -> Bool {
    // A label is a string.
    if open.last?.wantsLabel == true || open.count >= SQLiteLimits.jsonDepthMax { return false }
    let isObject = byte == UInt8(ascii: "{")
    let node = nodes.add(isObject ? .object : .array)
    open.append(Open(node: node, isObject: isObject, wantsLabel: isObject))
    offset += 1
    while Self.isSpace(text[offset]) { offset += 1 }
    if text[offset] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      offset += 1
      nodes.nodes[node].size = Self.closed
    }
    return true
  }

  /// What follows a value: true if that was the whole text, nil if it is malformed.
  private mutating func closeValue(_ offset: inout Int) -> Bool? {
    while let last = open.indices.last {
      while Self.isSpace(text[offset]) { offset += 1 }
      let byte = text[offset]
      if open[last].wantsLabel {
        guard byte == UInt8(ascii: ":") else { return nil }
        open[last].wantsLabel = false
        offset += 1
        return false
      }
      if byte == UInt8(ascii: ",") {
        open[last].wantsLabel = open[last].isObject
        offset += 1
        return false
      }
      guard byte == (open[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return nil }
      offset += 1
      let node = open.removeLast().node
      nodes.nodes[node].size = nodes.nodes.count - node - 1
    }
    return true
  }

  private mutating func scalar(at start: Int) -> Int? {
    switch text[start] {
    case UInt8(ascii: "\""): return string(at: start)
    case UInt8(ascii: "n"): return word("null", .null, at: start)
    case UInt8(ascii: "t"): return word("true", .yes, at: start)
    case UInt8(ascii: "f"): return word("false", .no, at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(at: start)
    default: return nil
    }
  }

  private mutating func string(at start: Int) -> Int? {
    var offset = start + 1
    while text[offset] != UInt8(ascii: "\"") {
      if text[offset] < 0x20 { return nil }
      if text[offset] == UInt8(ascii: "\\") {
        offset += 1
        switch text[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
          UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
          break
        case UInt8(ascii: "u"):
          for digit in 1...4 where !Self.isHexDigit(text[offset + digit]) { return nil }
        default: return nil
        }
      }
      offset += 1
    }
    nodes.add(.string, size: offset + 1 - start, content: text + start)
    return offset + 1
  }

  private mutating func word(_ word: StaticString, _ kind: JSONNode.Kind, at start: Int) -> Int? {
    let count = word.utf8CodeUnitCount
    for index in 0..<count where text[start + index] != word.utf8Start[index] { return nil }
    if Self.isAlphanumeric(text[start + count]) { return nil }
    nodes.add(kind)
    return start + count
  }

  private mutating func number(at start: Int) -> Int? {
    let first = start + (text[start] == UInt8(ascii: "-") ? 1 : 0)
    if text[first] == UInt8(ascii: "0"), Self.isDigit(text[first + 1]) { return nil }
    var hasPoint = false
    var hasExponent = false
    var offset = start + 1
    while true {
      let byte = text[offset]
      if byte == UInt8(ascii: ".") {
        if text[offset - 1] == UInt8(ascii: "-") || hasPoint { return nil }
        hasPoint = true
      } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
        if text[offset - 1] < UInt8(ascii: "0") || hasExponent { return nil }
        hasPoint = true
        hasExponent = true
        if text[offset + 1] == UInt8(ascii: "+") || text[offset + 1] == UInt8(ascii: "-") { offset += 1 }
        guard Self.isDigit(text[offset + 1]) else { return nil }
      } else if !Self.isDigit(byte) {
        break
      }
      offset += 1
    }
    if text[offset - 1] < UInt8(ascii: "0") { return nil }
    nodes.add(hasPoint ? .real : .integer, size: offset - start, content: text + start)
    return offset
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 26 }
}
