import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Selection` and `@Table` write for an enum: one optional column, or group of columns, for each case's value.
///
/// Always true: a row holds the value of exactly one case, and NULL in the columns of the others.
enum EnumExpansion {
  static func members(
    of declaration: EnumDeclSyntax, _ context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let model = EnumReader.model(of: declaration, context, .silent) else { return [] }
    let members =
      model.names + [
        model.tableColumns, model.caseColumns, model.columnWidth, model.columnFragments, model.decoding,
        model.selection,
        "\(model.access.prefix)typealias Selection = Columns", model.types,
      ]
    return members.map { "\(raw: $0)" }
  }

  /// Mistakes are reported here: the compiler asks for the members of an enum only if somebody uses them.
  static func extensions(
    of declaration: EnumDeclSyntax, _ type: some TypeSyntaxProtocol, _ protocols: [TypeSyntax],
    _ context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    guard let model = EnumReader.model(of: declaration, context, Reporter(report: context.diagnose)) else { return [] }
    let wanted = RowCode.conformances + ["EnumTable"]
    let missing = protocols.compactMap(\.lastName).filter(wanted.contains).map { "MartletQuery.\($0)" }
    if missing.isEmpty { return [] }
    let text = """
      nonisolated extension \(type.trimmedDescription): \(missing.joined(separator: ", ")) {
      \(model.check.indented())
      }
      """
    return DeclSyntax("\(raw: text)").as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }
}

extension EnumModel {
  var names: [String] {
    [
      "\(access.prefix)typealias QueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, \(typeName)>",
      "\(access.prefix)typealias OptionalQueryColumn<Root: MartletQuery.Table>"
        + " = MartletQuery.ColumnGroup<Root, \(typeName)?>",
      "\(access.prefix)nonisolated static var columns: TableColumns { TableColumns() }",
      "\(access.prefix)nonisolated static func placedColumns(in place: MartletQuery.ColumnPlace) -> TableColumns"
        + " { TableColumns(in: place) }",
      "\(access.prefix)nonisolated static var tableName: String { \(Plural.tableName(of: typeName.unquoted).quoted) }",
      "\(access.prefix)nonisolated static var defaultScope: MartletQuery.DefaultScope { MartletQuery.DefaultScope() }",
    ]
  }

  var tableColumns: String {
    let properties = cases.map { one in
      "\(access.prefix)var \(one.name): \(one.wrapped).OptionalQueryColumn<\(typeName)>"
        + " { .init(column: \(one.columnName.quoted), in: columnPlace) }"
    }
    return """
      \(access.prefix)nonisolated struct TableColumns: MartletQuery.TableDefinition {
        \(access.prefix)typealias QueryValue = \(typeName)
      \(properties.joined(separator: "\n").indented())
      \(RowCode.columnPlace(access.prefix).joined(separator: "\n").indented())
        \(access.prefix)static var allColumns: [MartletQuery.ColumnDescription] {
          \(typeName).caseColumns.flatMap { $0 }
        }
      }
      """
  }

  /// The columns of each case.
  var caseColumns: String {
    let rows = cases.map { one in
      let value =
        "MartletQuery.ColumnDescription.columns("
        + "\(one.columnName.quoted), of: (\(one.wrapped)).self, property: \(one.codingKeys.value.quoted))"
      return "cases.append(MartletQuery.ColumnDescription.enumCase("
        + "\(one.codingKeys.name.quoted), \(value), isOptional: \(one.isOptional)))"
    }
    let type = "[[MartletQuery.ColumnDescription]]"
    let modifiers = "\(access.prefix)nonisolated static"
    return """
      \(modifiers) \(isGeneric ? "var caseColumns: \(type) {" : "let caseColumns: \(type) = {")
        var cases: \(type) = []
      \(rows.joined(separator: "\n").indented())
        return MartletQuery.ColumnDescription.distinct(cases: cases)
      }\(isGeneric ? "" : "()")
      """
  }

  /// The cases' types under names that the extension sees too, wherever the enum stands.
  var types: String {
    let rows = cases.enumerated().map { "\(access.prefix)typealias Value\($0) = \($1.wrapped)" }
    return """
      \(access.prefix)nonisolated enum ColumnTypes {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  /// Nobody calls it. The compiler checks the members of an enum only if somebody uses them, but it always checks the
  /// extension. So a case whose type is no column, or not what is stored, is an error here. If version 6.3 of the
  /// compiler finds the mistake only while it makes code of the members, it crashes or never ends.
  var check: String {
    let rows = cases.enumerated().map { index, one in
      """
      _ = MartletQuery.ColumnDescription.columns(\(one.columnName.quoted), of: ColumnTypes.Value\(index).self)
      if case .\(one.name)(let value) = self { (ColumnTypes.Value\(index)?).bind(value, into: &fragments) }
      """
    }
    return """
      private func checkColumns() {
        var fragments: [MartletQuery.QueryFragment] = []
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  var columnWidth: String { RowCode.columnWidth(of: cases.map(\.wrapped), "\(access.prefix)nonisolated ") }

  /// The value of the case, and NULL for the others. Only the case that decoding makes of a row of NULLs may have
  /// nothing but NULLs.
  var columnFragments: String {
    let ofNULLs = cases.first(where: \.isOptional)?.name
    let rows = cases.map { one in
      let value =
        one.name == ofNULLs
        ? "(\(one.wrapped)?).bind(value, into: &fragments)"
        : "MartletQuery.ColumnDescription.bindCase("
          + "\(one.name.unquoted.quoted), value, as: (\(one.wrapped)?).self, into: &fragments)"
      return
        "if case .\(one.name)(let value) = self { \(value) } else { (\(one.wrapped)?).bind(nil, into: &fragments) }"
    }
    return RowCode.columnFragments(rows, "\(access.prefix)nonisolated ")
  }

  /// The case whose columns are not NULL. All columns are read, because others may follow them.
  var decoding: String {
    let reads = cases.enumerated().map { "let value\($0) = try decoder.value((\($1.wrapped)?).self)" }
    let choices = cases.enumerated().map {
      "if let value\($0) { self = .\($1.name)(\($1.label)value\($0)); return }"
    }
    // If all columns are NULL, it is the case whose value may be nil.
    let last = cases.first(where: \.isOptional).map { "self = .\($0.name)(\($0.label)nil)" }
    return """
      \(access.prefix)nonisolated init(decoder: inout some MartletQuery.QueryDecoder) throws {
      \(reads.joined(separator: "\n").indented())
      \(choices.joined(separator: "\n").indented())
        \(last ?? "throw MartletQuery.QueryDecodingError.missingRequiredColumn")
      }
      """
  }

  /// A case as an expression: `Kind.Columns.note($0.text)`.
  var selection: String {
    let functions = cases.map { chosen in
      let rows = cases.map { one in
        one.name == chosen.name
          ? "fragments += value.columnFragments(named: \(one.columnName.quoted))"
          : "fragments += (nil as \(one.wrapped)?).columnFragments(named: \(one.columnName.quoted))"
      }
      return """
        \(access.prefix)static func \(chosen.name)(_ value: some MartletQuery.QueryExpression<\(chosen.type)>) -> Self {
          var fragments: [MartletQuery.QueryFragment] = []
        \(rows.joined(separator: "\n").indented())
          return Self(columnFragments: fragments)
        }
        """
    }
    return """
      \(access.prefix)nonisolated struct Columns: MartletQuery.QueryExpression {
        \(access.prefix)typealias QueryValue = \(typeName)
        \(access.prefix)let columnFragments: [MartletQuery.QueryFragment]
        \(access.prefix)var queryFragment: MartletQuery.QueryFragment {
          MartletQuery.QueryFragment(row: columnFragments)
        }

      \(functions.joined(separator: "\n\n").indented())
      }
      """
  }
}
