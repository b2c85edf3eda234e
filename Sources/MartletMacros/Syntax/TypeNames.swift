import SwiftSyntax
import SwiftSyntaxBuilder

/// Types as a person wrote them: optionals, and `Self`, which means another type inside of a nested one.
///
/// Always true: nothing is looked up; a macro knows a type by its text only.
extension TypeSyntax {
  /// `T` of `T?`, `T!`, `Optional<T>`, `Swift.Optional<T>` and `(T?)`; nil of other types.
  var wrappedType: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
    if let implicit = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return implicit.wrappedType.trimmed }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.type.wrappedType
    }
    guard let arguments = optionalArguments, case .type(let wrapped)? = arguments.first?.argument else { return nil }
    return wrapped.trimmed
  }

  private var optionalArguments: GenericArgumentListSyntax? {
    if let name = self.as(IdentifierTypeSyntax.self), name.name.text == "Optional" {
      return name.genericArgumentClause?.arguments
    }
    if let member = self.as(MemberTypeSyntax.self), member.name.text == "Optional",
      member.baseType.trimmedDescription == "Swift"
    {
      return member.genericArgumentClause?.arguments
    }
    return nil
  }

  var isFunction: Bool {
    if self.is(FunctionTypeSyntax.self) { return true }
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.isFunction }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.type.isFunction == true
    }
    return wrappedType?.isFunction == true
  }

  var isTuple: Bool {
    guard let tuple = self.as(TupleTypeSyntax.self) else { return false }
    return tuple.elements.count != 1
  }

  /// The name without the module before it.
  var lastName: String? {
    self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
  }

  /// The type, if it is an array of anything but bytes, a dictionary or a set.
  var collection: String? {
    if let wrapped = wrappedType { return wrapped.collection.map { "\($0)?" } }
    let bytes: Set<String> = ["UInt8", "Byte", "Swift.UInt8"]
    if let array = self.as(ArrayTypeSyntax.self) {
      return bytes.contains(array.element.trimmedDescription) ? nil : trimmedDescription
    }
    if self.is(DictionaryTypeSyntax.self) { return trimmedDescription }
    let arguments =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self).flatMap {
        $0.baseType.trimmedDescription == "Swift" ? $0.genericArgumentClause : nil
      }
    guard let arguments, let name = lastName else { return nil }
    if name == "Array" {
      return bytes.contains(arguments.arguments.trimmedDescription) ? nil : trimmedDescription
    }
    return ["Set", "Dictionary"].contains(name) ? trimmedDescription : nil
  }
}

extension GenericParameterClauseSyntax {
  /// The parameters as arguments of the type within itself: `<Value, repeat each Other>`.
  var arguments: String {
    let names = parameters.map {
      $0.specifier?.tokenKind == .keyword(.each) ? "repeat each \($0.name.text)" : $0.name.text
    }
    return "<\(names.joined(separator: ", "))>"
  }
}

/// Writes a type's own name for `Self`.
final class SelfNaming: SyntaxRewriter {
  private let name: String

  init(_ name: String) {
    self.name = name
    super.init()
  }

  override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
    guard node.name.text == "Self", node.genericArgumentClause == nil else { return super.visit(node) }
    return TypeSyntax("\(raw: name)").with(\.leadingTrivia, node.leadingTrivia)
      .with(\.trailingTrivia, node.trailingTrivia)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    guard node.baseName.text == "Self" else { return super.visit(node) }
    return ExprSyntax("\(raw: name)").with(\.leadingTrivia, node.leadingTrivia)
      .with(\.trailingTrivia, node.trailingTrivia)
  }

  func text(_ node: some SyntaxProtocol) -> String { rewrite(node.trimmed).trimmedDescription }
}

/// Who may see a declaration, from nobody to everybody.
enum Access: Int, Comparable {
  case `private`, `fileprivate`, `internal`, package, `public`

  static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }

  /// Of a member of a type.
  init(_ modifiers: DeclModifierListSyntax) { self = Self.written(modifiers) ?? .internal }

  /// Of a declaration that says nothing itself, an extension around it says it: `public extension Shop { … }`.
  init(_ modifiers: DeclModifierListSyntax, in lexicalContext: [Syntax]) {
    let around = lexicalContext.first?.as(ExtensionDeclSyntax.self)?.modifiers
    self = Self.written(modifiers) ?? around.flatMap(Self.written) ?? .internal
  }

  private static func written(_ modifiers: DeclModifierListSyntax) -> Access? {
    var access: Access?
    for modifier in modifiers where modifier.detail == nil {
      switch modifier.name.text {
      case "public", "open": access = .public
      case "package": access = .package
      case "internal": access = .internal
      case "fileprivate": access = .fileprivate
      case "private": access = .private
      default: break
      }
    }
    return access
  }

  /// The modifier of a member that may be used wherever the type is visible, with a space behind it.
  var prefix: String {
    switch self {
    case .public: "public "
    case .package: "package "
    case .internal, .fileprivate, .private: ""
    }
  }
}
