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
    guard let model = EnumModel(declaration, context, .silent) else { return [] }
    let members =
      model.names + [
        model.tableColumns, model.caseColumns, model.columnWidth, model.columnFragments, model.decoding,
        model.selection,
        "\(model.access.prefix)typealias Selection = Columns", model.types,
      ]
    return members.map { "\(raw: $0)" }
  }

  /// Mistakes are reported here: the compiler asks for the members of an enum only where somebody uses them.
  static func extensions(
    of declaration: EnumDeclSyntax, _ type: some TypeSyntaxProtocol, _ protocols: [TypeSyntax],
    _ context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    guard let model = EnumModel(declaration, context, Reporter(report: context.diagnose)) else { return [] }
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

struct EnumModel {
  struct Case {
    var name: String
    var columnName: String
    var type: String
    /// The type, or the representation, without `Optional`, which is what the columns are made of.
    var wrapped: String
    var isOptional: Bool
    /// The label of the value within the case, with a colon.
    var label: String
    /// What the enum's `Codable` conformance calls the case, and the value within it.
    var codingKeys: (name: String, value: String)
  }

  var typeName: String
  var access: Access
  var cases: [Case]
  var isGeneric: Bool

  /// Nil where something was reported.
  init?(_ declaration: EnumDeclSyntax, _ context: some MacroExpansionContext, _ reporter: Reporter) {
    let lexicalContext = context.lexicalContext
    guard !lexicalContext.isLocal else {
      reporter(declaration.name, .localTable(declaration.name))
      return nil
    }
    var cases: [Case] = []
    var failed = false
    typeName = declaration.name.text + (declaration.genericParameterClause?.arguments ?? "")
    isGeneric = declaration.genericParameterClause != nil || lexicalContext.contains(where: \.isGenericScope)
    access = Access(declaration.modifiers)
    let naming = SelfNaming(typeName)
    let names = CodingKeyNames(of: declaration.memberBlock)
    let members = ActiveMembers.of(declaration.memberBlock, context.buildConfiguration, reporter)
    for declared in members.compactMap({ $0.as(EnumCaseDeclSyntax.self) }) {
      let attributes = ColumnAttributes(declared.attributes, naming: naming, reporter)
      for element in declared.elements {
        guard let values = element.parameterClause?.parameters, let value = values.first, values.count == 1 else {
          failed = true
          Self.refuse(element, reporter)
          continue
        }
        guard Self.isColumn(value.type, of: element, declared, attributes, in: typeName, reporter) else {
          failed = true
          continue
        }
        let isOptional = value.type.wrappedType != nil
        var wrapped = naming.text(value.type.wrappedType ?? value.type)
        if let representation = attributes.representation {
          wrapped = TypeSyntax("\(raw: representation)").wrappedType?.trimmedDescription ?? representation
        }
        let label = value.firstName.flatMap { $0.text == "_" ? nil : $0.text }
        let name = element.name.text.unquoted
        let valueNames = CodingKeyNames(
          "\(name.prefix(1).uppercased())\(name.dropFirst())CodingKeys", of: declaration.memberBlock)
        cases.append(
          Case(
            name: element.name.text, columnName: attributes.name ?? name,
            type: isOptional ? "\(wrapped)?" : wrapped, wrapped: wrapped, isOptional: isOptional,
            label: label.map { "\($0): " } ?? "", codingKeys: (names[name], valueNames[label ?? "_0"])))
      }
    }
    if cases.isEmpty, !failed {
      failed = true
      reporter(
        declaration.name,
        Message("noCases", "Give '\(declaration.name.text)' at least one case with a value: each is a column."))
    }
    let counting = Reporter { diagnostic in
      failed = true
      reporter.report(diagnostic)
    }
    ReservedNames.check(cases: cases, of: declaration, counting)
    if failed { return nil }
    self.cases = cases
  }

  /// Whether the text of a case's type may mean a column or a group; reports where it cannot.
  private static func isColumn(
    _ type: TypeSyntax, of element: EnumCaseElementSyntax, _ declared: EnumCaseDeclSyntax,
    _ attributes: ColumnAttributes, in typeName: String, _ reporter: Reporter
  ) -> Bool {
    let name = element.name.text.unquoted
    if type.isFunction || type.isTuple {
      let what = type.isFunction ? "A function" : "A tuple"
      reporter(
        type,
        Message("noCaseType", "\(what) cannot be stored in a column. Give '\(name)' a value, or a '@Selection' struct.")
      )
      return false
    }
    if (type.wrappedType ?? type).trimmedDescription == typeName {
      reporter(type, Message("recursive", "Give '\(name)' another value: a row has no end of columns."))
      return false
    }
    guard attributes.representation == nil, let collection = type.collection else { return true }
    let fix = "@Column(as: \(collection).JSONRepresentation.self)"
    let isAlone = declared.elements.count == 1 && attributes.attribute == nil
    reporter(
      type,
      Message("collection", "A column is one value. For JSON write '\(fix)' above '\(name)'."),
      fixIts: isAlone ? [.inserting(fix, before: declared, "Write '\(fix)'")] : [])
    return false
  }

  private static func refuse(_ element: EnumCaseElementSyntax, _ reporter: Reporter) {
    let name = element.name.text
    guard element.parameterClause == nil else {
      reporter(
        element,
        Message("caseValues", "Put the values of '\(name)' into one '@Selection struct': a case has one value."))
      return
    }
    reporter(
      element.name,
      Message("caseValue", "Give the case '\(name)' a value, which is its column: `case \(name)(Bool)`."),
      fixIts: [.replacing(element.name, with: "\(name)(Bool)", "Give it a 'Bool'")])
  }

  var names: [String] {
    [
      "\(access.prefix)typealias QueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, \(typeName)>",
      "\(access.prefix)typealias OptionalQueryColumn<Root: MartletQuery.Table>"
        + " = MartletQuery.ColumnGroup<Root, \(typeName)?>",
      "\(access.prefix)nonisolated static var columns: TableColumns { TableColumns() }",
      "\(access.prefix)nonisolated static var tableName: String { \(Plural.tableName(of: typeName.unquoted).quoted) }",
      "\(access.prefix)nonisolated static var defaultScope: MartletQuery.DefaultScope { MartletQuery.DefaultScope() }",
    ]
  }

  var tableColumns: String {
    let properties = cases.map { one in
      "\(access.prefix)var \(one.name): \(one.wrapped).OptionalQueryColumn<\(typeName)>"
        + " { .init(column: \(one.columnName.quoted)) }"
    }
    return """
      \(access.prefix)nonisolated struct TableColumns: MartletQuery.TableDefinition {
        \(access.prefix)typealias QueryValue = \(typeName)
      \(properties.joined(separator: "\n").indented())
        \(access.prefix)init() {}
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

  /// Nobody calls it. The compiler looks at the members of an enum where somebody uses them, and at the extension
  /// always: a case whose type is no column, or not what is stored, is an error here. Where version 6.3 of the compiler
  /// finds it only while it makes code of the members, it crashes, or does not come to an end.
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

  /// The value of the case, and NULL for the others.
  var columnFragments: String {
    let rows = cases.map { one in
      "if case .\(one.name)(let value) = self { (\(one.wrapped)?).bind(value, into: &fragments) }"
        + " else { (\(one.wrapped)?).bind(nil, into: &fragments) }"
    }
    return RowCode.columnFragments(rows, "\(access.prefix)nonisolated ")
  }

  /// The case whose columns are not NULL. All columns are read, because others may follow them.
  var decoding: String {
    let reads = cases.enumerated().map { "let value\($0) = try decoder.value((\($1.wrapped)?).self)" }
    let choices = cases.enumerated().map {
      "if let value\($0) { self = .\($1.name)(\($1.label)value\($0)); return }"
    }
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
