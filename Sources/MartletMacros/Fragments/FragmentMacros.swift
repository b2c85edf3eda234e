import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `#sql` and `#bind`: raw SQL whose text is looked at while it is compiled, and values in a representation of choice.
///
/// Always true: the text reaches the builder as an interpolated literal, so values in it are bound and never pasted.
enum SQLMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    guard let text = node.arguments.first else { return "MartletQuery.SQLQueryExpression(\"\")" }
    if let literal = text.expression.as(StringLiteralExprSyntax.self) {
      var lint = SQLLint(literal, Reporter(report: context.diagnose))
      lint.run()
    }
    // Without the type, a literal alone would be a value of `String`.
    let sheltered = ShelteredClosures.sheltering(text.expression.trimmed)
    let fragment = "\(sheltered) as MartletQuery.QueryFragment"
    guard let type = node.arguments.dropFirst().first else {
      return "MartletQuery.SQLQueryExpression(\(raw: fragment))"
    }
    return "MartletQuery.SQLQueryExpression(\(raw: fragment), as: \(type.expression.trimmed))"
  }
}

enum BindMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    let arguments = node.arguments.map { $0.with(\.expression, ShelteredClosures.sheltering($0.expression)) }
    return "MartletQuery.BindQueryExpression(\(LabeledExprListSyntax(arguments).trimmed))"
  }
}
