import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The macros that the compiler may ask this plug-in to expand.
///
/// Always true: each macro that `Sources/Martlet` declares is listed here.
@main
struct MartletPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    TableMacro.self, SelectionMacro.self, MarkerMacro.self, DatabaseFunctionMacro.self, SQLMacro.self, BindMacro.self,
  ]
}
