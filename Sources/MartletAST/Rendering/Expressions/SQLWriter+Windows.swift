/// Windows: `OVER "name"`, `OVER (…)`, and the WINDOW clause's definitions.
///
/// Always true: a window that extends another names it first, as SQLite's grammar asks.
extension SQLWriter {
  func over(_ node: ASTOver) {
    switch node.kind {
    case .name(let name): identifier(name)
    case .window(let window): at("window", self.window(window))
    case nil: break
    }
  }

  func namedWindow(_ node: ASTNamedWindow) {
    identifier(node.name)
    write(" AS ")
    at("window", window(node.window))
  }

  private func window(_ node: ASTWindow) {
    write("(")
    var isFirst = true
    func part(_ isPresent: Bool, _ words: StaticString, _ body: () -> Void) {
      guard isPresent else { return }
      if !isFirst { write(" ") }
      isFirst = false
      write(words)
      body()
    }
    part(!node.base.isEmpty, "") { identifier(node.base) }
    part(!node.partitionBy.isEmpty, "PARTITION BY ") { list("partition_by", node.partitionBy, expression) }
    part(!node.orderBy.isEmpty, "ORDER BY ") { ordering(node.orderBy) }
    part(node.hasFrame, "") { at("frame", frame(node.frame)) }
    write(")")
  }

  private func frame(_ node: ASTFrame) {
    write(node.unit.sql)
    write(node.hasEnd ? " BETWEEN " : " ")
    at("start", bound(node.start))
    if node.hasEnd {
      write(" AND ")
      at("end", bound(node.end))
    }
    word(node.exclusion.sql)
  }

  private func bound(_ node: ASTFrameBound) {
    if node.hasOffset {
      at("offset", atom(node.offset))
      write(" ")
    }
    write(node.kind.sql)
  }
}
