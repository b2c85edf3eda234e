import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@DatabaseFunction`: a Swift function that SQL can call.
///
/// Always true: beside `f` stands `$f`, which a database registers and a query calls.
enum DatabaseFunctionMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let reporter = Reporter(report: context.diagnose)
    if let scope = context.lexicalContext.first, scope.asProtocol((any DeclGroupSyntax).self) == nil {
      // The compiler does not let two declarations of a macro see each other within a function.
      reporter(node, Message("localFunction", "Move the function out of the one that holds it, into a file or a type."))
      return []
    }
    let reader = FunctionReader(
      attribute: FunctionAttribute(node, reporter), scope: FunctionScope(context.lexicalContext.first),
      reporter: reporter)
    let model: FunctionModel?
    if let function = declaration.as(FunctionDeclSyntax.self) {
      model = reader.model(of: function)
    } else if let variable = declaration.as(VariableDeclSyntax.self) {
      model = reader.model(of: variable)
    } else {
      reporter(
        node, Message("functionPlace", "Write '@DatabaseFunction' above a function or a computed property."),
        fixIts: [.replacing(node, with: "", "Remove '@DatabaseFunction'")])
      return []
    }
    guard let model else { return [] }
    return ["\(raw: model.type)", "\(raw: model.variable)"]
  }
}
