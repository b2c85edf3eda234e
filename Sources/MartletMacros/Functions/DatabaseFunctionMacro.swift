/// `@DatabaseFunction`: a Swift function as one of SQL, called by `$name`.
///
/// Always true: the value beside the function only calls it; arguments are read and the result is bound in the
/// representations that the attribute names, or in the types themselves.
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

enum DatabaseFunctionMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let reporter = Reporter(report: context.diagnose)
    guard let model = FunctionModel(declaration, node, context.lexicalContext, reporter) else { return [] }
    return FunctionExpansion(model: model).declarations.map { "\(raw: $0)" }
  }
}

/// One parameter of the Swift function.
struct FunctionParameter {
  /// What the caller writes before the colon; nil: nothing.
  var label: String?
  var name: String
  /// What is read from the row.
  var queryType: String
  var defaultValue: String?
}

struct FunctionModel {
  var swiftName: String
  var sqlName: String
  var isDeterministic: Bool
  var parameters: [FunctionParameter]
  /// Of an aggregate: the types of one row's arguments, and the element that the Swift function gets.
  var elements: [String]?
  /// The representation of the result; nil: nothing is returned.
  var result: String?
  var access: Access
  var isStatic: Bool
  var isMember: Bool
  var isProperty: Bool
  var isThrowing = false
}

extension FunctionModel {
  /// Nil where something was reported.
  init?(_ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax, _ context: [Syntax], _ reporter: Reporter) {
    let isMember = context.first.map { $0.asProtocol((any DeclGroupSyntax).self) != nil } ?? false
    if let function = declaration.as(FunctionDeclSyntax.self) {
      self.init(function: function, node, isMember, reporter)
    } else if let property = declaration.as(VariableDeclSyntax.self) {
      self.init(property: property, node, isMember, reporter)
    } else {
      reporter(node, Message("functionPlace", "Write '@DatabaseFunction' above a function or a computed property."))
      return nil
    }
  }

  private init?(function: FunctionDeclSyntax, _ node: AttributeSyntax, _ isMember: Bool, _ reporter: Reporter) {
    if let clause = function.genericParameterClause {
      reporter(clause, Message("genericFunction", "Write the types themselves: SQLite knows no generic functions."))
      return nil
    }
    if let effect = function.signature.effectSpecifiers?.asyncSpecifier {
      reporter(effect, Message("asyncFunction", "Remove 'async': SQLite waits for the result and cannot suspend."))
      return nil
    }
    let arguments = FunctionArguments(node, reporter)
    let parameters = Array(function.signature.parameterClause.parameters)
    if let refused = parameters.first(where: { $0.type.trimmedDescription.hasPrefix("inout ") || $0.ellipsis != nil }) {
      reporter(
        refused, Message("parameter", "Take the value itself: SQLite gives each argument once, and takes none back."))
      return nil
    }
    let isAggregate = parameters.count == 1 && parameters[0].type.sequenceElement != nil
    let returned = function.signature.returnClause?.type.trimmedDescription
    self.init(
      swiftName: function.name.text, sqlName: arguments.name ?? function.name.text.unquoted,
      isDeterministic: arguments.isDeterministic, parameters: [], elements: nil,
      result: ["Void", "()", nil].contains(returned) ? nil : arguments.result ?? returned,
      access: Access(function.modifiers), isStatic: function.modifiers.map(\.name.text).contains("static"),
      isMember: isMember, isProperty: false,
      isThrowing: function.signature.effectSpecifiers?.throwsClause != nil)
    for (index, parameter) in parameters.enumerated() {
      let label = parameter.firstName.text
      let written = arguments.parameters.flatMap { index < $0.count ? $0[index] : nil }
      self.parameters.append(
        FunctionParameter(
          label: label == "_" ? nil : label, name: (parameter.secondName ?? parameter.firstName).text,
          queryType: written ?? parameter.type.trimmedDescription,
          defaultValue: parameter.defaultValue?.value.trimmedDescription))
    }
    if isAggregate, let element = parameters[0].type.sequenceElement {
      let written = arguments.parameters?.first.map { TypeSyntax("\(raw: $0)").sequenceElement ?? "\(raw: $0)" }
      elements = (written ?? element).tupleElements
    }
  }

  private init?(property: VariableDeclSyntax, _ node: AttributeSyntax, _ isMember: Bool, _ reporter: Reporter) {
    let arguments = FunctionArguments(node, reporter)
    guard let binding = property.bindings.first, let type = binding.typeAnnotation?.type,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    else {
      reporter(property, Message("propertyType", "Write the property's type: `var epoch: Int { … }`."))
      return nil
    }
    self.init(
      swiftName: name, sqlName: arguments.name ?? name.unquoted, isDeterministic: arguments.isDeterministic,
      parameters: [], elements: nil, result: arguments.result ?? type.trimmedDescription,
      access: Access(property.modifiers), isStatic: property.modifiers.map(\.name.text).contains("static"),
      isMember: isMember, isProperty: true)
  }
}

/// What stands in the parentheses of `@DatabaseFunction`.
struct FunctionArguments {
  var name: String?
  var isDeterministic = false
  var parameters: [String]?
  var result: String?

  init(_ node: AttributeSyntax, _ reporter: Reporter) {
    guard case .argumentList(let arguments) = node.arguments else { return }
    for argument in arguments {
      switch argument.label?.text {
      case nil:
        name = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        if name == nil {
          reporter(argument, Message("functionName", "Write the function's name as a plain text: \"past_due\"."))
        }
      case "isDeterministic": isDeterministic = argument.expression.trimmedDescription == "true"
      case "as": read(argument.expression, reporter)
      default: break
      }
    }
  }

  /// `(([String].JSONRepresentation) -> Bool).self`.
  private mutating func read(_ expression: ExprSyntax, _ reporter: Reporter) {
    var text = expression.trimmedDescription
    if text.hasSuffix(".self") { text.removeLast(5) }
    if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
    guard let function = TypeSyntax("\(raw: text)").as(FunctionTypeSyntax.self) else {
      reporter(
        expression, Message("functionType", "Write the function's type in representations: `((Int) -> Bool).self`."))
      return
    }
    parameters = function.parameters.map(\.type.trimmedDescription)
    result = function.returnClause.type.trimmedDescription
  }
}

extension TypeSyntax {
  /// `T` of `some Sequence<T>`.
  fileprivate var sequenceElement: TypeSyntax? {
    guard let some = self.as(SomeOrAnyTypeSyntax.self), some.constraint.lastName == "Sequence",
      let name = some.constraint.as(IdentifierTypeSyntax.self),
      let argument = name.genericArgumentClause?.arguments.first, case .type(let element) = argument.argument
    else { return nil }
    return element.trimmed
  }

  fileprivate var tupleElements: [String] {
    guard let tuple = self.as(TupleTypeSyntax.self) else { return [trimmedDescription] }
    return tuple.elements.map(\.type.trimmedDescription)
  }
}
