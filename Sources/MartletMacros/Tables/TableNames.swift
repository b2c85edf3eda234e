import SwiftParser
import SwiftSyntax

/// What stands in the parentheses of `@Table`.
struct TableNames {
  var name: String?
  var schema: String?
  /// Whether the database can fill in every column that holds a value.
  var isLazyInitializable = false

  init(_ attribute: AttributeSyntax, _ reporter: Reporter) {
    guard case .argumentList(let arguments) = attribute.arguments else { return }
    for argument in arguments {
      if argument.expression.is(NilLiteralExprSyntax.self) { continue }
      if argument.label?.text == "lazyInitializable" {
        isLazyInitializable = argument.expression.flag("lazyInitializable", reporter) ?? false
        continue
      }
      guard let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !text.isEmpty
      else {
        reporter(
          argument.expression, Message("tableName", "Write the name as a plain text: @Table(\"remindersLists\")."))
        continue
      }
      if argument.label?.text == "schema" { schema = text } else { name = text }
    }
  }
}
