import MartletValues

/// The rows of EXPLAIN QUERY PLAN as the tree that they are.
///
/// Always true: a row hangs below the one that it names as its parent, and below the root if that is not there or as
/// deep as `CommandLimits.planDepthMax`; each row is drawn once, and at most `CommandLimits.planRowsMax` are.
struct QueryPlanPrinter: RowPrinter {
  private struct Node {
    var id: Int64
    var parent: Int64
    var detail: String
  }

  private var nodes: [Node] = []
  private var left = 0

  /// Whether a statement gives such rows.
  static func isPlan(_ sql: String) -> Bool {
    let words = SQLTokens(sql).prefix(3).map { token in
      if case .word(let word) = token { word.uppercased() } else { "" }
    }
    return words == ["EXPLAIN", "QUERY", "PLAN"]
  }

  mutating func begin(columns: [String], to output: inout [UInt8]) {}

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount where batch.columns.count >= 4 {
      guard nodes.count < CommandLimits.planRowsMax, batch.columns[0].kind(at: row) == .integer,
        batch.columns[1].kind(at: row) == .integer
      else {
        left += 1
        continue
      }
      nodes.append(
        Node(
          id: batch.columns[0].integers[row], parent: batch.columns[1].integers[row],
          detail: CellText.of(batch.columns[3], row: row)))
    }
  }

  mutating func end(to output: inout [UInt8]) {
    // Each row hangs below an earlier one. A hostile server may give a number twice, even to a row and its child.
    var depths: [Int64: Int] = [:]
    var children: [Int64: [Node]] = [:]
    for node in nodes {
      let depth = depths[node.parent] ?? CommandLimits.planDepthMax
      let hangs = node.parent != 0 && depth < CommandLimits.planDepthMax
      children[hangs ? node.parent : 0, default: []].append(node)
      if depths[node.id] == nil { depths[node.id] = hangs ? depth + 1 : 1 }
    }
    output.append(text: "QUERY PLAN\n")
    draw(below: 0, indent: "", &children, to: &output)
    if left > 0 { output.append(text: "(\(left) more)\n") }
  }

  private func draw(below id: Int64, indent: String, _ children: inout [Int64: [Node]], to output: inout [UInt8]) {
    // What is drawn is gone, so that no circle of numbers is drawn for ever.
    let nodes = children.removeValue(forKey: id) ?? []
    for (index, node) in nodes.enumerated() {
      let isLast = index == nodes.count - 1
      output.append(text: "\(indent)\(isLast ? "`--" : "|--")\(node.detail)\n")
      if node.id != 0 { draw(below: node.id, indent: indent + (isLast ? "   " : "|  "), &children, to: &output) }
    }
  }
}
