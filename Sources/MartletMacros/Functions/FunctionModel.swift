import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A Swift function as SQL will call it: its name, its arguments and its result.
///
/// Always true: a function that was read without an error can be called from several threads at the same
/// time, with values only.
struct FunctionModel {
  struct Argument {
    /// `_` if the call has none.
    var label: String
    var name: String
    var type: TypeSyntax
    var representation: String?
    var defaultValue: String?

    var queryType: String { representation ?? type.trimmedDescription }
  }

  enum Kind: Equatable {
    case scalar
    /// Of a sequence of rows; the parameter's label in Swift.
    case aggregate(element: String)
  }

  var kind: Kind
  /// The Swift function, without backticks.
  var swiftName: String
  var name: String
  var arguments: [Argument]
  /// The Swift function's parameters, as a reference to it names them.
  var reference: String
  /// Nil: nothing.
  var result: String?
  var resultType: String
  var isThrowing: Bool
  var isDeterministic: String
  /// As it is written, with a space behind it.
  var access: String
  /// Of the members of its type, which an extension around the function may make public.
  var memberAccess: String
  var isStatic: Bool
  /// It is a property, which a query names without parentheses.
  var isProperty = false
}

/// What stands in the parentheses of `@DatabaseFunction`.
struct FunctionAttribute {
  var name: String?
  var isDeterministic = "false"
  var parameterTypes: [String]?
  var resultType: String?

  init(_ node: AttributeSyntax, _ reporter: Reporter) {
    guard case .argumentList(let arguments) = node.arguments else { return }
    for argument in arguments {
      switch argument.label?.text {
      case nil:
        if let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
          name = text.isEmpty ? nil : text
        } else {
          reporter(argument.expression, Message("functionName", "Write the function's name as a plain text."))
        }
      case "isDeterministic": isDeterministic = argument.expression.trimmedDescription
      case "as": readTypes(argument.expression, reporter)
      default: break
      }
    }
  }

  private mutating func readTypes(_ expression: ExprSyntax, _ reporter: Reporter) {
    var type: TypeSyntax?
    if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      type = TypeSyntax("\(raw: base.trimmedDescription)")
    }
    if let tuple = type?.as(TupleTypeSyntax.self), tuple.elements.count == 1 { type = tuple.elements.first?.type }
    guard let function = type?.as(FunctionTypeSyntax.self) else {
      reporter(
        expression,
        Message("functionTypes", "Write the types as a function's: `as: (([String].JSONRepresentation) -> Bool).self`.")
      )
      return
    }
    parameterTypes = function.parameters.map {
      $0.type.sequenceElement?.trimmedDescription ?? $0.type.trimmedDescription
    }
    resultType = function.returnClause.type.trimmedDescription
  }
}

extension TypeSyntax {
  /// `T` of `some Sequence<T>` and `any Sequence<T>`.
  var sequenceElement: TypeSyntax? {
    guard let opaque = self.as(SomeOrAnyTypeSyntax.self),
      let name = opaque.constraint.as(IdentifierTypeSyntax.self), ["Sequence", "Collection"].contains(name.name.text),
      let argument = name.genericArgumentClause?.arguments.first, case .type(let element) = argument.argument
    else { return nil }
    return element.trimmed
  }

  /// Without the words that say who owns a parameter, which matter to no caller.
  var withoutOwnership: TypeSyntax {
    guard let attributed = self.as(AttributedTypeSyntax.self),
      attributed.specifiers.allSatisfy({ $0.isOwnership })
    else { return self }
    return attributed.attributes.isEmpty ? attributed.baseType.trimmed : TypeSyntax(attributed.with(\.specifiers, []))
  }

  var isVoid: Bool {
    let text = trimmedDescription
    return text == "Void" || text == "()" || text == "Swift.Void"
  }
}

extension TypeSpecifierListSyntax.Element {
  fileprivate var isOwnership: Bool {
    guard case .simpleTypeSpecifier(let specifier) = self else { return false }
    return ["borrowing", "consuming", "__owned", "__shared"].contains(specifier.specifier.text)
  }
}
