import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Reads functions and computed properties that SQL is to call.
///
/// Always true: it reports every mistake it finds, and returns a model only if it found none.
struct FunctionReader {
  let attribute: FunctionAttribute
  let scope: FunctionScope
  let reporter: Reporter

  func model(of function: FunctionDeclSyntax) -> FunctionModel? {
    guard isCallable(function) else { return nil }
    let parameters = Array(function.signature.parameterClause.parameters)
    var model = self.model(function.name.text, function.modifiers, function.signature.returnClause?.type)
    model.isThrowing = function.signature.effectSpecifiers?.throwsClause != nil
    model.reference =
      parameters.isEmpty
      ? function.name.text : "\(function.name.text)(\(parameters.map { "\($0.firstName.text.label):" }.joined()))"
    if let sequence = parameters.first(where: { $0.type.sequenceElement != nil }) {
      guard parameters.count == 1, let element = sequence.type.sequenceElement.map(scope.type) else {
        reporter(
          sequence.type,
          Message(
            "sequenceAndMore",
            "Give the sequence a tuple of what one row brings: `some Sequence<(String, separator: String)>`."))
        return nil
      }
      model.kind = .aggregate(element: element.trimmedDescription)
      model.arguments = arguments(ofRow: element, sequence)
    } else {
      model.arguments = parameters.enumerated().map { argument($1, at: $0) }
    }
    return checked(model, function.name)
  }

  func model(of variable: VariableDeclSyntax) -> FunctionModel? {
    guard let binding = variable.bindings.first, variable.bindings.count == 1,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier, binding.accessorBlock != nil,
      let type = binding.typeAnnotation?.type
    else {
      reporter(
        variable,
        Message("storedFunction", "Compute the property: `var isEnabled: Bool { … }`, or write a function."))
      return nil
    }
    var model = self.model(name.text, variable.modifiers, type)
    if let block = binding.accessorBlock, case .accessors(let accessors) = block.accessors {
      model.isThrowing = accessors.contains { $0.effectSpecifiers?.throwsClause != nil }
    }
    let call = (scope.typeName != nil ? model.isStatic ? "Self." : "self." : "") + name.text
    model.isProperty = true
    model.reference = "{ \(model.isThrowing ? "try " : "")\(call) }"
    return checked(model, name)
  }

  private func model(_ name: String, _ modifiers: DeclModifierListSyntax, _ result: TypeSyntax?) -> FunctionModel {
    let value = result.flatMap { $0.isVoid ? nil : scope.type($0).trimmedDescription }
    return FunctionModel(
      kind: .scalar, swiftName: name.unquoted, name: attribute.name ?? name.unquoted, arguments: [], reference: name,
      result: value.map { attribute.resultType ?? $0 }, resultType: value ?? "Void", isThrowing: false,
      isDeterministic: attribute.isDeterministic, access: modifiers.accessWritten,
      memberAccess: Access(modifiers, in: scope.around).prefix,
      isStatic: modifiers.contains { ["static", "class"].contains($0.name.text) })
  }

  // MARK: - Arguments

  private func argument(_ parameter: FunctionParameterSyntax, at index: Int) -> FunctionModel.Argument {
    FunctionModel.Argument(
      label: parameter.firstName.text.label, name: (parameter.secondName ?? parameter.firstName).text,
      type: scope.type(parameter.type.withoutOwnership), representation: representation(at: index),
      defaultValue: parameter.defaultValue?.value.trimmedDescription)
  }

  /// One row's values: a tuple's elements, or one value under the parameter's label.
  private func arguments(
    ofRow element: TypeSyntax, _ parameter: FunctionParameterSyntax
  ) -> [FunctionModel.Argument] {
    guard let tuple = element.as(TupleTypeSyntax.self), tuple.elements.count > 1 else {
      return [
        FunctionModel.Argument(
          label: parameter.firstName.text.label, name: "value0", type: element, representation: representation(at: 0)
        )
      ]
    }
    return tuple.elements.enumerated().map { index, element in
      FunctionModel.Argument(
        label: (element.firstName?.text ?? (index == 0 ? parameter.firstName.text : "_")).label,
        name: "value\(index)",
        type: element.type.trimmed, representation: representation(at: index))
    }
  }

  private func representation(at index: Int) -> String? {
    guard let types = attribute.parameterTypes, index < types.count else { return nil }
    return types[index]
  }

  // MARK: - Mistakes

  private func isCallable(_ function: FunctionDeclSyntax) -> Bool {
    if let async = function.signature.effectSpecifiers?.asyncSpecifier {
      reporter(
        async, Message("asyncFunction", "Remove 'async': SQLite waits for the answer."),
        fixIts: [.replacing(async, with: "", "Remove 'async'")])
      return false
    }
    if let actor = function.attributes.attribute(named: "MainActor") {
      reporter(
        actor,
        Message("isolatedFunction", "Make it 'nonisolated': SQLite calls it on the thread of the statement."),
        fixIts: [.replacing(actor, with: "nonisolated", "Make it 'nonisolated'")])
      return false
    }
    let modifiers = function.modifiers.map(\.name.text)
    let isFree = modifiers.contains("nonisolated") || (scope.isActor && modifiers.contains("static"))
    if scope.isIsolated, !isFree {
      reporter(
        function.name,
        Message("isolatedFunction", "Make it 'nonisolated': SQLite calls it on the thread of the statement."))
      return false
    }
    if let mutating = function.modifiers.first(where: { $0.name.text == "mutating" }) {
      reporter(
        mutating, Message("mutatingFunction", "Remove 'mutating': SQL calls the function of a value that stays."))
      return false
    }
    if let generics = function.genericParameterClause {
      reporter(generics, Message("genericFunction", "Write the types themselves: SQL calls one function."))
      return false
    }
    return takesColumns(function) && givesColumn(function)
  }

  /// Whether a column can hold each argument, as far as the text of its type says.
  private func takesColumns(_ function: FunctionDeclSyntax) -> Bool {
    for parameter in function.signature.parameterClause.parameters {
      if parameter.ellipsis != nil {
        reporter(parameter.type, Message("variadicFunction", "Write each argument: SQL calls it with as many."))
        return false
      }
      let type = parameter.type.withoutOwnership
      let isInout = type.as(AttributedTypeSyntax.self)?.specifiers.isEmpty == false
      if attribute.parameterTypes == nil, isCollection(type.sequenceElement ?? type, parameter.type) { return false }
      // The rows of a group are lent to the function, and stay with whoever reads them.
      let isOwnedSequence = type.sequenceElement != nil && parameter.type.sequenceElement == nil
      if isInout || isOwnedSequence || type.isFunction || (type.isTuple && type.sequenceElement == nil) {
        reporter(parameter.type, Message("argumentType", "Take a value that a column can hold."))
        return false
      }
    }
    return true
  }

  /// Whether a column can hold the result, as far as the text of its type says.
  private func givesColumn(_ function: FunctionDeclSyntax) -> Bool {
    guard attribute.resultType == nil, let result = function.signature.returnClause?.type else { return true }
    if isCollection(result, result) { return false }
    if result.isFunction || (result.isTuple && !result.isVoid) {
      reporter(result, Message("resultType", "Return a value that a column can hold."))
      return false
    }
    return true
  }

  /// Reports a type that holds many values, at its place in the source.
  private func isCollection(_ type: TypeSyntax, _ place: TypeSyntax) -> Bool {
    guard let collection = type.collection else { return false }
    reporter(
      place,
      Message(
        "functionCollection",
        "SQL gives it one value. For JSON say so in 'as:': \(collection).JSONRepresentation."
      ))
    return true
  }

  private func checked(_ model: FunctionModel, _ name: TokenSyntax) -> FunctionModel? {
    if let types = attribute.parameterTypes, types.count != model.arguments.count {
      reporter(
        name,
        Message("typeCount", "Write \(model.arguments.count) types in 'as:', one for each argument of '\(name.text)'."))
      return nil
    }
    return model
  }
}

extension DeclModifierListSyntax {
  /// The access as it is written, with a space behind it.
  var accessWritten: String {
    let words: Set<String> = ["public", "package", "internal", "fileprivate", "private", "open"]
    let word = first { $0.detail == nil && words.contains($0.name.text) }?.name.text
    return word.map { "\($0 == "open" ? "public" : $0) " } ?? ""
  }
}
