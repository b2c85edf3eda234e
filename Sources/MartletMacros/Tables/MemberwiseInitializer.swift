import SwiftSyntax

/// Whether the compiler gives a struct an initializer of its stored properties that its expansion can call.
///
/// Always true: if the text leaves a doubt the result is false, because the expansion has another way.
enum MemberwiseInitializer {
  static func isThere(for declaration: StructDeclSyntax, _ members: [DeclSyntax]) -> Bool {
    let isPlain = declaration.attributes.allNames.isSubset(of: ["Table", "Selection", "available"])
    return isPlain
      && members.allSatisfy { member in
        // An initializer of the struct's own takes its place.
        if member.is(InitializerDeclSyntax.self) { return false }
        return member.as(VariableDeclSyntax.self).map(keepsItPlain) ?? true
      }
  }

  /// No property wrapper takes the property's place, and its initial value is not isolated to the main actor; otherwise
  /// the initializer would be isolated too.
  private static func keepsItPlain(_ variable: VariableDeclSyntax) -> Bool {
    let modifiers = variable.modifiers.map(\.name.text)
    if modifiers.contains("static") { return true }
    let attributes = variable.attributes.allNames
    let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
    guard attributes.isSubset(of: ["Column", "Columns", "Ephemeral"]), !(isConstant && attributes.contains("Ephemeral"))
    else { return false }
    return variable.bindings.allSatisfy { $0.initializer?.value.isOfNoActor ?? true }
  }
}

extension AttributeListSyntax {
  /// The names of all attributes; one in `#if` counts as an empty name, which no attribute has.
  fileprivate var allNames: Set<String> {
    Set(map { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription ?? "" })
  }
}

extension ExprSyntax {
  /// A literal, a member of the property's type, or a new value of Foundation's.
  fileprivate var isOfNoActor: Bool {
    if isPlainLiteral || self.is(NilLiteralExprSyntax.self) { return true }
    if let array = self.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
    if let dictionary = self.as(DictionaryExprSyntax.self) {
      if case .elements = dictionary.content { return false }
      return true
    }
    if let member = self.as(MemberAccessExprSyntax.self) { return member.base == nil }
    return ["Date()", "UUID()", "Date.now", "Data()"].contains(trimmedDescription)
  }
}
