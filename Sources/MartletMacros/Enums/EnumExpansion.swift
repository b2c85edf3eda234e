/// What `@Selection` writes for an enum: one optional column, or group of columns, for the value of each case.
///
/// Always true: a row holds the value of exactly one case, and NULL in the columns of the others.
import SwiftSyntax
import SwiftSyntaxBuilder

enum EnumExpansion {
  static func members(of declaration: EnumDeclSyntax, _ reporter: Reporter) -> [DeclSyntax] {
    guard let model = EnumModel(declaration, reporter) else { return [] }
    let members =
      model.names + [
        model.tableColumns, model.columnFragments, model.decoding, model.selection,
        "\(model.access.prefix)typealias Selection = Columns",
      ]
    return members.map { "\(raw: $0)" }
  }

  static func extensions(of type: some TypeSyntaxProtocol, _ protocols: [TypeSyntax]) -> [ExtensionDeclSyntax] {
    let missing = protocols.compactMap(\.lastName).map { "MartletQuery.\($0)" }
    if missing.isEmpty { return [] }
    let text = "nonisolated extension \(type.trimmedDescription): \(missing.joined(separator: ", ")) {}"
    return DeclSyntax("\(raw: text)").as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }
}

struct EnumModel {
  struct Case {
    var name: String
    var type: String
    /// The type without `Optional`, which is what the columns are made of.
    var wrapped: String
    var isOptional: Bool
    /// The label of the value within the case, with a colon.
    var label: String
  }

  var typeName: String
  var access: Access
  var cases: [Case]
  var isGeneric: Bool

  /// Nil where something was reported.
  init?(_ declaration: EnumDeclSyntax, _ reporter: Reporter) {
    var cases: [Case] = []
    var failed = false
    let parameters = declaration.genericParameterClause?.parameters.map(\.name.text) ?? []
    typeName = declaration.name.text + (parameters.isEmpty ? "" : "<\(parameters.joined(separator: ", "))>")
    isGeneric = !parameters.isEmpty
    access = Access(declaration.modifiers)
    let naming = SelfNaming(typeName)
    for member in declaration.memberBlock.members {
      guard let elements = member.decl.as(EnumCaseDeclSyntax.self)?.elements else { continue }
      for element in elements {
        guard let values = element.parameterClause?.parameters, let value = values.first, values.count == 1 else {
          failed = true
          reporter(element.name, Self.oneValue(element))
          continue
        }
        let type = naming.text(value.type)
        let wrapped = value.type.wrappedType.map(naming.text)
        let label = value.firstName.map { $0.text == "_" ? "" : "\($0.text): " } ?? ""
        cases.append(
          Case(
            name: element.name.text, type: type, wrapped: wrapped ?? type, isOptional: wrapped != nil, label: label))
      }
    }
    if cases.isEmpty, !failed {
      failed = true
      reporter(
        declaration.name,
        Message("noCases", "Give '\(declaration.name.text)' at least one case with a value: each is a column."))
    }
    if failed { return nil }
    self.cases = cases
  }

  private static func oneValue(_ element: EnumCaseElementSyntax) -> Message {
    let name = element.name.text
    return element.parameterClause == nil
      ? Message(
        "caseValue", "Give '\(name)' a value, such as `case \(name)(Bool)`: a row must tell it from the others.")
      : Message("caseValues", "Put the values of '\(name)' into one '@Selection struct': `case \(name)(Values)`.")
  }

  var names: [String] {
    [
      "\(access.prefix)typealias QueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, \(typeName)>",
      "\(access.prefix)typealias OptionalQueryColumn<Root: MartletQuery.Table>"
        + " = MartletQuery.ColumnGroup<Root, \(typeName)?>",
      "\(access.prefix)nonisolated static var columns: TableColumns { TableColumns() }",
      "\(access.prefix)nonisolated static var tableName: String { \(Plural.tableName(of: typeName.unquoted).quoted) }",
    ]
  }

  var tableColumns: String {
    let properties = cases.map { one in
      "\(access.prefix)var \(one.name): \(one.wrapped).OptionalQueryColumn<\(typeName)>"
        + " { .init(column: \(one.name.unquoted.quoted)) }"
    }
    let rows = cases.map { one in
      "columns += MartletQuery.ColumnDescription.columns(\(one.name.unquoted.quoted), of: \(one.wrapped)?.self)"
    }
    let opening = isGeneric ? "{" : "= {"
    return """
      \(access.prefix)nonisolated struct TableColumns: MartletQuery.TableDefinition {
        \(access.prefix)typealias QueryValue = \(typeName)
      \(properties.joined(separator: "\n").indented())
        \(access.prefix)init() {}
        \(access.prefix)static \(isGeneric ? "var" : "let") allColumns: [MartletQuery.ColumnDescription] \(opening)
          var columns: [MartletQuery.ColumnDescription] = []
      \(rows.joined(separator: "\n").indented(2))
          return columns
        }\(isGeneric ? "" : "()")
      }
      """
  }

  /// The value of the case, and NULL for the others.
  var columnFragments: String {
    let rows = cases.map { one in
      "if case .\(one.name)(let value) = self { fragments += (\(one.wrapped)?).fragments(of: value) }"
        + " else { fragments += (\(one.wrapped)?).fragments(of: nil) }"
    }
    return """
      \(access.prefix)nonisolated var columnFragments: [MartletQuery.QueryFragment] {
        var fragments: [MartletQuery.QueryFragment] = []
      \(rows.joined(separator: "\n").indented())
        return fragments
      }
      """
  }

  /// The case whose columns are not NULL. All columns are read, because others may follow them.
  var decoding: String {
    let reads = cases.map { "let \($0.name) = try decoder.value((\($0.wrapped)?).self)" }
    let choices = cases.map { "if let \($0.name) { self = .\($0.name)(\($0.label)\($0.name)); return }" }
    // Nothing but NULL is the case whose value may be nil.
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
          ? "fragments += value.columnFragments(named: \(one.name.unquoted.quoted))"
          : "fragments += (nil as \(one.wrapped)?).columnFragments(named: \(one.name.unquoted.quoted))"
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
