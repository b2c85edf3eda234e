import SwiftDiagnostics
import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

/// The members of a type that the compiler sees: those outside of `#if`, and those of the clauses that hold.
///
/// Always true: nodes are those of the source, so that what is reported of them is shown where it stands.
enum ActiveMembers {
  /// - Parameter configuration: what the program is compiled for; nil if the compiler does not tell.
  static func of(
    _ block: MemberBlockSyntax, _ configuration: (any BuildConfiguration)?, _ reporter: Reporter
  ) -> [DeclSyntax] {
    declarations(of: block.members, configuration, reporter)
  }

  private static func declarations(
    of members: MemberBlockItemListSyntax, _ configuration: (any BuildConfiguration)?, _ reporter: Reporter
  ) -> [DeclSyntax] {
    members.flatMap { member -> [DeclSyntax] in
      guard let condition = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
      guard let configuration else {
        if condition.holdsVariables {
          reporter(
            condition, Message("ifConfig", "Write '#if' around the whole type: this compiler does not say what holds."))
        }
        return []
      }
      guard case .decls(let active)? = condition.activeClause(in: configuration).clause?.elements else { return [] }
      return declarations(of: active, configuration, reporter)
    }
  }
}

extension IfConfigDeclSyntax {
  fileprivate var holdsVariables: Bool {
    clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains {
        $0.decl.is(VariableDeclSyntax.self) || $0.decl.is(EnumCaseDeclSyntax.self)
          || $0.decl.as(IfConfigDeclSyntax.self)?.holdsVariables == true
      }
    }
  }
}

extension [Syntax] {
  /// Whether what stands in these scopes is local to a function, where the compiler adds no conformance to a type.
  var isLocal: Bool {
    contains { scope in
      [.functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .subscriptDecl, .closureExpr, .codeBlock]
        .contains(scope.kind)
    }
  }

  /// Reports a type that is not seen outside of these scopes, the innermost first: what the compiler says of
  /// `extension Outer.Name`, which the macro writes beside the outermost one, names neither the place nor the remedy.
  func checkVisible(_ name: TokenSyntax, _ modifiers: DeclModifierListSyntax, _ reporter: Reporter) {
    if !isEmpty, let word = modifiers.first(where: \.isPrivate) {
      let fix = FixIt.replacing(word.name, with: "fileprivate", "Make it 'fileprivate'")
      reporter(word, .hiddenType(name.text), fixIts: [fix])
    } else if let hidden = dropLast().first(where: \.isPrivate) {
      reporter(name, .hiddenType(hidden.asProtocol((any NamedDeclSyntax).self)?.name.text ?? name.text))
    }
  }
}

extension DeclModifierSyntax {
  fileprivate var isPrivate: Bool { detail == nil && name.text == "private" }
}

extension Syntax {
  fileprivate var isPrivate: Bool {
    asProtocol((any WithModifiersSyntax).self)?.modifiers.contains(where: \.isPrivate) == true
  }

  /// Whether types within it cannot store static properties, as far as its text says.
  var isGenericScope: Bool {
    if self.is(ExtensionDeclSyntax.self) { return true }
    return asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
  }
}
