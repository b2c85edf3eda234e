/// `#sql` and `#bind`: raw SQL and bound values as expressions.
///
/// Always true: what `#sql` expands to is the literal as it was written; the check of it only reports.
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

enum SQLMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    guard let first = node.arguments.first else { return "MartletQuery.SQLQueryExpression(\"\")" }
    if let literal = first.expression.as(StringLiteralExprSyntax.self) {
      SQLCheck(literal: literal, reporter: Reporter(report: context.diagnose)).check()
    } else {
      Reporter(report: context.diagnose)(
        first.expression,
        Message(
          "sqlLiteral", "Write the SQL here as a text between quotes: a text made elsewhere may hold a user's words."))
    }
    return "MartletQuery.SQLQueryExpression(\(raw: node.arguments.map(\.trimmedDescription).joined(separator: " ")))"
  }
}

enum BindMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    "MartletQuery.BindQueryExpression(\(raw: node.arguments.map(\.trimmedDescription).joined(separator: " ")))"
  }
}
