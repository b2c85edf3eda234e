import MartletAST

/// What `createTable` of an FTS5 table returns: a statement to look at and to execute.
///
/// Always true: `rowid` and `rank` of the type are FTS5's own columns, which every one of its tables has undeclared.
public struct CreateFullTextTable<Of: FTS5>: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: CreateFullTextTableParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  /// `DROP TABLE` of it.
  public func drop(ifExists: Bool = false) -> DropStatement {
    DropStatement(.table, parts.place, ifExists: ifExists)
  }
}

/// Where the texts are that an FTS5 table indexes.
public struct FullTextContent: Sendable {
  var options: [(name: String, value: String)]

  /// In the table itself.
  public static var own: FullTextContent { FullTextContent(options: []) }

  /// Nowhere: the table finds rows, and cannot return their texts.
  public static var none: FullTextContent { FullTextContent(options: [("content", "")]) }

  /// In another table or view, in columns of the same names, which somebody keeps in step: `synchronizingTriggers`.
  public static func table<Content: Table, Key>(
    _ table: Content.Type, rowID: KeyPath<Content.TableColumns, TableColumn<Content, Key>>
  ) -> FullTextContent where Key.QueryUnwrapped: QueryInteger {
    FullTextContent(options: [
      ("content", Content.tableName), ("content_rowid", Content.columns[keyPath: rowID].name),
    ])
  }
}

/// What the index keeps about each word.
public enum FullTextDetail: String, Sendable {
  /// Rows, columns and positions: everything can be searched.
  case full
  /// Rows and columns: no phrases.
  case column
  /// Rows: no phrases and no searches of one column.
  case none
}

extension FTS5 {
  /// `CREATE VIRTUAL TABLE "reminderTexts" USING fts5("title", "notes", tokenize = 'porter unicode61')`
  ///
  /// - Parameters:
  ///   - tokenize: how texts are cut into words; `unicode61` if it is left out.
  ///   - prefix: lengths in characters of prefixes that have an index of their own.
  ///   - columnSize: whether the lengths of texts are kept, which `bm25` needs to be fast.
  ///   - unindexed: columns that are kept and not searched.
  public static func createTable(
    temporary: Bool = false, ifNotExists: Bool = false, tokenize: FullTextTokenizer? = nil,
    content: FullTextContent = .own, prefix: [Int] = [], columnSize: Bool = true, detail: FullTextDetail = .full,
    @ColumnsBuilder unindexed: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> CreateFullTextTable<Self> {
    var options = content.options
    if let tokenize { options.append(("tokenize", tokenize.text)) }
    if !prefix.isEmpty { options.append(("prefix", prefix.map(String.init).joined(separator: " "))) }
    if !columnSize { options.append(("columnsize", "0")) }
    if detail != .full { options.append(("detail", detail.rawValue)) }
    return CreateFullTextTable(
      parts: CreateFullTextTableParts(
        place: SchemaPlace(Self.self, isTemporary: temporary), ifNotExists: ifNotExists, columns: indexedColumnNames,
        unindexed: Set(unindexed(columns).compactMap(\.columnName)), options: options))
  }

  /// The columns that the type declares, without FTS5's own.
  static var indexedColumnNames: [String] {
    TableColumns.allColumns.map(\.name).filter { $0 != "rowid" && $0 != "rank" }
  }
}

struct CreateFullTextTableParts: SchemaTree {
  var place: SchemaPlace
  var ifNotExists: Bool
  var columns: [String]
  var unindexed: Set<String>
  var options: [(name: String, value: String)]

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    let arguments =
      columns.map { name -> ASTModuleArgument in
        unindexed.contains(name) ? .column(name, "UNINDEXED") : .column(name)
      } + options.map { .option($0.name, $0.value) }
    var statement = ASTStatement.createVirtualTable(place.name, using: "fts5", arguments)
    statement.createVirtualTable.ifNotExists = ifNotExists
    statement.createVirtualTable.schema = place.isTemporary ? "temp" : place.schema
    return statement
  }
}
