import SwiftSyntax
import SwiftSyntaxBuilder

/// The type around a function, as far as its text says.
///
/// Always true: within the type that the macro makes, `Self` would be that type, so the function's own is named.
struct FunctionScope {
  /// The declaration that the function stands in; empty outside of types.
  var around: [Syntax] = []
  /// Nil outside of types.
  var typeName: String?
  /// Its members run on an actor unless they say `nonisolated`.
  var isIsolated = false
  /// It is an actor, whose static members are not isolated.
  var isActor = false

  init(_ scope: Syntax?) {
    guard let scope else { return }
    around = [scope]
    if let extended = scope.as(ExtensionDeclSyntax.self) {
      typeName = extended.extendedType.trimmedDescription
    } else {
      typeName = scope.asProtocol((any NamedDeclSyntax).self)?.name.text
    }
    isActor = scope.is(ActorDeclSyntax.self)
    let attributes = scope.asProtocol((any WithAttributesSyntax).self)?.attributes
    isIsolated = isActor || attributes?.attribute(named: "MainActor") != nil
  }

  /// A type as it is written, without `Self` and without `!`.
  func type(_ written: TypeSyntax) -> TypeSyntax {
    var type = written.trimmed
    if let forced = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      type = "\(raw: forced.wrappedType.trimmedDescription)?"
    }
    guard let typeName else { return type }
    return "\(raw: SelfNaming(typeName).text(type))"
  }
}
