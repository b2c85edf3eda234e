/// The rule that every declaration that programs import is documented, and the exceptions, which are documented
/// elsewhere.
///
/// Always true: a witness is exempt where it conforms, and its requirement is documented where a protocol declares it.
import MartletTestSupport

enum DocumentedDeclarations {
  static let modules = ["Sources/MartletQuery/", "Sources/MartletDatabase/", "Sources/Martlet/"]

  static let rule = LintRule(
    name: "what is public says what it means", applies: { file in modules.contains { file.path.hasPrefix($0) } }
  ) { file in
    PublicDeclaration.all(in: file.lines).filter { !$0.isDocumented && !isExempt($0) }.map {
      ($0.line, "'\($0.member)' is public: say above it in a line of '///' what it means, and the SQL that it makes")
    }
  }

  static func isExempt(_ declaration: PublicDeclaration) -> Bool {
    if declaration.isRequirement { return false }
    let name =
      declaration.name == "init" || declaration.name == "subscript"
      ? "\(declaration.name)(\(declaration.label):)" : declaration.name
    return declaration.isUnavailable || witnesses[name] != nil || others.contains(name) || name.hasPrefix("build")
  }

  /// Requirements of protocols of these modules, with the protocol that says what they mean.
  static let witnesses: [String: String] = [
    "QueryValue": "QueryExpression", "queryFragment": "QueryExpression", "columnFragments": "QueryExpression",
    "init(decoder:)": "QueryDecodable", "QueryOutput": "QueryRepresentable", "QueryUnwrapped": "QueryRepresentable",
    "QueryOptional": "QueryRepresentable", "init(queryOutput:)": "QueryRepresentable",
    "queryOutput": "QueryRepresentable", "columnWidth": "QueryRepresentable", "sqlType": "QueryRepresentable",
    "isBinaryJSON": "QueryRepresentable", "membersMayBeNull": "QueryRepresentable",
    "sortsAsStored": "QueryRepresentable", "QueryUnaliased": "QueryRepresentable",
    "Document": "JSONDocumentRepresentation", "namesCommonTable": "AliasName", "queryBinding": "QueryBindable",
    "decode": "QueryDecoder", "skipNulls": "QueryDecoder",
    "TableColumns": "Table", "columns": "Table", "placedColumns": "Table",
    "columnPlace": "TableDefinition", "tableName": "Table", "schemaName": "Table", "tableAlias": "Table",
    "tableFragment": "Table", "allColumns": "TableDefinition", "Draft": "DraftableTable",
    "PrimaryKey": "PrimaryKeyedTable", "primaryKey": "PrimaryKeyedTableDefinition", "PrimaryTable": "TableDraft",
    "aliasName": "AliasName", "statementFragment": "Statement", "Sources": "SelectStatement",
    "asSelect": "SelectStatement", "Joined": "JoinableStatement", "joinedParts": "JoinableStatement",
    "ownScope": "JoinableStatement", "defaultScope": "Table",
    "Columns": "TableSources", "Row": "TableSources", "First": "TableSources", "allFragments": "TableSources",
    "DateInteger": "DateExpressible", "DateReal": "DateExpressible", "DateText": "DateExpressible",
    "dateStorage": "DateExpressible", "isDeterministic": "DatabaseFunction", "read": "DatabaseReader",
    "write": "DatabaseWriter", "writeWithoutTransaction": "DatabaseWriter",
  ]

  /// Requirements of Swift's own protocols.
  static let others: Set = [
    "description", "debugDescription", "rawValue", "init(rawValue:)", "Element", "makeAsyncIterator", "init(from:)",
    "encode", "hash", "==",
  ]

  /// Of the other modules a type is documented that more than one file of its module can see.
  static let types = LintRule(
    name: "a type says what it is",
    applies: { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  ) { file in
    file.lines.indices.filter { index in
      guard file.lines[index].matches(type) else { return false }
      // Attributes and reasons stand between a type and what is said of it.
      let above = file.lines[..<index].last { !$0.matches("^\\s*(@|// )") } ?? ""
      return !above.matches("^\\s*///")
    }.map { ($0 + 1, "say above it in a line of '///' what it is") }
  }

  private static let type =
    "^\\s*(@\\w+(\\([^)]*\\))? )*(public|package) ((final|indirect|nonisolated) )*(struct|class|enum|actor|protocol) \\w"
}
