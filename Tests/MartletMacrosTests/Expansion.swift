/// Expands macros as the compiler does, for tests: the text that they make and what they say.
///
/// Always true: every macro of the plug-in is known here under the name that programs use.
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import MartletMacros

struct Expansion {
  var text: String
  /// Each with its line, its severity where it is no error, and its fix-its behind an arrow.
  var messages: [String]
  /// The source after the first fix-it.
  var fixed: String?

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded = file.expand(
      macroSpecs: Self.macros,
      contextGenerator: {
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    text =
      expanded.description.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasSuffix(" ") ? String($0.reversed().drop { $0 == " " }.reversed()) : String($0) }
      .joined(separator: "\n").trimmed
    messages = context.diagnostics.map { diagnostic in
      let line = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Test.swift").line
      return "\(line): \(diagnostic.message)" + diagnostic.fixIts.map { " → \($0.message.message)" }.joined()
    }
    fixed = context.diagnostics.lazy.compactMap(\.fixIts.first).first.map { Self.applying($0, to: source) }
  }

  /// The replaced nodes stand in copies of the declaration; their text tells where they are.
  private static func applying(_ fixIt: FixIt, to source: String) -> String {
    var result = source
    for case .replace(let old, let new) in fixIt.changes {
      result = result.replacing(old.description, with: new.description, maxReplacements: 1)
    }
    return result
  }

  private static let macros: [String: MacroSpec] = [
    "Table": MacroSpec(type: TableMacro.self, conformances: ["Table", "DraftableTable", "PrimaryKeyedTable"]),
    "Selection": MacroSpec(type: SelectionMacro.self, conformances: ["Table", "EnumTable"]),
    "Column": MacroSpec(type: MarkerMacro.self),
    "Columns": MacroSpec(type: MarkerMacro.self),
    "Ephemeral": MacroSpec(type: MarkerMacro.self),
    "CasePathable": MacroSpec(type: MarkerMacro.self),
    "DatabaseFunction": MacroSpec(type: DatabaseFunctionMacro.self),
    "sql": MacroSpec(type: SQLMacro.self),
    "bind": MacroSpec(type: BindMacro.self),
  ]
}

extension String {
  var trimmed: String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
