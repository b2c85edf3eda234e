import SwiftSyntax

/// Names that a table's expansion needs for itself.
///
/// Always true: a name that collides is reported where it stands, and not as an error within the expansion.
enum ReservedNames {
  /// Members of every table, which a property or a case with the same name would hide.
  private static let members: Set<String> = [
    "Columns", "ColumnTypes", "Draft", "MartletQuery", "OptionalQueryColumn", "QueryColumn", "QueryValue", "Selection",
    "TableColumns", "columnFragments", "columnPlace", "self",
  ]

  /// Static members, which collide with a case, and not with a property.
  private static let statics: Set<String> = ["caseColumns", "columnWidth", "columns", "tableName"]

  /// Types whose names would mean the nested type within the table.
  private static let types: Set<String> = [
    "Columns", "ColumnTypes", "Draft", "MartletQuery", "OptionalQueryColumn", "QueryColumn", "QueryValue", "Selection",
    "TableColumns",
  ]

  static func check(columns: [ColumnModel], of declaration: StructDeclSyntax, _ reporter: Reporter) {
    check(type: declaration.name, reporter)
    let words = Set(columns.flatMap { $0.typeNames })
    for column in columns {
      let name = column.property.unquoted
      if members.contains(name) || (name == "primaryKey" && !column.isPrimaryKey) {
        report(name, "property", declaration.name, reporter)
      } else if words.contains(name) {
        reporter(
          declaration.name,
          Message("typeName", "Begin '\(name)' with a small letter: within the table it hides the type of that name."))
      }
    }
  }

  /// - Parameter cases: their names.
  static func check(cases: [String], of declaration: EnumDeclSyntax, _ reporter: Reporter) {
    check(type: declaration.name, reporter)
    for name in cases.map(\.unquoted) where members.union(statics).contains(name) {
      report(name, "case", declaration.name, reporter)
    }
  }

  private static func check(type: TokenSyntax, _ reporter: Reporter) {
    guard types.contains(type.text.unquoted) else { return }
    reporter(
      type,
      Message(
        "reservedType", "Call the type something else: every table has a type '\(type.text.unquoted)' of its own."))
  }

  private static func report(_ name: String, _ what: String, _ place: TokenSyntax, _ reporter: Reporter) {
    reporter(
      place,
      Message(
        "reservedName",
        "Rename the \(what) below '@Column(\"\(name)\")': every table has a '\(name)' of its own."))
  }
}

extension ColumnModel {
  /// The names that the column's type consists of.
  fileprivate var typeNames: [String] {
    "\(type.trimmedDescription) \(representation ?? "")".split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .map(String.init)
  }
}
