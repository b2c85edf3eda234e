/// Comes to every message of a tree, the outer ones first.
///
/// Always true: it recurses as deep as the tree, which decoding has bounded.
protocol TreeVisitor {
  mutating func came(to node: any TreeMessage)
}

extension TreeVisitor {
  mutating func visit(_ node: some TreeMessage) {
    came(to: node)
    node.visitParts(&self)
  }
}
