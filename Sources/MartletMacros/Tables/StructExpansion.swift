import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Table` and `@Selection` write for a struct.
///
/// Always true: everything but `init(decoder:)` is a member, so that the properties' types mean what they mean where
/// the struct stands; that initializer stands in the extension, so that the memberwise one is not lost.
enum StructExpansion {
  static func members(
    of declaration: StructDeclSyntax, _ role: StructModel.Role, _ node: AttributeSyntax,
    _ context: some MacroExpansionContext, _ reporter: Reporter
  ) -> [DeclSyntax] {
    guard
      let model = StructReader.model(
        of: declaration, role: role, attribute: node, context: context, reporter: reporter)
    else { return [] }
    var members = model.names + [model.tableColumns, model.columnWidth, model.columnFragments]
    if !model.declaredMembers.contains("Columns") { members += [model.selection, model.selectionAlias] }
    if model.hasDraft, !model.declaredMembers.contains("Draft") {
      members.append(DraftExpansion(model: model).declaration)
    }
    if !context.lexicalContext.isEmpty { members.append(model.types) }
    return members.map { "\(raw: $0)" }
  }

  static func extensions(
    of declaration: StructDeclSyntax, _ role: StructModel.Role, _ node: AttributeSyntax,
    _ type: some TypeSyntaxProtocol, _ protocols: [TypeSyntax], _ context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    guard
      let model = StructReader.model(
        of: declaration, role: role, attribute: node, context: context, reporter: .silent)
    else { return [] }
    var wanted = RowCode.conformances
    if model.hasDraft { wanted.append("DraftableTable") }
    if model.primaryKey != nil { wanted.append("PrimaryKeyedTable") }
    let missing = protocols.compactMap(\.lastName).filter(wanted.contains)
    // All are named: until the extension is expanded, which may be in the middle of a query in another file, the
    // compiler does not see through a conformance of a macro to what it implies.
    let conformances = missing.map { "MartletQuery.\($0)" }.joined(separator: ", ")
    let clause = conformances.isEmpty ? "" : ": \(conformances)"
    let isNested = !context.lexicalContext.isEmpty
    let text = """
      nonisolated extension \(type.trimmedDescription)\(clause) {
      \(model.decoding(isNested: isNested).indented())
      }
      """
    return DeclSyntax("\(raw: text)").as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }
}

extension StructModel {
  /// The table's names, and what makes it a group of columns if another table holds it.
  var names: [String] {
    var names: [String] = [
      "\(access.prefix)typealias QueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, \(typeName)>",
      "\(access.prefix)typealias OptionalQueryColumn<Root: MartletQuery.Table>"
        + " = MartletQuery.ColumnGroup<Root, \(typeName)?>",
      "\(access.prefix)nonisolated static var columns: TableColumns { TableColumns() }",
      "\(access.prefix)nonisolated static func placedColumns(in place: MartletQuery.ColumnPlace) -> TableColumns"
        + " { TableColumns(in: place) }",
    ]
    if !declaredStatics.contains("tableName") {
      names.append("\(access.prefix)nonisolated static var tableName: String { \(tableName.quoted) }")
    }
    if let schemaName, !declaredStatics.contains("schemaName") {
      names.append("\(access.prefix)nonisolated static var schemaName: String? { \(schemaName.quoted) }")
    }
    if !declaredStatics.contains("defaultScope") { names.append(RowCode.defaultScope("\(access.prefix)nonisolated ")) }
    return names
  }

  /// The columns as properties.
  var tableColumns: String {
    let isKeyed = primaryKey != nil
    let conformance = isKeyed ? "MartletQuery.PrimaryKeyedTableDefinition" : "MartletQuery.TableDefinition"
    var lines = ["\(access.prefix)typealias QueryValue = \(typeName)"]
    for column in columns {
      lines.append(
        "\(prefix(of: column))var \(column.property): \(column.columnType(root: typeName))"
          + " { .init(column: \(column.name.quoted), in: columnPlace) }")
    }
    if isKeyed, let key = primaryKey, key.property != "primaryKey" {
      lines.append("\(access.prefix)var primaryKey: \(key.columnType(root: typeName)) { \(key.property) }")
    }
    lines += RowCode.columnPlace(access.prefix)
    lines.append(allColumns)
    return """
      \(access.prefix)nonisolated struct TableColumns: \(conformance) {
      \(lines.joined(separator: "\n").indented())
      }
      """
  }

  private var allColumns: String {
    let rows = columns.map { column in
      let property = column.codingKey == column.name ? "" : ", property: \(column.codingKey.quoted)"
      let key = column.isPrimaryKey ? ", primaryKey: true" : ""
      let generated = column.isGenerated ? ", generated: true" : ""
      let lazy = column.isLazyInitializable ? ", lazyInitializable: true" : ""
      let initial = role == .table ? column.initial : ""
      return "columns += MartletQuery.ColumnDescription.columns("
        + "\(column.name.quoted), of: \(column.queryType.asMetatype)\(property)\(key)\(generated)\(lazy)\(initial))"
    }
    let body = """
      var columns: [MartletQuery.ColumnDescription] = []
      \(rows.joined(separator: "\n"))
      return MartletQuery.ColumnDescription.distinct(columns)
      """
    // A generic type cannot store a static property.
    let opening = isGeneric ? "{" : "= {"
    return """
      \(access.prefix)static \(isGeneric ? "var" : "let") allColumns: [MartletQuery.ColumnDescription] \(opening)
      \(body.indented())
      }\(isGeneric ? "" : "()")
      """
  }

  /// How many columns of a row it takes.
  var columnWidth: String { RowCode.columnWidth(of: columns.map(\.queryType), "\(access.prefix)nonisolated ") }

  /// The row's values.
  var columnFragments: String {
    RowCode.columnFragments(
      columns.map { "\($0.queryType.asExpression).bind(self.\($0.property), into: &fragments)" },
      "\(access.prefix)nonisolated ")
  }

  /// One expression for each property: `Row.Columns(title: $0.title)`.
  var selection: String {
    let parameters = columns.map { column in
      "\(column.property): some MartletQuery.QueryExpression<\(column.queryType)>\(column.selectionDefault(isGeneric))"
    }
    let fragments = RowCode.freeName("_fragments", among: columns)
    let rows = columns.map { column in
      "\(fragments) += \(column.property).columnFragments(named: \(column.name.quoted))"
    }
    let visible = columns.map(\.access).min().map { min($0, access) } ?? access
    return """
      \(access.prefix)nonisolated struct Columns: MartletQuery.QueryExpression {
        \(access.prefix)typealias QueryValue = \(typeName)

        \(access.prefix)let columnFragments: [MartletQuery.QueryFragment]

        \(access.prefix)var queryFragment: MartletQuery.QueryFragment {
          MartletQuery.QueryFragment(row: columnFragments)
        }

        \(visible.prefix)init(
      \(parameters.joined(separator: ",\n").indented(2))
        ) {
          var \(fragments): [MartletQuery.QueryFragment] = []
      \(rows.joined(separator: "\n").indented(2))
          self.columnFragments = \(fragments)
        }
      }
      """
  }

  var selectionAlias: String { "\(access.prefix)typealias Selection = Columns" }

  /// The properties' types under names that the extension sees too, wherever the struct stands. They are numbered: a
  /// property may be called `Type`, which a member of a type cannot be.
  var types: String {
    let rows = columns.enumerated().map { "\(access.prefix)typealias Value\($0) = \($1.queryType)" }
    return """
      \(access.prefix)nonisolated enum ColumnTypes {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  /// Reads the columns in their order.
  ///
  /// Through the initializer that the compiler writes if there is one: for another one that may throw, the compiler
  /// makes code that copies the row.
  func decoding(isNested: Bool) -> String {
    let reads = columns.enumerated().map { index, column in
      let type = isNested ? "ColumnTypes.Value\(index).self" : column.queryType.asMetatype
      return "try decoder.value(\(type))"
    }
    var rows: [String]
    if hasMemberwiseInitializer {
      rows = reads.enumerated().map { "let value\($0) = \($1)" }
      let arguments = columns.enumerated().map { "\($1.property.label): value\($0)" }
      rows.append("self.init(\(arguments.joined(separator: ", ")))")
    } else {
      rows = zip(columns, reads).map { "self.\($0.property) = \($1)" }
    }
    return """
      \(access.prefix)init(decoder: inout some MartletQuery.QueryDecoder) throws {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  private func prefix(of column: ColumnModel) -> String {
    column.access < access ? (column.access == .fileprivate ? "fileprivate " : column.access.prefix) : access.prefix
  }
}

extension ColumnModel {
  /// The argument that makes a literal the column's default. The default of a key is left out, because no row is meant
  /// to have it.
  fileprivate var initial: String {
    guard let literal, !isPrimaryKey, !isGenerated else { return "" }
    return ", initial: \(literal)"
  }

  /// What may be left out of the struct's own initializer may be left out of a selection. In a generic type a default
  /// cannot depend on the type's parameters.
  fileprivate func selectionDefault(_ isGeneric: Bool) -> String {
    guard hasDefault, !isGeneric else { return "" }
    return " = \(queryType.asExpression)(queryOutput: \(defaultValue ?? "nil"))"
  }
}
