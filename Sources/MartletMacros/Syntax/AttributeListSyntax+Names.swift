import SwiftSyntax

/// Attributes by their names, and the truth values in their parentheses.
extension AttributeListSyntax {
  func attribute(named name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.attributeName.lastName == name { return attribute }
    return nil
  }
}

extension ExprSyntax {
  /// A truth value that a macro can read; nil if it cannot, which is reported.
  func flag(_ label: String, _ reporter: Reporter) -> Bool? {
    if let literal = self.as(BooleanLiteralExprSyntax.self) { return literal.literal.text == "true" }
    reporter(self, Message("flag", "Write `\(label): true` or `\(label): false`: the macro cannot compute it."))
    return nil
  }
}
