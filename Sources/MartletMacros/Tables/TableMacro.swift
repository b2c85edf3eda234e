import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Table` and `@Selection`: the members that make a struct a table or the rows of a query.
///
/// Always true: both expand to the same members; if both stand above one type, `@Table` writes them and `@Selection`
/// nothing. Mistakes in an enum are reported by the extension, because the compiler asks for the members of an enum
/// only if something uses them.
enum TableMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let reporter = Reporter(report: context.diagnose)
    if let structure = declaration.as(StructDeclSyntax.self) {
      return StructExpansion.members(of: structure, .table, node, context, reporter)
    }
    // In JSON documents, too, the cases of an enum are its columns, as they are in the columns of a table.
    if let enumeration = declaration.as(EnumDeclSyntax.self) {
      return EnumExpansion.members(of: enumeration, context)
    }
    reporter(
      declaration.introducer,
      Message("tableClass", "A table is a struct: its rows are values. Write 'struct' here."),
      fixIts: [.replacing(declaration.introducer, with: "struct", "Make it a 'struct'")])
    return []
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    if let structure = declaration.as(StructDeclSyntax.self) {
      return StructExpansion.extensions(of: structure, .table, node, type, protocols, context)
    }
    guard let enumeration = declaration.as(EnumDeclSyntax.self) else { return [] }
    return EnumExpansion.extensions(of: enumeration, type, protocols, context)
  }
}

enum SelectionMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let reporter = Reporter(report: context.diagnose)
    if declaration.attributes.attribute(named: "Table") != nil { return [] }
    if let structure = declaration.as(StructDeclSyntax.self) {
      return StructExpansion.members(of: structure, .selection, node, context, reporter)
    }
    if let enumeration = declaration.as(EnumDeclSyntax.self) {
      return EnumExpansion.members(of: enumeration, context)
    }
    reporter(
      declaration.introducer,
      Message("selectionClass", "A selection is a struct or an enum: its rows are values. Write 'struct' here."),
      fixIts: [.replacing(declaration.introducer, with: "struct", "Make it a 'struct'")])
    return []
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    if declaration.attributes.attribute(named: "Table") != nil { return [] }
    if let structure = declaration.as(StructDeclSyntax.self) {
      return StructExpansion.extensions(of: structure, .selection, node, type, protocols, context)
    }
    guard let enumeration = declaration.as(EnumDeclSyntax.self) else { return [] }
    return EnumExpansion.extensions(of: enumeration, type, protocols, context)
  }
}

/// `@Column`, `@Columns`, `@Ephemeral` and `@CasePathable` tell the macros around them something, and add nothing.
enum MarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = node.attributeName.trimmedDescription
    let isInPlace =
      name == "CasePathable"
      ? declaration.is(EnumDeclSyntax.self)
      : declaration.is(VariableDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self)
    if !isInPlace {
      let place = name == "CasePathable" ? "an enum" : "a property of a '@Table' or '@Selection' type"
      Reporter(report: context.diagnose)(
        node, Message("markPlace", "Write '@\(name)' above \(place)."),
        fixIts: [.replacing(node, with: "", "Remove '@\(name)'")])
    }
    return []
  }
}
