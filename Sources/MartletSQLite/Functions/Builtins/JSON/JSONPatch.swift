/// Merges one JSON text into another (RFC 7396) as SQLite 3.40 does, with a table of labels if objects are large.
///
/// Always true: if several members have the same label, the first one of the target is merged, with the first one of
/// the patch that met it.
struct JSONPatch {
  /// An object of the target that is being merged with one of the patch.
  private struct Merge {
    var target: Int
    /// The last of the target's containers, to which the next new member is linked.
    var tail: Int
    var patch: Int
    /// The next label of the patch.
    var label: Int
    var places: [JSONLabel: Int]?
  }

  private var merges: [Merge] = []

  /// Returns the root of the result.
  static func apply(
    _ patch: Int, to target: Int, _ nodes: inout JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int {
    guard nodes.nodes[patch].kind == .object else { return patch }
    guard nodes.nodes[target].kind == .object else {
      try nodes.removeNulls(in: patch, meter: &meter)
      return patch
    }
    var state = JSONPatch()
    try state.begin(patch, target, nodes, meter: &meter)
    while let current = state.merges.indices.last {
      try state.mergeNext(at: current, &nodes, meter: &meter)
    }
    return target
  }

  private mutating func begin(
    _ patch: Int, _ target: Int, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) {
    var merge = Merge(target: target, tail: target, patch: patch, label: patch + 1)
    if nodes.nodes[target].size >= SQLiteLimits.patchTableNodesMin, nodes.nodes[patch].size > 4 {
      var places: [JSONLabel: Int] = [:]
      var label = target + 1
      while label < nodes.end(of: target) {
        let key = JSONLabel(nodes.nodes[label])
        try meter.spend(128 + nodes.nodes[label].size)
        if places[key] == nil { places[key] = label + 1 }
        label = nodes.end(of: label + 1)
      }
      merge.places = places
    }
    merges.append(merge)
  }

  private mutating func mergeNext(
    at current: Int, _ nodes: inout JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) {
    let merge = merges[current]
    guard merge.label < nodes.end(of: merge.patch) else {
      merges.removeLast()
      return
    }
    let label = nodes.nodes[merge.label]
    let value = merge.label + 1
    merges[current].label = nodes.end(of: value)
    try meter.spend(64 + label.size)
    guard let place = try place(of: label, in: merge, nodes, meter: &meter) else {
      if nodes.nodes[value].kind != .null { try add(label, value, at: current, &nodes, meter: &meter) }
      return
    }
    if !nodes.nodes[place].flags.isDisjoint(with: [.isRemoved, .isPatched]) { return }
    switch (nodes.nodes[value].kind, nodes.nodes[place].kind) {
    case (.null, _): nodes.nodes[place].flags.insert(.isRemoved)
    case (.object, .object): try begin(value, place, nodes, meter: &meter)
    case (let kind, _):
      if kind == .object { try nodes.removeNulls(in: value, meter: &meter) }
      nodes.nodes[place].flags.insert(.isPatched)
      nodes.nodes[place].link = value
    }
  }

  /// The value in the target of the first member with the label.
  private func place(
    of label: JSONNode, in merge: Merge, _ nodes: JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    if let places = merge.places { return places[JSONLabel(label)] }
    var member = merge.target + 1
    let end = merge.target + nodes.nodes[merge.target].size + 1
    while member < end {
      try meter.spend(32)
      if JSONLabel(nodes.nodes[member]) == JSONLabel(label) { return member + 1 }
      member = nodes.end(of: member + 1)
    }
    return nil
  }

  private mutating func add(
    _ label: JSONNode, _ value: Int, at current: Int, _ nodes: inout JSONNodes, meter: inout WorkMeter
  ) throws(WorkStopped) {
    try nodes.removeNulls(in: merges[current].patch, meter: &meter)
    let added = nodes.add(.object, size: 2)
    nodes.add(.string, size: label.size, content: label.content)
    let patched = nodes.add(.yes)
    nodes.nodes[patched].flags.insert(.isPatched)
    nodes.nodes[patched].link = value
    let tail = merges[current].tail
    nodes.nodes[tail].flags.insert(.isContinued)
    nodes.nodes[tail].link = added
    merges[current].tail = added
  }
}

/// A label as it is written, quotes and escapes included: that is what SQLite compares.
private struct JSONLabel: Hashable {
  let bytes: UnsafeRawBufferPointer

  init(_ node: JSONNode) { bytes = UnsafeRawBufferPointer(start: node.content, count: node.size) }

  static func == (left: JSONLabel, right: JSONLabel) -> Bool { left.bytes.elementsEqual(right.bytes) }

  func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
}
