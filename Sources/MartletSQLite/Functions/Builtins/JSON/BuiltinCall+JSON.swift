import CSQLite

/// `json_set`, `json_insert` and `json_patch`, because SQLite's own crash the process for a path of a megabyte, or take
/// minutes. Also `json_extract`, `json_remove` and `json_replace`, because SQLite's own read the whole text once for
/// each of a hundred paths, in one step.
extension BuiltinCall {
  enum JSONEdit: String {
    case set, insert, replace
  }

  /// What a path of an argument leads to; the call has its result already if that is an error.
  private enum Place {
    case node(Int, isNew: Bool)
    case nothing
    /// The path is NULL.
    case null
    case malformed
  }

  /// `json_set(json, path, value, …)`, and its siblings.
  mutating func jsonEdit(_ edit: JSONEdit) throws(WorkStopped) {
    guard count > 0 else { return sqlite3_result_null(context) }
    guard count % 2 == 1 else {
      let words = "json_\(edit.rawValue)() needs an odd number of arguments"
      return sqlite3_result_error(context, words, -1)
    }
    var nodes = JSONNodes()
    guard try parse(0, into: &nodes) != nil else { return }
    for index in stride(from: 1, to: count, by: 2) {
      switch try place(index, adds: edit != .replace, in: &nodes) {
      case .malformed: return
      case .nothing, .null: continue
      case .node(let node, let isNew): if isNew || edit != .insert { replace(node, by: index + 1, in: &nodes) }
      }
    }
    if nodes.nodes[0].flags.contains(.isReplaced) {
      return sqlite3_result_value(context, self[nodes.nodes[0].link])
    }
    try give(0, of: nodes)
  }

  /// `json_remove(json, path, …)`.
  mutating func jsonRemove() throws(WorkStopped) {
    var nodes = JSONNodes()
    guard count > 0, try parse(0, into: &nodes) != nil else { return }
    for index in 1..<count {
      switch try place(index, adds: false, in: &nodes) {
      case .malformed: return
      case .null: return sqlite3_result_null(context)
      case .nothing: continue
      case .node(let node, _): nodes.nodes[node].flags.insert(.isRemoved)
      }
    }
    if nodes.nodes[0].flags.contains(.isRemoved) { return sqlite3_result_null(context) }
    try give(0, of: nodes)
  }

  /// `json_extract(json, path, path, …)`: an array of what the paths lead to.
  mutating func jsonExtract() throws(WorkStopped) {
    var nodes = JSONNodes()
    guard try parse(0, into: &nodes) != nil else { return }
    var output = OutputText(bytesMax: bytesMax, expected: 256)
    for index in 1..<count {
      output.append(index == 1 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      switch try place(index, adds: false, in: &nodes) {
      case .malformed: return
      case .nothing, .null: output.append("null")
      // Nothing was replaced by a value, so no value is a blob.
      case .node(let node, _): _ = try JSONWriter(nodes, self).write(node, to: &output, meter: &meter)
      }
    }
    output.append(UInt8(ascii: "]"))
    giveJSON(output)
  }

  private mutating func place(_ index: Int, adds: Bool, in nodes: inout JSONNodes) throws(WorkStopped) -> Place {
    guard let path = characters(index) else { return .null }
    guard path.pointee == UInt8(ascii: "$") else {
      martletPathError(path)
      return .malformed
    }
    var walk = JSONPath(path + 1, adds: adds)
    switch try walk.follow(&nodes, meter: &meter) {
    case .malformed(let rest):
      martletPathError(rest)
      return .malformed
    case .nothing: return .nothing
    case .found(let node): return .node(node, isNew: false)
    case .added(let node): return .node(node, isNew: true)
    }
  }

  private func replace(_ node: Int, by argument: Int, in nodes: inout JSONNodes) {
    nodes.nodes[node].flags.insert(.isReplaced)
    nodes.nodes[node].link = argument
  }

  private func martletPathError(_ rest: UnsafePointer<UInt8>) {
    // Bytes may be read as characters of C because a character of C is one byte too.
    martlet_sqlite_result_json_path_error(
      context, UnsafeRawPointer(rest).assumingMemoryBound(to: CChar.self))
  }

  /// `json_patch(json, patch)`.
  mutating func jsonPatch() throws(WorkStopped) {
    var nodes = JSONNodes()
    guard let target = try parse(0, into: &nodes), let patch = try parse(1, into: &nodes) else { return }
    try give(try JSONPatch.apply(patch, to: target, &nodes, meter: &meter), of: nodes)
  }

  /// The root of an argument; nil if the call has its result already: NULL, or an error.
  private mutating func parse(_ index: Int, into nodes: inout JSONNodes) throws(WorkStopped) -> Int? {
    guard let json = characters(index) else {
      sqlite3_result_null(context)
      return nil
    }
    guard let root = try JSONParser.add(json, to: &nodes, meter: &meter) else {
      sqlite3_result_error(context, "malformed JSON", -1)
      return nil
    }
    return root
  }

  private mutating func give(_ root: Int, of nodes: JSONNodes) throws(WorkStopped) {
    var output = OutputText(bytesMax: bytesMax, expected: 256)
    guard try JSONWriter(nodes, self).write(root, to: &output, meter: &meter) else {
      return sqlite3_result_error(context, "JSON cannot hold BLOB values", -1)
    }
    giveJSON(output)
  }

  private func giveJSON(_ output: consuming OutputText) {
    if output.failure == .tooBig { return sqlite3_result_error_toobig(context) }
    give(output)
    sqlite3_result_subtype(context, 74)
  }
}

/// Writes nodes as JSON, with the arguments of the call if they take a node's place.
private struct JSONWriter {
  private struct Open {
    var container: Int
    var next: Int
    let isObject: Bool
  }

  private let nodes: [JSONNode]
  private let tree: JSONNodes
  private let call: BuiltinCall

  init(_ tree: JSONNodes, _ call: BuiltinCall) {
    self.tree = tree
    self.call = call
    nodes = tree.nodes
  }

  /// False if a value is a blob.
  func write(_ root: Int, to output: inout OutputText, meter: inout WorkMeter) throws(WorkStopped) -> Bool {
    var open: [Open] = []
    var node = root
    while true {
      let before = output.count
      guard begin(node, &open, to: &output) else { return false }
      try meter.spend(output.count - before + 16)
      if output.failure != nil { return true }
      guard let next = try nextNode(&open, to: &output, meter: &meter) else { return true }
      node = next
    }
  }

  /// Closes what is complete. Returns the next node to write, with the label that goes before it written; nil at the
  /// end.
  private func nextNode(
    _ open: inout [Open], to output: inout OutputText, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    while let last = open.indices.last {
      let container = open[last].container
      try meter.spend(16)
      guard open[last].next < tree.end(of: container) else {
        if nodes[container].flags.contains(.isContinued) {
          open[last].container = nodes[container].link
          open[last].next = nodes[container].link + 1
        } else {
          output.append(open[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
          open.removeLast()
        }
        continue
      }
      let label = open[last].next
      let value = open[last].isObject ? label + 1 : label
      open[last].next = tree.end(of: value)
      if nodes[value].flags.contains(.isRemoved) { continue }
      if let byte = output.last, byte != UInt8(ascii: "["), byte != UInt8(ascii: "{") {
        output.append(UInt8(ascii: ","))
      }
      if open[last].isObject {
        writeContent(of: nodes[label], to: &output)
        output.append(UInt8(ascii: ":"))
      }
      return value
    }
    return nil
  }

  private func begin(_ index: Int, _ open: inout [Open], to output: inout OutputText) -> Bool {
    if nodes[index].flags.contains(.isReplaced) { return write(call[nodes[index].link], to: &output) }
    let node = nodes[index].flags.contains(.isPatched) ? nodes[index].link : index
    switch nodes[node].kind {
    case .null: output.append("null")
    case .yes: output.append("true")
    case .no: output.append("false")
    case .integer, .real, .string: writeContent(of: nodes[node], to: &output)
    case .array, .object:
      let isObject = nodes[node].kind == .object
      output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
      open.append(Open(container: node, next: node + 1, isObject: isObject))
    }
    return true
  }

  private func writeContent(of node: JSONNode, to output: inout OutputText) {
    let content = UnsafeRawBufferPointer(start: node.content, count: node.size)
    if node.flags.contains(.isRaw) { writeQuoted(content, to: &output) } else { output.append(content) }
  }

  /// A value of SQL; false for a blob.
  private func write(_ value: OpaquePointer?, to output: inout OutputText) -> Bool {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: output.append("null")
    case SQLITE_BLOB: return false
    case SQLITE_TEXT where sqlite3_value_subtype(value) != 74:
      if let text = BuiltinCall.text(value) { writeQuoted(text, to: &output) }
    default: if let text = BuiltinCall.text(value) { output.append(text) }
    }
    return true
  }

  private func writeQuoted(_ text: UnsafeRawBufferPointer, to output: inout OutputText) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
      output.append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
      start = index + 1
      switch byte {
      case 8: output.append("\\b")
      case 9: output.append("\\t")
      case 10: output.append("\\n")
      case 12: output.append("\\f")
      case 13: output.append("\\r")
      case ..<0x20:
        output.append("\\u00")
        output.append(0x30 + byte >> 4)
        output.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
      default:
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      }
    }
    output.append(UnsafeRawBufferPointer(rebasing: text[start...]))
    output.append(UInt8(ascii: "\""))
  }
}
