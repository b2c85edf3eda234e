import SwiftSyntax
import SwiftSyntaxBuilder

/// Puts a macro's argument that has closures into a closure whose type no other closure has.
///
/// Always true: version 6.3 of the compiler numbers the closures of an expansion anew, so within a closure one of them
/// may be taken for another of the same type, and a query would get the conditions of another query. Within a closure
/// of another type they have names of their own.
enum ShelteredClosures {
  static func sheltering(_ expression: ExprSyntax) -> ExprSyntax {
    guard let literal = expression.as(StringLiteralExprSyntax.self) else { return sheltered(expression) }
    var result = literal
    result.segments = StringLiteralSegmentListSyntax(
      literal.segments.map { segment in
        guard case .expressionSegment(var interpolation) = segment else { return segment }
        interpolation.expressions = LabeledExprListSyntax(
          interpolation.expressions.map { $0.with(\.expression, sheltered($0.expression)) })
        return .expressionSegment(interpolation)
      })
    return ExprSyntax(result)
  }

  private static func sheltered(_ expression: ExprSyntax) -> ExprSyntax {
    guard hasClosures(Syntax(expression)) else { return expression }
    let renaming = OuterParameters()
    let body = ExprSyntax(renaming.rewrite(expression.trimmed)) ?? expression
    let numbers = renaming.numbers.sorted()
    let names = numbers.map { ", outer\($0)" }.joined()
    let values = numbers.map { ", $\($0)" }.joined()
    return """
      \(raw: effects(of: body))\
      { (_: MartletQuery.NullLiteral\(raw: names)) in \(raw: body.description) }(nil\(raw: values))
      """
  }

  /// A `try` or `await` that begins an expression has to stand in front of the call of the closure around it too.
  private static func effects(of expression: ExprSyntax) -> String {
    if let attempt = expression.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil {
      return "try " + effects(of: attempt.expression)
    }
    return expression.is(AwaitExprSyntax.self) ? "await " : ""
  }

  /// `??`, `&&` and `||` make closures of their right side.
  private static func hasClosures(_ node: Syntax) -> Bool {
    if node.is(ClosureExprSyntax.self) { return true }
    if let symbol = node.as(BinaryOperatorExprSyntax.self) {
      return ["??", "&&", "||"].contains(symbol.operator.text)
    }
    return node.children(viewMode: .sourceAccurate).contains(where: hasClosures)
  }
}

/// Gives `$0` of the closure around an expression another name: within the sheltering closure `$0` would be that
/// closure's own.
private final class OuterParameters: SyntaxRewriter {
  private(set) var numbers: Set<Int> = []

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    let name = node.baseName.text
    guard name.hasPrefix("$"), let number = Int(name.dropFirst()) else { return ExprSyntax(node) }
    numbers.insert(number)
    return ExprSyntax(node.with(\.baseName, .identifier("outer\(number)")))
  }

  /// A closure without names for its parameters has a `$0` of its own.
  override func visit(_ node: ClosureExprSyntax) -> ExprSyntax {
    node.signature?.parameterClause == nil ? ExprSyntax(node) : super.visit(node)
  }
}
