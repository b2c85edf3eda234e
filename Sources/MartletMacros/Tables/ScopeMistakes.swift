import SwiftSyntax

/// Finds where a default scope reads its own table by the default scope, which would never end.
///
/// Always true: it looks into closures alone. A query that `all` begins with is the scope itself, and is not read
/// before the scope is there.
final class ScopeMistakes: SyntaxVisitor {
  /// What a table says of itself that reads its rows by the default scope.
  private static let readers: Set = [
    "all", "where", "select", "selectStar", "distinct", "group", "having", "order", "limit", "offset", "count",
    "exists", "find", "join", "leftJoin", "rightJoin", "fullJoin", "as",
  ]

  private let name: String
  private var depth = 0
  private(set) var found: [MemberAccessExprSyntax] = []

  private init(name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  /// The places in a property `all` of the type.
  static func places(in variable: VariableDeclSyntax, of type: String) -> [MemberAccessExprSyntax] {
    guard variable.bindings.contains(where: { $0.pattern.trimmedDescription == "all" }) else { return [] }
    let mistakes = ScopeMistakes(name: type)
    mistakes.walk(variable)
    return mistakes.found
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }

  override func visitPost(_ node: ClosureExprSyntax) { depth -= 1 }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let base = node.base?.trimmedDescription
    if depth > 0, base == "Self" || base == name, Self.readers.contains(node.declName.baseName.text.unquoted),
      !isUnscoped(node)
    {
      found.append(node)
    }
    return .visitChildren
  }

  /// True if something behind it in the chain says `unscoped`.
  private func isUnscoped(_ node: MemberAccessExprSyntax) -> Bool {
    var expression = Syntax(node)
    while let parent = expression.parent {
      if let member = parent.as(MemberAccessExprSyntax.self), member.base?.id == expression.id {
        if member.declName.baseName.text == "unscoped" { return true }
      } else if parent.as(FunctionCallExprSyntax.self)?.calledExpression.id != expression.id {
        return false
      }
      expression = parent
    }
    return false
  }
}
