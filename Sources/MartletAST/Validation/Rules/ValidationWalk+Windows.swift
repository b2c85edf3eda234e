import MartletValues

/// What windows and their frames must hold.
///
/// Always true: a frame that passes starts no later than it ends, as SQLite's grammar asks.
extension ValidationWalk {
  func over(_ node: ASTOver) throws(RequestError) {
    try known(node.unknownFields)
    switch node.kind {
    case .name(let name): try self.name("name", name)
    case .window(let window): try at("window", self.window(window))
    case nil: throw invalid("OVER names no window and holds none. Set one.")
    }
  }

  func namedWindow(_ node: ASTNamedWindow) throws(RequestError) {
    try known(node.unknownFields)
    try name("name", node.name)
    try required("window", node.hasWindow, window(node.window))
  }

  private func window(_ node: ASTWindow) throws(RequestError) {
    try known(node.unknownFields)
    try text("base", node.base)
    try refuse(
      !node.base.isEmpty && !node.partitionBy.isEmpty, "partition_by",
      "A window that extends another takes over its partitions. Remove them here.")
    try each("partition_by", node.partitionBy, value)
    try ordering(node.orderBy)
    try optional("frame", node.hasFrame, frame(node.frame))
  }

  private func frame(_ node: ASTFrame) throws(RequestError) {
    try known(node.unknownFields)
    try choice("unit", node.unit.rawValue, node.unit.sql)
    try required("start", node.hasStart, bound(node.start))
    try optional("end", node.hasEnd, bound(node.end))
    try choice("exclusion", node.exclusion.rawValue, node.exclusion.sql, isOptional: true)
    try refuse(node.start.kind == .unboundedFollowing, "start", "A frame cannot start at its end. Use another bound.")
    try refuse(
      node.hasEnd && node.end.kind == .unboundedPreceding, "end", "A frame cannot end at its start. Use another bound.")
    let end = node.hasEnd ? node.end.kind : .currentRow
    guard node.start.kind.rawValue <= end.rawValue else {
      throw invalid("The frame starts after it ends. Swap its bounds.", node.hasEnd ? "end" : "start")
    }
  }

  private func bound(_ node: ASTFrameBound) throws(RequestError) {
    try known(node.unknownFields)
    try choice("kind", node.kind.rawValue, node.kind.sql)
    if node.kind == .preceding || node.kind == .following {
      try required("offset", node.hasOffset, frameOffset(node.offset))
    } else {
      try refuse(node.hasOffset, "offset", "Only PRECEDING and FOLLOWING take an offset. Remove it.")
    }
  }
}
