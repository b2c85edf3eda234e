/// The public members of the builder as its sources declare them, and those that make no part of a query themselves.
///
/// Always true: what is left out has a reason here, and an entry that fits no declaration any more fails a test.
import Foundation
import MartletTestSupport
import Testing

struct BuilderSurface {
  /// What needs an example, by `Owner.name`; several declarations if there are overloads.
  let members: [String: [PublicDeclaration]]
  /// Entries of the lists below that fit no declaration.
  let stale: Set<String>

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../Sources/MartletQuery")
    let root = folder.standardized
    let paths = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var declarations: [PublicDeclaration] = []
    for case let file as URL in paths where file.pathExtension == "swift" {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      declarations += PublicDeclaration.all(in: lines)
    }
    let kinds: Set = ["func", "var", "let", "init", "subscript", "case"]
    declarations = declarations.filter { kinds.contains($0.keyword) && !$0.isRequirement && !$0.isUnavailable }
    var used: Set<String> = []
    var members: [String: [PublicDeclaration]] = [:]
    for declaration in declarations {
      let entries = Self.entries(for: declaration).filter { Self.leftOut[$0] != nil }
      used.formUnion(entries)
      if entries.isEmpty { members[declaration.member, default: []].append(declaration) }
    }
    self.members = members
    stale = Set(Self.leftOut.keys).subtracting(used)
  }

  /// The entries that may leave a declaration out: its member, its owner with `.*`, its name with `*.`.
  private static func entries(for declaration: PublicDeclaration) -> [String] {
    var entries = [declaration.member, "\(declaration.owner).*", "*.\(declaration.name)"]
    if declaration.label == "dynamicMember" { entries.append("dynamicMember") }
    if declaration.name.hasPrefix("build") { entries.append("build") }
    if declaration.name == "init" { entries.append("init(\(declaration.label):)") }
    return entries
  }

  /// What needs no example, and why.
  static let leftOut: [String: String] = {
    let reasons: [String: [String]] = [
      "protocols ask for it: what a type is to the builder": [
        "*.queryFragment", "*.columnFragments", "*.statementFragment", "*.asSelect", "*.joinedParts", "*.ownScope",
        "*.defaultScope",
        "DefaultScope.init", "*.columns", "*.placedColumns", "*.columnPlace", "ColumnPlace.init",
        "*.allColumns", "*.allFragments", "*.tableName", "*.schemaName", "*.tableAlias", "*.tableFragment",
        "*.aliasName", "*.namesCommonTable", "OptionalColumns.primaryKey", "*.dateStorage", "*.narrowed",
        "*.keptClauses",
        "*.replacing",
      ],
      "values on their way in and out": [
        "*.queryBinding", "*.queryOutput", "*.sqlType", "*.columnWidth", "*.isBinaryJSON", "*.membersMayBeNull",
        "*.sortsAsStored", "init(decoder:)",
        "init(queryOutput:)",
        "QueryDecoder.*", "QueryDecodingError.*", "RowDecoder.*", "QueryBindingFailure.*",
        "QueryRepresentable.*", "QueryBindable.*", "Statement.decode", "*.rawValue", "QueryBinding.*", "DateStorage.*",
        "Reason.*",
      ],
      "the compiler calls it for closures with `if` and `for`": ["build"],
      "a column is read by its name; every example does": ["dynamicMember"],
      "the same as a table's, which an example shows": ["Select.none"],
      "rows of two to four columns; the examples of `RowValue` show them": ["RowOfColumns.*"],
      "what a table's conformance holds: docs/QUERY.md": [
        "ColumnDescription.*", "TableColumn.init", "TableColumn.name", "GeneratedColumn.*", "ColumnGroup.init",
        "AliasColumns.*", "AliasDraft.*", "DraftColumns.*", "OptionalColumns.init", "DatabaseFunction.*",
      ],
      "looking at a statement: docs/QUERY.md": [
        "*.description", "*.debugDescription", "Statement.query", "StatementFragment.init", "Sequence.joined",
        "Statement.sql", "Statement.tree", "Statement.parameters",
        "Statement.built", "Statement.serialized", "Statement.part", "Statement.explain", "BuiltStatement.*",
        "SerializedStatement.*",
      ],
      "fragments are what expressions are made of": [
        "QueryFragment.*", "NullLiteral.init", "NullOf.init", "NullCondition.init",
      ],
      "the compiler calls it for `\\(...)`; what stands there has an example": [
        "StringInterpolation.init", "StringInterpolation.appendLiteral",
      ],
      "defaults of parameters": ["Unfiltered.*", "Unordered.*"],
      "nothing that compiles calls it": [
        "UnknownMember.*", "AggregateOfAggregate.*", "AggregateExpression.count", "AggregateExpression.min",
        "AggregateExpression.max", "AggregateExpression.sum", "AggregateExpression.avg", "AggregateExpression.total",
        "AggregateExpression.groupConcat", "AggregateExpression.jsonGroupArray",
      ],
      "members of a row in Swift": ["JSONEach.*", "JSONDocument.path"],
    ]
    return reasons.reduce(into: [:]) { result, entry in for name in entry.value { result[name] = entry.key } }
  }()
}
