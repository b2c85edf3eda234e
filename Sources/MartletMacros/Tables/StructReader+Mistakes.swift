import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What cannot be a table, although each column could be one.
///
/// Always true: it only reports.
extension StructReader {
  func checkEphemeral(_ variable: VariableDeclSyntax) {
    for binding in variable.bindings
    where binding.initializer == nil && binding.typeAnnotation?.type.wrappedType == nil {
      let name = binding.pattern.trimmedDescription
      reporter(
        binding.pattern,
        Message("ephemeralValue", "Give '\(name)' a value: no row brings one for an '@Ephemeral' property."),
        fixIts: [
          .replacing(binding, with: "\(binding.trimmedDescription) = <#value#>", "Give '\(name)' a value")
        ])
    }
  }

  func checkNames(_ columns: [ColumnModel]) {
    var seen: Set<String> = []
    for column in columns where !seen.insert(column.name.lowercased()).inserted {
      reporter(
        declaration.name,
        Message(
          "twoNames", "Two columns are called '\(column.name)'. Give one of them another name with '@Column(\"name\")'."
        ))
    }
  }

  /// Reports a generic parameter that is the type of a column, unless the text says that its `QueryOutput` is the
  /// parameter itself.
  func checkParameters(_ columns: [ColumnModel]) {
    guard let parameters = declaration.genericParameterClause?.parameters else { return }
    let text = declaration.genericWhereClause?.requirements.trimmedDescription ?? ""
    let said = text.filter { !$0.isWhitespace }
    for parameter in parameters {
      let name = parameter.name.text
      let isColumn = columns.contains {
        $0.representation == nil && ($0.type.wrappedType ?? $0.type).trimmedDescription == name
      }
      guard isColumn, !said.contains("\(name).QueryOutput==\(name)"), !said.contains("\(name)==\(name).QueryOutput")
      else {
        continue
      }
      reporter(
        parameter,
        Message(
          "parameterOutput",
          "Write 'where \(name).QueryOutput == \(name)' before the brace: a column gives values of its own type."))
    }
  }

  /// Reports where `all` reads its own table once more by `all`. The type is a table all the same: without what the
  /// macro writes, every other line of `all` would be an error too.
  func checkScope(_ reporter: Reporter) {
    for variable in members.compactMap({ $0.as(VariableDeclSyntax.self) })
    where variable.modifiers.contains(where: { $0.name.text == "static" }) {
      for place in ScopeMistakes.places(in: variable, of: declaration.name.text) {
        let base = place.base?.trimmedDescription ?? "Self"
        reporter(
          place,
          Message(
            "scopeReadsItself",
            "The default scope would read itself here. "
              + "Write '\(base).unscoped' wherever 'all' reads the table once more."
          ))
      }
    }
  }

  func checkKeys(
    _ keys: [(column: Int, attributes: ColumnAttributes, isExplicit: Bool)], _ columns: [ColumnModel]
  ) {
    guard role == .table, keys.count > 1 else { return }
    let place = keys.first(where: \.isExplicit)?.attributes.attribute.map(Syntax.init) ?? Syntax(declaration.name)
    if keys.contains(where: { !$0.isExplicit }) {
      reporter(
        place,
        .twoKeys(
          "'id' is the key by its name. Write '@Column(primaryKey: false)' above it, or remove 'primaryKey: true' here."
        ))
    } else {
      let names = keys.map { "'\(columns[$0.column].property)'" }.joined(separator: " and ")
      reporter(
        place,
        .twoKeys("Put \(names) into one '@Selection struct' and make that the key: `let id: ID`."))
    }
  }
}
